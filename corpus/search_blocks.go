package corpus

import (
	bit "math/bits"

	"github.com/hansard-search/hansard/corpus/internal/shard"
)

// A blockSet is a set of a view's turns that lie in few of its blocks.
type blockSet struct {
	docs   bits
	blocks bits // that have some
	turns  int
}

// addRun adds those turns of a run, up to the one before to, that are in a set and
// returns how many.
func (s *blockSet) addRun(set bits, from, to uint32) (n int) {
	for from < to {
		w := from >> 6
		in := set[w] & (^uint64(0) << (from & 63))
		if from = (w + 1) << 6; from > to {
			in &= ^uint64(0) >> (from - to)
		}
		s.docs[w] |= in
		s.blocks.add(w >> (shard.BlockShift - 6))
		n += bit.OnesCount64(in)
	}
	s.turns += n
	return n
}

// add adds those of docs, ascending, that are in a set and returns how many.
func (s *blockSet) add(set bits, docs []uint32) (n int) {
	for len(docs) > 0 {
		run := 1
		for run < len(docs) && docs[run] == docs[0]+uint32(run) {
			run++
		}
		n += s.addRun(set, docs[0], docs[0]+uint32(run))
		docs = docs[run:]
	}
	return n
}

// each calls fn for the blocks, in order, until it fails.
func (s *blockSet) each(fn func(b uint32) error) error {
	for n, w := range s.blocks {
		for ; w != 0; w &= w - 1 {
			if err := fn(uint32(n<<6 | bit.TrailingZeros64(w))); err != nil {
				return err
			}
		}
	}
	return nil
}

// empty takes all turns out.
func (s *blockSet) empty() {
	_ = s.each(func(b uint32) error {
		clear(s.docs.words(b))
		return nil
	})
	clear(s.blocks)
	s.turns = 0
}
