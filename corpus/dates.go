package corpus

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// DateForms lists what ParseDate reads, for help and errors.
const DateForms = "7d, 2w, 1m, 36h, 3 days ago, today, yesterday, last week, 2026-10, 2026-10-31, 2026-10-31T09:30, or RFC 3339"

// ParseDate reads a moment as people type it (DateForms), seen from now and in
// its location. A bare day or month is its first moment, or with end the first
// moment after it, so that a bound that is not reached includes it. 7d, 2w, 1m
// and 1y go back by the calendar to the same time of day, 36h by the clock.
func ParseDate(s string, now time.Time, end bool) (time.Time, error) {
	t, ok := absoluteDate(strings.TrimSpace(s), now.Location(), end)
	if !ok {
		t, ok = relativeDate(strings.FieldsFunc(strings.ToLower(s), betweenWords), now, end)
	}
	if year := t.UTC().Year(); !ok || year < 1 || year > 9999 {
		return time.Time{}, fmt.Errorf("%q is no date: use %s", s, DateForms)
	}
	return t.Round(0), nil
}

func betweenWords(r rune) bool { return r == ' ' || r == '-' || r == '_' || r == '\t' }

func absoluteDate(s string, loc *time.Location, end bool) (t time.Time, ok bool) {
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02 15:04:05Z07:00"} {
		if t, err := time.Parse(layout, s); err == nil {
			return t, true
		}
	}
	for _, layout := range []string{"2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04", "2006-01-02 15:04"} {
		if t, err := time.ParseInLocation(layout, s, loc); err == nil {
			return t, true
		}
	}
	if t, err := time.ParseInLocation(time.DateOnly, s, loc); err == nil {
		return day(t, 0, end), true
	}
	if t, err := time.ParseInLocation("2006-01", s, loc); err == nil {
		if end {
			return t.AddDate(0, 1, 0), true
		}
		return t, true
	}
	return time.Time{}, false
}

// day is the first moment of the day that is some days from t, or of the day
// after it.
func day(t time.Time, days int, end bool) time.Time {
	if end {
		days++
	}
	return time.Date(t.Year(), t.Month(), t.Day()+days, 0, 0, 0, 0, t.Location())
}

func relativeDate(words []string, now time.Time, end bool) (t time.Time, ok bool) {
	switch {
	case len(words) == 1 && words[0] == "now":
		return now, true
	case len(words) == 1 && words[0] == "today":
		return day(now, 0, end), true
	case len(words) == 1 && words[0] == "yesterday":
		return day(now, -1, end), true
	case len(words) == 1:
		digits := strings.TrimRight(words[0], "abcdefghijklmnopqrstuvwxyz")
		return ago(digits, words[0][len(digits):], now)
	case len(words) == 2 && words[0] == "last":
		return ago("1", words[1], now)
	case len(words) == 3 && words[2] == "ago":
		return ago(words[0], words[1], now)
	case len(words) == 2 && words[1] == "ago":
		return relativeDate(words[:1], now, end)
	}
	return time.Time{}, false
}

// ago goes back n units from now.
func ago(n, unit string, now time.Time) (t time.Time, ok bool) {
	if n == "a" || n == "an" {
		n = "1"
	}
	count, err := strconv.ParseUint(n, 10, 20) // more than any unit's years
	if err != nil {
		return time.Time{}, false
	}
	c := int(count)
	switch unit {
	case "min", "mins", "minute", "minutes":
		return now.Add(-time.Duration(c) * time.Minute), true
	case "h", "hour", "hours":
		return now.Add(-time.Duration(c) * time.Hour), true
	case "d", "day", "days":
		return now.AddDate(0, 0, -c), true
	case "w", "week", "weeks":
		return now.AddDate(0, 0, -7*c), true
	case "m", "month", "months":
		return monthsBefore(now, c), true
	case "y", "year", "years":
		return monthsBefore(now, 12*c), true
	}
	return time.Time{}, false
}

// monthsBefore is the same day some months earlier, or that month's last day
// where it is shorter: a month before March 31 is no day of March.
func monthsBefore(t time.Time, n int) time.Time {
	back := t.AddDate(0, -n, 0)
	if back.Day() != t.Day() {
		back = back.AddDate(0, 0, -back.Day())
	}
	return back
}
