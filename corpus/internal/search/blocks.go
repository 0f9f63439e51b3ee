package search

import (
	bit "math/bits"

	"github.com/hansard-search/hansard/corpus/internal/shard"
)

// A blockSet is a set of a view's turns that lie in few of its blocks.
type blockSet struct {
	docs   bits
	blocks bits // that have some
	any    bool
}

// addRun adds the turns of a run, up to the one before to.
func (s *blockSet) addRun(from, to uint32) {
	for from < to {
		w := from >> 6
		in := ^uint64(0) << (from & 63)
		if from = (w + 1) << 6; from > to {
			in &= ^uint64(0) >> (from - to)
		}
		s.docs[w] |= in
		s.blocks.add(w >> (shard.BlockShift - 6))
		s.any = true
	}
}

// add adds turns, ascending.
func (s *blockSet) add(docs []uint32) {
	for len(docs) > 0 {
		run := 1
		for run < len(docs) && docs[run] == docs[0]+uint32(run) {
			run++
		}
		s.addRun(docs[0], docs[0]+uint32(run))
		docs = docs[run:]
	}
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
	s.any = false
}
