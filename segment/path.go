package segment

import (
	"slices"
	"strconv"
	"time"
)

// path tells which turns lie on the way to a session's last entry. Line order
// is the way, unless a prompt hangs on an earlier turn than the one before it:
// then the human went back, and what lies between is abandoned. A parent that
// nobody knows means nothing.
type path struct {
	owner map[uint64]int32 // entry -> turn, by line order; -1 before the first
	ids   []string         // of the turns that were begun
	up    []int32          // the turn each one hangs on, -1 for none
	known map[string]bool  // ids known to be abandoned
	went  bool             // somebody went back
}

func newPath(abandoned []string) path {
	p := path{owner: map[uint64]int32{}, known: map[string]bool{}}
	for _, id := range abandoned {
		p.known[id] = true
	}
	return p
}

// own gives an entry to the current turn.
func (p *path) own(entry uint64) { p.owner[entry] = int32(len(p.ids) - 1) }

// parent is the turn that owns an entry. Without an id it is the current one;
// it is not known when no such entry was met.
func (p *path) parent(id string) (turn int32, known bool) {
	last := int32(len(p.ids) - 1)
	if id == "" {
		return last, true
	}
	turn, known = p.owner[hash(id)]
	if !known {
		return last, false
	}
	return turn, true
}

// begin adds a turn that hangs on another.
func (p *path) begin(id string, up int32) {
	if up < int32(len(p.ids)-1) {
		p.went = true
	}
	p.ids = append(p.ids, id)
	p.up = append(p.up, up)
}

// abandoned are the turns off the path that were not known to be.
func (p *path) abandoned() (ids []string) {
	if !p.went {
		return nil
	}
	on := make([]bool, len(p.ids))
	for i := int32(len(p.ids) - 1); i >= 0; i = p.up[i] {
		on[i] = true
	}
	for i, id := range p.ids {
		if !on[i] && !p.known[id] {
			ids = append(ids, id)
		}
	}
	return slices.Clip(ids)
}

// hash is FNV-1a. It is stored, so it must not change; a collision would need
// billions of entries in one transcript.
func hash(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return h
}

// numbered is the id of a turn whose native id was used before.
func numbered(id string, n int) string { return id + ":" + strconv.Itoa(n) }

// branch is "" where the program says that there is none.
func branch(name string) string {
	if name == "HEAD" {
		return ""
	}
	return name
}

// widen moves the ends of a span of time so that it holds t.
func widen(from, to *time.Time, t time.Time) {
	if t.IsZero() {
		return
	}
	if from.IsZero() || t.Before(*from) {
		*from = t
	}
	if t.After(*to) {
		*to = t
	}
}
