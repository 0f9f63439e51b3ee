package corpus

import (
	bit "math/bits"
	"sync"

	"github.com/hansard-search/hansard/corpus/internal/shard"
)

// A stretch is turns of one session that lie one after the other in a shard, as
// most of a session's do. It ends before the turn end.
type stretch struct{ end, ord uint32 }

// A stretchCache remembers the stretches of a shard. A shard never changes.
type stretchCache struct {
	once sync.Once
	all  []stretch
	err  error
}

// stretches returns those of all turns, in order.
func (h *handle) stretches() ([]stretch, error) {
	c := &h.runs
	c.once.Do(func() {
		ords, err := h.SessionOrds(shard.Turn)
		if c.err = err; err != nil {
			return
		}
		for doc := range uint32(ords.Len()) {
			if ord := ords.At(doc); len(c.all) == 0 || c.all[len(c.all)-1].ord != ord {
				c.all = append(c.all, stretch{ord: ord})
			}
			c.all[len(c.all)-1].end = doc + 1
		}
	})
	return c.all, c.err
}

// pieces divides a set of turns by words of the set and by sessions.
func pieces(turns bits, of []stretch, each func(ord uint32, word int, piece uint64)) {
	at := 0
	for n, left := range turns {
		for left != 0 {
			first := uint32(n<<6 | bit.TrailingZeros64(left))
			for at < len(of) && of[at].end <= first {
				at++
			}
			if at == len(of) {
				return // bits behind the last turn: of a damaged list
			}
			piece := left
			if end := of[at].end - uint32(n<<6); end < 64 {
				piece &= 1<<end - 1
			}
			each(of[at].ord, n, piece)
			left &^= piece
		}
	}
}
