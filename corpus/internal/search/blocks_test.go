package search

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestBlockSet: turns that are added one after the other or scattered are there, no
// others, and the blocks are those they lie in.
func TestBlockSet(t *testing.T) {
	const words = 5 << 6
	r := rand.New(rand.NewPCG(1, 9))
	s := blockSet{docs: make(bits, words), blocks: newBits(5)}
	for range 500 {
		want, docs := make(bits, words), []uint32{}
		from := r.Uint32N(words << 6)
		to := min(from+r.Uint32N(300), words<<6)
		run := r.IntN(2) == 0
		blocks := []uint32{}
		for doc := from; doc < to; doc++ {
			if !run && r.IntN(3) == 0 {
				continue
			}
			docs = append(docs, doc)
			want.add(doc)
		}
		if run {
			s.addRun(from, to)
		} else {
			s.add(docs)
		}
		for b := range uint32(5) {
			if !want.none(b) {
				blocks = append(blocks, b)
			}
		}
		var in []uint32
		_ = s.each(func(b uint32) error {
			if !s.docs.none(b) {
				in = append(in, b)
			}
			return nil
		})
		if s.any != (len(docs) > 0) || !slices.Equal(s.docs, want) || !slices.Equal(in, blocks) {
			t.Fatalf("%d to %d: turns of %d in %v, want %v", from, to, len(docs), in, blocks)
		}
		if s.empty(); s.any || !slices.Equal(s.docs, make(bits, words)) {
			t.Fatal("turns are left")
		}
	}
}
