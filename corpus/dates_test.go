package corpus

import (
	"strings"
	"testing"
	"time"
)

func TestParseDate(t *testing.T) {
	// The clock goes back in this zone on 2026-10-25, an hour longer than other days.
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Skip(err)
	}
	now := time.Date(2026, 10, 31, 12, 30, 0, 0, berlin)
	tests := []struct{ in, start, end string }{
		{"7d", "2026-10-24T12:30:00+02:00", ""},
		{"2w", "2026-10-17T12:30:00+02:00", ""},
		{"1m", "2026-09-30T12:30:00+02:00", ""},
		{"8m", "2026-02-28T12:30:00+01:00", ""},
		{"1y", "2025-10-31T12:30:00+01:00", ""},
		{"36h", "2026-10-30T00:30:00+01:00", ""},
		{"0d", "2026-10-31T12:30:00+01:00", ""},
		{"now", "2026-10-31T12:30:00+01:00", ""},
		{"today", "2026-10-31T00:00:00+01:00", "2026-11-01T00:00:00+01:00"},
		{" Yesterday ", "2026-10-30T00:00:00+01:00", "2026-10-31T00:00:00+01:00"},
		{"last week", "2026-10-24T12:30:00+02:00", ""},
		{"last-month", "2026-09-30T12:30:00+02:00", ""},
		{"3 days ago", "2026-10-28T12:30:00+01:00", ""},
		{"3d ago", "2026-10-28T12:30:00+01:00", ""},
		{"an hour ago", "2026-10-31T11:30:00+01:00", ""},
		{"20 minutes ago", "2026-10-31T12:10:00+01:00", ""},
		{"2026-10", "2026-10-01T00:00:00+02:00", "2026-11-01T00:00:00+01:00"},
		{"2026-12", "2026-12-01T00:00:00+01:00", "2027-01-01T00:00:00+01:00"},
		{"2026-10-25", "2026-10-25T00:00:00+02:00", "2026-10-26T00:00:00+01:00"},
		{"2024-02-29", "2024-02-29T00:00:00+01:00", "2024-03-01T00:00:00+01:00"},
		{"2026-01-01T09:30", "2026-01-01T09:30:00+01:00", ""},
		{"2026-01-01 09:30:15", "2026-01-01T09:30:15+01:00", ""},
		{"2026-01-01T09:30:00Z", "2026-01-01T09:30:00Z", ""},
		{"2026-01-01T09:30:00.5-07:00", "2026-01-01T09:30:00.5-07:00", ""},
	}
	for _, tt := range tests {
		if tt.end == "" {
			tt.end = tt.start
		}
		for end, want := range map[bool]string{false: tt.start, true: tt.end} {
			got, err := ParseDate(tt.in, now, end)
			w, werr := time.Parse(time.RFC3339Nano, want)
			if err != nil || werr != nil || !got.Equal(w) {
				t.Errorf("ParseDate(%q, end %v) = %v, %v; want %s", tt.in, end, got, err, want)
			}
		}
	}
}

func TestParseDateRefuses(t *testing.T) {
	now := time.Date(2026, 10, 31, 12, 30, 0, 0, time.UTC)
	for _, in := range []string{
		"", " ", "garbage", "7", "d", "-", "7x", "7dd", "1.5d", "2026", "2026-13", "2026-02-30", "2025-02-29", "26-01-01",
		"99999999999999999999d", "999999y", "last", "last xyz", "days ago", "ago", "10:00", "2026-01-01T25:00", "３d",
	} {
		got, err := ParseDate(in, now, false)
		if err == nil {
			t.Errorf("ParseDate(%q) = %v, want an error", in, got)
		} else if !strings.Contains(err.Error(), DateForms) {
			t.Errorf("ParseDate(%q): %v does not say what would be right", in, err)
		}
	}
}
