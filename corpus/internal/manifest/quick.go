package manifest

import (
	"encoding/base64"

	"github.com/hansard-search/hansard/corpus/internal/ownjson"
	"github.com/hansard-search/hansard/surfaces"
)

// quickShard reads a Shard from a line of the very form that Encode writes,
// several times faster than encoding/json does: a reader opens the manifest at
// every start, and it may have forty such lines. Of any other form ok is false,
// and encoding/json decides.
func quickShard(line string) (s Shard, ok bool) {
	q := ownjson.NewReader(line)
	q.Word(`{"name":`)
	s.Name = q.Text()
	q.Word(`,"size":`)
	s.Size = q.Number()
	q.Word(`,"turns":`)
	s.Turns = int(q.Number())
	q.Word(`,"sessions":`)
	s.Sessions = int(q.Number())
	if q.Try(`,"goneTurns":`) {
		s.GoneTurns = packed(q)
	}
	if q.Try(`,"goneSessions":`) {
		s.GoneSessions = packed(q)
	}
	q.Word(`,"surfaces":{`)
	s.Surfaces = make(map[surfaces.Name]SurfaceStats, 8)
	for !q.Bad() && !q.Try("}") {
		if len(s.Surfaces) > 0 {
			q.Word(",")
		}
		name := surfaces.Name(q.Text())
		if _, twice := s.Surfaces[name]; twice {
			q.Spoil()
		}
		var v SurfaceStats
		q.Word(`:{"docs":`)
		v.Docs = int(q.Number())
		q.Word(`,"length":`)
		v.Length = q.Number()
		q.Word("}")
		s.Surfaces[name] = v
	}
	q.Word("}\n")
	return s, q.Ended()
}

// packed reads bytes.
func packed(r *ownjson.Reader) []byte {
	b, err := base64.StdEncoding.DecodeString(r.Text())
	if err != nil {
		r.Spoil()
	}
	return b
}
