package search

import (
	"math"
	bit "math/bits"

	"github.com/hansard-search/hansard/corpus/internal/rank"
	"github.com/hansard-search/hansard/corpus/internal/shard"
)

// scanSessions scores all turns of a view that match, for their sessions. It takes
// those of a block in ascending order, not in that of its words: the next one is
// mostly of the same session, and not among its best.
func (q *Search) scanSessions(view int, s *scanner, session func(doc uint32) uint32) error {
	cover := rank.NewCover(s.plan.Total)
	return s.scanBlocks(q.asked.Pass[view] != nil, func(b uint32) {
		var h *sessionHit
		last := uint32(math.MaxUint32)
		for n, left := range s.here {
			s.here[n] = 0
			word := int(b)<<(shard.BlockShift-6) + n
			live, pass := s.live.word(word), s.pass.word(word)
			for ; left != 0; left &= left - 1 {
				i := bit.TrailingZeros64(left)
				t := &s.tally[(n<<6|i)&blockMask]
				score, has := cover.Score(t.sum, t.cover), t.sites
				*t = docSum{}
				if live>>i&1 == 0 {
					continue
				}
				doc := uint32(word<<6 | i)
				if ord := session(doc); ord != last {
					h, last = q.found.hit(q.found.at(view, ord)), ord
				}
				switch {
				case pass>>i&1 == 0:
					h.other = true
				case score < h.best[len(h.best)-1]:
					h.turns++
				default:
					q.turnFound(h, uint32(view), doc, score, has)
				}
			}
		}
		s.block = s.block[:0]
	})
}
