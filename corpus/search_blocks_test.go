package corpus

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestBlockSet: turns that are added one after the other or scattered are those of
// them that a set has, and the blocks are those they lie in.
func TestBlockSet(t *testing.T) {
	const words = 5 << 6
	r := rand.New(rand.NewPCG(1, 9))
	set := make(bits, words)
	for i := range set {
		set[i] = r.Uint64()
	}
	s := blockSet{docs: make(bits, words), blocks: newBits(5)}
	for range 500 {
		want, docs := make(bits, words), []uint32{}
		from := r.Uint32N(words << 6)
		to := min(from+r.Uint32N(300), words<<6)
		run := r.IntN(2) == 0
		turns, blocks := 0, []uint32{}
		for doc := from; doc < to; doc++ {
			if !run && r.IntN(3) == 0 {
				continue
			}
			if docs = append(docs, doc); set.has(doc) {
				want.add(doc)
				turns++
			}
		}
		got := 0
		if run {
			got = s.addRun(set, from, to)
		} else {
			got = s.add(set, docs)
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
		if got != turns || s.turns != turns || !slices.Equal(s.docs, want) || !slices.Equal(in, blocks) {
			t.Fatalf("%d to %d: %d turns of %d in %v, want %v", from, to, got, turns, in, blocks)
		}
		if s.empty(); s.turns != 0 || !slices.Equal(s.docs, make(bits, words)) {
			t.Fatal("turns are left")
		}
	}
}
