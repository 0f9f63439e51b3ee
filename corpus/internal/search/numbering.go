package search

import (
	"sync"

	"github.com/hansard-search/hansard/corpus/internal/published"
	"github.com/hansard-search/hansard/corpus/internal/signal"
)

// A numbering gives each session of a snapshot one number, whichever shards its
// documents are in: in the shard with most sessions their ordinals are their
// numbers, so that only those of the others are looked up.
type numbering struct {
	base int        // that view; -1 where there is no view
	own  int        // its sessions
	of   [][]uint32 // numbers by view and ordinal, but for the base
	more []sessionRef

	placed sync.Once
	from   []uint32     // of places, by number
	places []sessionRef // in views but for the base
}

// A sessionRef is the place of a session's ordinal.
type sessionRef struct {
	view int
	ord  uint32
}

// numbering numbers the sessions, once.
func (s *snapshot) numbering() (*numbering, error) {
	s.numbers.Do(func() { s.numbered, s.numberErr = s.number() })
	return s.numbered, s.numberErr
}

func (s *snapshot) number() (*numbering, error) {
	n := &numbering{base: -1, of: make([][]uint32, len(s.views))}
	for i, v := range s.views {
		if n.base < 0 || v.Sessions() > n.own {
			n.base, n.own = i, v.Sessions()
		}
	}
	others := map[signal.Hash]uint32{}
	for i, v := range s.views {
		if i == n.base {
			continue
		}
		n.of[i] = make([]uint32, v.Sessions())
		for ord := range n.of[i] {
			id, err := v.SessionHash(uint32(ord))
			if err != nil {
				return nil, published.Damage(v.Name, err)
			}
			number, ok, err := s.views[n.base].SessionOrd(id)
			if err != nil {
				return nil, published.Damage(s.views[n.base].Name, err)
			}
			if !ok {
				if number, ok = others[id]; !ok {
					number = uint32(n.own + len(n.more))
					others[id] = number
					n.more = append(n.more, sessionRef{i, uint32(ord)})
				}
			}
			n.of[i][ord] = number
		}
	}
	return n, nil
}

// len is how many sessions there are.
func (n *numbering) len() int { return n.own + len(n.more) }

// at is the number of a view's session.
func (n *numbering) at(view int, ord uint32) uint32 {
	if view == n.base {
		return ord
	}
	return n.of[view][ord]
}

// hash is the signal.Of the id of a session.
func (n *numbering) hash(s *snapshot, number uint32) (signal.Hash, error) {
	r := sessionRef{n.base, number}
	if int(number) >= n.own {
		r = n.more[int(number)-n.own]
	}
	id, err := s.views[r.view].SessionHash(r.ord)
	return id, published.Damage(s.views[r.view].Name, err)
}

// each calls fn for the places of a session's ordinals.
func (n *numbering) each(number uint32, fn func(sessionRef)) {
	n.placed.Do(n.place)
	if int(number) < n.own {
		fn(sessionRef{n.base, number})
	}
	for _, r := range n.places[n.from[number]:n.from[number+1]] {
		fn(r)
	}
}

// place sorts the ordinals of the views by number.
func (n *numbering) place() {
	n.from = make([]uint32, n.len()+2)
	for _, of := range n.of {
		for _, number := range of {
			n.from[number+2]++
		}
	}
	for i := 2; i < len(n.from); i++ {
		n.from[i] += n.from[i-1]
	}
	n.places = make([]sessionRef, n.from[len(n.from)-1])
	for view, of := range n.of {
		for ord, number := range of {
			n.places[n.from[number+1]] = sessionRef{view, uint32(ord)}
			n.from[number+1]++
		}
	}
}
