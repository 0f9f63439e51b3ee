package corpus

import (
	bit "math/bits"
	"sync"

	"github.com/hansard-search/hansard/corpus/internal/shard"
)

// A stretchCache remembers the stretches of a shard. A shard never changes.
type stretchCache struct {
	once sync.Once
	all  []shard.Stretch
	err  error
}

// stretches returns those of all turns, in order.
func (h *handle) stretches() ([]shard.Stretch, error) {
	c := &h.runs
	c.once.Do(func() { c.all, c.err = h.Stretches() })
	return c.all, c.err
}

// sessionAt is the ordinal of a turn's session.
func sessionAt(of []shard.Stretch, doc uint32) uint32 {
	from, to := 0, len(of)-1
	for from < to {
		if mid := (from + to) / 2; of[mid].End > doc {
			to = mid
		} else {
			from = mid + 1
		}
	}
	return of[from].Session
}

// pieces divides a set of turns by words of the set and by sessions.
func pieces(turns bits, of []shard.Stretch, each func(ord uint32, word int, piece uint64)) {
	at := 0
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
