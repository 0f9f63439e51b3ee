package corpus

import "github.com/hansard-search/hansard/corpus/internal/signal"

// A numbering gives each session of a snapshot one number, whichever shards its
// documents are in: in the shard with most sessions their ordinals are their
// numbers, so that only those of the others are looked up.
type numbering struct {
	base int        // that view; -1 where there is no view
	own  int        // its sessions
	of   [][]uint32 // numbers by view and ordinal, but for the base
	more []sessionRef
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
				return nil, damage(v.name, err)
			}
			number, ok, err := s.views[n.base].SessionOrd(id)
			if err != nil {
				return nil, damage(s.views[n.base].name, err)
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
	return id, damage(s.views[r.view].name, err)
}
