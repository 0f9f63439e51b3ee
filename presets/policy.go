package presets

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// When a corpus is brought up to date: at each search, by hand alone, or when
// it is older than a duration such as "24h" or "7d".
const (
	OnChange = "source-change"
	Manual   = "manual"
)

// A Synopsis says by which command of the user's, and when, it is written down what
// a session was about. Only hansard maintain does so, where a preset asks for it.
type Synopsis struct {
	Command []string      // the program and its arguments: the session on stdin, the synopsis on stdout
	Recent  string        // sessions active since; "" means 30d
	Window  Window        // hours in which it may run; the zero Window is always
	Timeout time.Duration // of one session; 0 means a minute
}

// A Window is a part of each day, local time, in minutes since midnight. It
// may go past midnight. Where both are the same it is the whole day.
type Window struct{ From, To int }

// Has reports whether the window is open at t.
func (w Window) Has(t time.Time) bool {
	m := t.Hour()*60 + t.Minute()
	if w.From <= w.To {
		return w.From == w.To || w.From <= m && m < w.To
	}
	return m >= w.From || m < w.To
}

func (w Window) String() string {
	return fmt.Sprintf("%02d:%02d-%02d:%02d", w.From/60, w.From%60, w.To/60, w.To%60)
}

// ParseWindow reads "02:00-06:00".
func ParseWindow(s string) (w Window, err error) {
	from, to, ok := strings.Cut(s, "-")
	for _, v := range []struct {
		text string
		to   *int
	}{{from, &w.From}, {to, &w.To}} {
		t, bad := time.Parse("15:04", strings.TrimSpace(v.text))
		if bad != nil || !ok {
			return w, fmt.Errorf("%q is no part of a day", s)
		}
		*v.to = t.Hour()*60 + t.Minute()
	}
	return w, nil
}

// Since is the moment from which on sessions are recent.
func (s *Synopsis) Since(now time.Time) (time.Time, error) {
	if s.Recent == "" {
		return now.AddDate(0, 0, -30), nil
	}
	return ParseSince(s.Recent, now)
}

// Limit is the timeout of one session.
func (s *Synopsis) Limit() time.Duration {
	if s.Timeout > 0 {
		return s.Timeout
	}
	return time.Minute
}

// Due reports whether the preset wants its index to be brought up to date,
// which last changed at indexed (zero: never made), and for how long it is good yet
// when not; 0 means for ever, until somebody does it by hand.
func (p Preset) Due(indexed, now time.Time) (due bool, good time.Duration) {
	switch p.Refresh {
	case "", OnChange:
		return true, 0
	case Manual:
		return false, 0
	}
	every, err := every(p.Refresh)
	if err != nil || indexed.IsZero() || indexed.After(now) { // a clock was set back
		return true, 0
	}
	good = every - now.Sub(indexed)
	return good <= 0, good
}

// every reads an interval: 90m, 24h, 7d, 2w.
func every(s string) (time.Duration, error) {
	for unit, hours := range map[string]int{"d": 24, "w": 7 * 24} {
		if n, ok := strings.CutSuffix(s, unit); ok {
			if days, err := strconv.Atoi(n); err == nil && days > 0 && days < 10000 {
				return time.Duration(days*hours) * time.Hour, nil
			}
		}
	}
	if d, err := time.ParseDuration(s); err == nil && d > 0 {
		return d, nil
	}
	return 0, fmt.Errorf("%q is no interval", s)
}

// refresh reads when a corpus is brought up to date.
func (n node) refresh() (string, error) {
	s, err := n.text()
	if err != nil {
		return "", err
	}
	if _, bad := every(s); bad != nil && s != OnChange && s != Manual {
		return "", n.place().err(fmt.Sprintf("unknown %q", s), "use source-change, manual, or an interval such as 24h or 7d")
	}
	return s, nil
}

// synopsis reads {"command": [...], "recent": "30d", "window": "02:00-06:00", "timeout": "60s"}.
func (f *File) synopsis(e Env, n node) (*Synopsis, error) {
	list, err := n.members()
	if err != nil {
		return nil, err
	}
	s := &Synopsis{}
	for _, c := range list {
		text := ""
		switch c.key {
		case "command":
			s.Command, err = c.texts(nil)
		case "recent":
			s.Recent, err = e.since(c)
		case "window":
			if text, err = c.text(); err == nil {
				if s.Window, err = ParseWindow(text); err != nil {
					err = c.place().err(err.Error(), "write 02:00-06:00")
				}
			}
		case "timeout":
			if text, err = c.text(); err == nil {
				if s.Timeout, err = time.ParseDuration(text); err != nil || s.Timeout <= 0 {
					err = c.place().err(fmt.Sprintf("%q is no duration", text), "write 60s or 2m")
				}
			}
		default:
			f.warn(c, "command", "recent", "window", "timeout")
		}
		if err != nil {
			return nil, err
		}
	}
	if len(s.Command) == 0 || s.Command[0] == "" {
		return nil, n.place().err("names no command", `write "command": ["program", "argument"]`)
	}
	return s, nil
}
