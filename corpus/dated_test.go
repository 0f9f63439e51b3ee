package corpus

import (
	"strings"
	"testing"
)

// TestSearchByDate: turns of a day that is named come before those near it, and
// before others that have the same words; a date alone finds its turns.
func TestSearchByDate(t *testing.T) {
	c := searched(t, `
# far
@ 2026-02-27
> beans of the fence
< Beans.
# near
@ 2026-03-02
> beans of the fence
< Beans.
# day
@ 2026-03-04
> beans of the fence
< Beans.
# month
@ 2026-03-20
> beans of the fence
< Beans.
# year
@ 2025-03-04
> beans of the fence
< Beans.
`)
	for query, want := range map[string]string{
		"the beans on 4 March 2026": "day/1 near/1 month/1 far/1 year/1",
		"beans 2026-03-04":          "day/1 near/1 month/1 far/1 year/1",
		"beans in March 2025":       "year/1",
		"what did I do on March 4?": "day/1 year/1 near/1",
		"in february":               "far/1",
		"2026-02-28":                "far/1 near/1",
	} {
		if got := found(ask1(t, c, Query{Text: query, Group: ByTurn})); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %q, want %q", query, got, want)
		}
	}
}
