package manifest

import (
	"encoding/base64"
	"strings"

	"github.com/hansard-search/hansard/surfaces"
)

// quickShard reads a Shard from a line of the very form that Encode writes,
// several times faster than encoding/json does: a reader opens the manifest at
// every start, and it may have forty such lines. Of any other form ok is false,
// and encoding/json decides.
func quickShard(line string) (s Shard, ok bool) {
	q := quick{rest: line}
	q.word(`{"name":`)
	s.Name = q.text()
	q.word(`,"size":`)
	s.Size = q.number()
	q.word(`,"turns":`)
	s.Turns = int(q.number())
	q.word(`,"sessions":`)
	s.Sessions = int(q.number())
	if q.try(`,"goneTurns":`) {
		s.GoneTurns = q.bytes()
	}
	if q.try(`,"goneSessions":`) {
		s.GoneSessions = q.bytes()
	}
	q.word(`,"surfaces":{`)
	s.Surfaces = make(map[surfaces.Name]SurfaceStats, 8)
	for !q.bad && !q.try("}") {
		if len(s.Surfaces) > 0 {
			q.word(",")
		}
		name := surfaces.Name(q.text())
		if _, twice := s.Surfaces[name]; twice {
			q.bad = true
		}
		var v SurfaceStats
		q.word(`:{"docs":`)
		v.Docs = int(q.number())
		q.word(`,"length":`)
		v.Length = q.number()
		q.word("}")
		s.Surfaces[name] = v
	}
	q.word("}\n")
	return s, !q.bad && q.rest == ""
}

// A quick reads from the front of rest; after a misstep it is bad.
type quick struct {
	rest string
	bad  bool
}

func (q *quick) try(w string) bool {
	rest, ok := strings.CutPrefix(q.rest, w)
	q.rest = rest
	return ok
}

func (q *quick) word(w string) { q.bad = !q.try(w) || q.bad }

// text reads a string of printable ASCII without escapes.
func (q *quick) text() string {
	if !q.try(`"`) {
		q.bad = true
		return ""
	}
	for i := range len(q.rest) {
		switch b := q.rest[i]; {
		case b == '"':
			t := q.rest[:i]
			q.rest = q.rest[i+1:]
			return t
		case b < ' ' || b > '~' || b == '\\':
			q.bad = true
			return ""
		}
	}
	q.bad = true
	return ""
}

// number reads a number from 0 to below 10^18, without leading zeros.
func (q *quick) number() (n int64) {
	i := 0
	for i < len(q.rest) && i < 18 && q.rest[i] >= '0' && q.rest[i] <= '9' {
		n = n*10 + int64(q.rest[i]-'0')
		i++
	}
	if i == 0 || i > 1 && q.rest[0] == '0' {
		q.bad = true
	}
	q.rest = q.rest[i:]
	return n
}

func (q *quick) bytes() []byte {
	b, err := base64.StdEncoding.DecodeString(q.text())
	if err != nil {
		q.bad = true
	}
	return b
}
