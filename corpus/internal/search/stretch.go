package search

import (
	bit "math/bits"
	"sync"

	"github.com/hansard-search/hansard/corpus/internal/shard"
)

// A stretchCache remembers the stretches of a shard. A shard never changes.
type stretchCache struct {
	once sync.Once
	of   stretches
	err  error
}

// stretches returns those of all turns.
func (v *view) stretches() (*stretches, error) {
	c := &v.runs
	c.once.Do(func() {
		if c.of.all, c.err = v.Stretches(); c.err == nil {
			c.of.number()
		}
	})
	return &c.of, c.err
}

// sessionsOfTurns returns what tells the session of a turn. A shard's stretches are far
// fewer than the rows of the column.
func (v *view) sessionsOfTurns() (of func(doc uint32) uint32, err error) {
	if v.KeepsStretches() {
		s, err := v.stretches()
		return s.session, err
	}
	ords, err := v.SessionOrds(shard.Turn)
	return ords.At, err
}

// stretches are those of a shard's turns, in order.
type stretches struct {
	all []shard.Stretch
	at  []uint32 // number of the stretch of each turn of which the number ends in numberedBits zeros, and of the last
}

// numberedBits makes the steps from turn to turn of which the stretch is known.
const numberedBits = 8

// number notes where in the list to begin to look for a turn.
func (s *stretches) number() {
	last := 0
	for n := range s.all {
		for ; uint32(last)<<numberedBits < s.all[n].End; last++ {
			s.at = append(s.at, uint32(n))
		}
	}
	s.at = append(s.at, uint32(len(s.all)-1))
}

// session is the ordinal of a turn's session.
func (s *stretches) session(doc uint32) uint32 { return s.of(doc).Session }

// of is the stretch of a turn.
func (s *stretches) of(doc uint32) *shard.Stretch {
	from, to := s.at[doc>>numberedBits], s.at[doc>>numberedBits+1]
	for from < to {
		if mid := (from + to) / 2; s.all[mid].End > doc {
			to = mid
		} else {
			from = mid + 1
		}
	}
	return &s.all[from]
}

// pieces divides a set of turns by words of the set and by sessions.
func pieces(turns bits, s *stretches, each func(ord uint32, word int, piece uint64)) {
	at, of := 0, s.all
	for n, left := range turns {
		for left != 0 {
			first := uint32(n<<6 | bit.TrailingZeros64(left))
			for at < len(of) && of[at].End <= first {
				at++
			}
			if at == len(of) {
				return // bits behind the last turn: of a damaged list
			}
			piece := left
			if end := of[at].End - uint32(n<<6); end < 64 {
				piece &= 1<<end - 1
			}
			each(of[at].Session, n, piece)
			left &^= piece
		}
	}
}
