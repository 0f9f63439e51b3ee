package segment

import (
	"hash/maphash"
	"slices"
)

// path tells which turns lie on the way to a session's last entry. Line order
// is the way, unless a prompt hangs on an earlier turn than the one before it:
// then the human went back, and what lies between is abandoned. A parent that
// nobody knows means nothing.
type path struct {
	seed    maphash.Seed
	entries []uint64         // hashes, in line order
	owner   map[uint64]int32 // the turn of each entry up to mapped; -1 before the first
	mapped  int
	first   []int           // of each turn, its first entry
	ids     []string        // of the turns that were begun
	up      []int32         // the turn each one hangs on, -1 for none
	known   map[string]bool // ids known to be abandoned
	went    bool            // somebody went back
}

func newPath(abandoned []string) path {
	p := path{seed: maphash.MakeSeed(), owner: map[uint64]int32{}, known: map[string]bool{}}
	for _, id := range abandoned {
		p.known[id] = true
	}
	return p
}

// own gives an entry to the current turn.
func (p *path) own(id string) { p.entries = append(p.entries, maphash.String(p.seed, id)) }

// near is how many of the last entries are looked through before all are
// mapped: nearly every prompt hangs on one of them.
const near = 16

// turnOf is the turn that owns an entry, the last one if several do; -1 before
// the first turn.
func (p *path) turnOf(id string) (turn int32, known bool) {
	h := maphash.String(p.seed, id)
	turn = int32(len(p.ids) - 1)
	for i := len(p.entries) - 1; i >= max(0, len(p.entries)-near); i-- {
		for turn >= 0 && i < p.first[turn] {
			turn--
		}
		if p.entries[i] == h {
			return turn, true
		}
	}
	p.mapAll()
	turn, known = p.owner[h]
	return turn, known
}

// mapAll maps the entries that are not yet.
func (p *path) mapAll() {
	turn, _ := slices.BinarySearch(p.first, p.mapped+1)
	for ; p.mapped < len(p.entries); p.mapped++ {
		for turn < len(p.first) && p.first[turn] <= p.mapped {
			turn++
		}
		p.owner[p.entries[p.mapped]] = int32(turn - 1)
	}
}

// parent is the turn that owns an entry. Without an id it is the current one;
// it is not known when no such entry was met.
func (p *path) parent(id string) (turn int32, known bool) {
	last := int32(len(p.ids) - 1)
	if id == "" {
		return last, true
	}
	if turn, known = p.turnOf(id); !known {
		return last, false
	}
	return turn, true
}

// begin adds a turn that hangs on another.
func (p *path) begin(id string, up int32) {
	if up < int32(len(p.ids)-1) {
		p.went = true
	}
	p.first = append(p.first, len(p.entries))
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
