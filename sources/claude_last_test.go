package sources

import (
	"testing"
	"time"

	"github.com/hansard-search/hansard/sources/internal/jsonl"
	"pgregory.net/rapid"
)

// TestDays: times read one after the other are what time.Parse makes of each.
func TestDays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		form := rapid.StringMatching(`2026-0[12]-(28|29|31)T([0-2][0-9]|1:):([0-6][0-9]|/9):([0-6][0-9]|5x|: )[.,](00[0-9]|12:)(Z|\+02:00)|`)
		var d claudeDay
		for range rapid.IntRange(1, 20).Draw(t, "times") {
			text := form.Draw(t, "time")
			want, err := time.Parse(time.RFC3339Nano, text)
			if err != nil {
				want = time.Time{}
			}
			if got := d.of(jsonl.Of(jsonl.Value(`"` + text + `"`))); !got.Equal(want) || got.Location() != time.UTC {
				t.Fatalf("%q: %v, not %v", text, got, want)
			}
		}
	})
}

// TestMoments: numbers of milliseconds are the same, whichever way they are written.
func TestMoments(t *testing.T) {
	for text, want := range map[string]int64{
		"1790841609066": 1790841609066, `"1790841609066"`: 1790841609066, "1790841609066.9": 1790841609066, "1.790841609066e12": 1790841609066,
		"9007199254740991": 9007199254740991, "-1.5": -1, "7": 7, "0": 0, "-0": 0, "9007199254740990.5": 9007199254740990,
	} {
		if got := momentOf(jsonl.Of(jsonl.Value(text))); !got.Equal(time.UnixMilli(want)) || got.Location() != time.UTC {
			t.Errorf("%s: %v, not %v", text, got, time.UnixMilli(want))
		}
	}
	for _, text := range []string{"9007199254740992", "1e300", "-9007199254740992", "true", "null", `""`, `"x"`, "{}", "[1]"} {
		if got := momentOf(jsonl.Of(jsonl.Value(text))); !got.IsZero() {
			t.Errorf("%s: %v", text, got)
		}
	}
}
