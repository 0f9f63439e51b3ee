package search

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/hansard-search/hansard/corpus/internal/shard"
)

// What is kept of lists is found again by any mask, and no more is kept than there
// is room for.
func TestKeptLists(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var k kept
	var picked shard.Picked
	type list struct {
		in     span
		docs   []uint16
		counts []uint8
	}
	var lists []list
	for round := range uint32(200) {
		n := r.IntN(keptAtOnce + 20)
		l := list{}
		for i := range n {
			picked.Docs[i], picked.Counts[i] = uint16(i*20+r.IntN(20)), uint8(1+r.IntN(255))
			l.docs, l.counts = append(l.docs, picked.Docs[i]), append(l.counts, picked.Counts[i])
		}
		before := k.n
		l.in = k.keep(round+1, &picked, n)
		if fits := n <= keptAtOnce && before+n <= keptAtMost; fits != (l.in.round == round+1) {
			t.Fatalf("%d documents after %d: kept in round %d", n, before, l.in.round)
		} else if fits {
			lists = append(lists, l)
		}
	}
	if len(lists) < 10 {
		t.Fatalf("%d lists are kept", len(lists))
	}
	for _, l := range lists {
		var mask shard.Mask
		var docs []uint16
		var counts []uint8
		for i, d := range l.docs {
			if r.IntN(2) == 0 {
				mask.Add(d)
				docs, counts = append(docs, d), append(counts, l.counts[i])
			}
		}
		n := k.pick(l.in, &mask, &picked)
		if !slices.Equal(picked.Docs[:n], docs) || !slices.Equal(picked.Counts[:n], counts) {
			t.Fatalf("found %v, not %v", picked.Docs[:n], docs)
		}
	}
}
