package sources

import (
	"strings"
	"time"

	"github.com/hansard-search/hansard/sources/internal/jsonl"
)

// claudeNames bounds the texts held once: folders, branches, models, tools and
// versions of a real transcript are a few dozen.
const claudeNames = 1000

// claudeLast remembers values of the line before: mostly the next line repeats
// them, and they need not be decoded again.
type claudeLast struct {
	id                                 string
	cwd, branch, version, model, group claudeText
	time                               claudeDay
}

// claudeText is a JSON string, as it was written and decoded.
type claudeText struct{ raw, text string }

// of is the text of v, which is looked up only when it is another than before.
func (t *claudeText) of(r *claudeReader, v jsonl.Node) string {
	raw := v.Raw()
	if len(raw) == 0 {
		return ""
	}
	if string(raw) != t.raw {
		t.raw, t.text = string(raw), r.name(v)
	}
	return t.text
}

// parent is the id of an entry, mostly of the one before.
func (r *claudeReader) parent(v jsonl.Node) string {
	if id := r.last.id; id != "" && string(v.Raw()) == id && strings.IndexByte(id, '\\') < 0 {
		return id
	}
	return v.String()
}

// name is the text of a string that repeats from line to line, held once.
func (r *claudeReader) name(v jsonl.Node) string {
	raw := v.Raw()
	if len(raw) == 0 {
		return ""
	}
	if s, ok := r.names[string(raw)]; ok {
		return s
	}
	if len(r.names) >= claudeNames {
		clear(r.names)
	}
	s := v.String()
	r.names[string(raw)] = s
	return s
}

// claudeTime reads a line's time; the zero Time where it has none that can be
// read.
func claudeTime(v jsonl.Node) time.Time {
	raw := v.Raw()
	if t, ok := parseMillis(raw); ok {
		return t
	}
	t, err := time.Parse(time.RFC3339Nano, string(raw))
	if err != nil {
		return time.Time{}
	}
	return t.UTC()
}

// claudeDay is the date with which a time begins, "2006-01-02T", and the moment
// at which that day begins.
type claudeDay struct {
	text string
	at   time.Time
}

// of is claudeTime. Most lines are of the same day as the one before.
func (d *claudeDay) of(v jsonl.Node) time.Time {
	const day = len("2006-01-02T")
	raw := v.Raw()
	if len(raw) == day+len("15:04:05.000Z") && string(raw[:day]) == d.text {
		if clock, ok := claudeClock(raw[day:]); ok {
			return d.at.Add(clock)
		}
	}
	t := claudeTime(v)
	if _, ok := parseMillis(raw); ok {
		d.text, d.at = string(raw[:day]), t.Truncate(24*time.Hour)
	}
	return t
}

// claudeClock reads 15:04:05.000Z, which is as long as b.
func claudeClock(b []byte) (time.Duration, bool) {
	_ = b[12]
	h, ho, m, mi := b[0]-'0', b[1]-'0', b[3]-'0', b[4]-'0'
	s, se, x, y, z := b[6]-'0', b[7]-'0', b[9]-'0', b[10]-'0', b[11]-'0'
	if b[2] != ':' || b[5] != ':' || b[8] != '.' || b[12] != 'Z' || max(ho, mi, se, x, y, z) > 9 || max(m, s) > 5 || h > 2 || h == 2 && ho > 3 {
		return 0, false
	}
	seconds := (int(h)*10+int(ho))*3600 + (int(m)*10+int(mi))*60 + int(s)*10 + int(se)
	return time.Duration(seconds*1000+int(x)*100+int(y)*10+int(z)) * time.Millisecond, true
}
