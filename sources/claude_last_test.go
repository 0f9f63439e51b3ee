package sources

import (
	"testing"
	"time"

	"github.com/hansard-search/hansard/sources/internal/jsonl"
	"pgregory.net/rapid"
)

// TestMinutes: times read one after the other are what time.Parse makes of each.
func TestMinutes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		form := rapid.StringMatching(`2026-0[12]-(28|29|31)T1[05]:3[05]:([0-6][0-9]|5x|: )[.,](00[0-9]|12:)(Z|\+02:00)|`)
		var m claudeMinute
		for range rapid.IntRange(1, 20).Draw(t, "times") {
			text := form.Draw(t, "time")
			want, err := time.Parse(time.RFC3339Nano, text)
			if err != nil {
				want = time.Time{}
			}
			if got := m.of(jsonl.Of(jsonl.Value(`"` + text + `"`))); !got.Equal(want) || got.Location() != time.UTC {
				t.Fatalf("%q: %v, not %v", text, got, want)
			}
		}
	})
}
