package sources

import (
	"math"
	"strconv"
	"time"

	"github.com/hansard-search/hansard/sources/internal/jsonl"
)

// A moment is a time as agents but Claude write it, or none.
type moment struct{ time.Time }

// momentOf reads RFC 3339, or milliseconds since 1970. What is neither is no time.
func momentOf(v jsonl.Node) (t moment) {
	number := v.Value()
	if v.Kind() == '"' {
		if at, ok := claudeMillis(v.Raw()); ok {
			t.Time = at
			return t
		}
		if at, err := time.Parse(time.RFC3339Nano, v.String()); err == nil {
			t.Time = at
			return t
		}
		number = v.Raw()
	} else if ms := v.Int(); ms > 0 && ms < 1<<53 { // as those of messages are
		t.Time = time.UnixMilli(ms).UTC()
		return t
	}
	if ms, err := strconv.ParseFloat(string(number), 64); err == nil && math.Abs(ms) < 1<<53 {
		t.Time = time.UnixMilli(int64(ms)).UTC()
	}
	return t
}

// or returns t, or u when t is no time.
func (t moment) or(u time.Time) time.Time {
	if t.IsZero() {
		return u
	}
	return t.Time
}
