package shard

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/hansard-search/hansard/surfaces"
)

// TestBlocksPick: what Postings.Count says of every document of a block, and of
// those in a mask only, which may be a run.
func TestBlocksPick(t *testing.T) {
	for _, each := range []int{1, 2, 3, 50, 2000} {
		r := built(t, 3*BlockDocs/2, each)
		p, _, err := r.Postings(surfaces.UserPrompt, "term")
		if err != nil {
			t.Fatal(err)
		}
		for c := p.Blocks(); c.Next(); {
			third := Mask{}
			for i := 0; i < BlockDocs; i += 3 {
				third.Add(uint16(i))
			}
			masks := []*Mask{nil, {}, &third}
			for _, run := range [][2]int{{0, 1}, {60, 70}, {1000, 1500}, {1024, 1088}, {4000, BlockDocs}} {
				mask := new(Mask)
				for i := run[0]; i < run[1]; i++ {
					mask.Add(uint16(i))
				}
				masks = append(masks, mask)
			}
			for _, mask := range masks {
				pickedAsCounted(t, &c, &p, mask)
			}
		}
	}
}

// TestBlocksPickFew: a few documents looked up are what Pick finds of them, in lists
// of all kinds and wherever in a block they lie.
func TestBlocksPickFew(t *testing.T) {
	for _, each := range []int{1, 2, 3, 17, 50, 2000} {
		r := built(t, 18*BlockDocs, each)
		p, _, err := r.Postings(surfaces.UserPrompt, "term")
		if err != nil {
			t.Fatal(err)
		}
		random := rand.New(rand.NewPCG(uint64(each), 1))
		var want, got Picked
		beside := make([]uint8, BlockDocs)
		for c := p.Blocks(); c.Next(); {
			for n := range 40 {
				var mask Mask
				var few []uint16
				for i := 0; i < BlockDocs; i += 1 + random.IntN(2*BlockDocs/(n+1)) {
					mask.Add(uint16(i))
					few = append(few, uint16(i))
				}
				a, b := c.Pick(&mask, nil, &want), c.PickFew(&mask, few, beside, &got)
				if !slices.Equal(got.Docs[:b], want.Docs[:a]) || !slices.Equal(got.Counts[:b], want.Counts[:a]) {
					t.Fatalf("one in %d, %v: %v with %v, want %v with %v", each, few, got.Docs[:b], got.Counts[:b], want.Docs[:a], want.Counts[:a])
				}
			}
		}
	}
}

func pickedAsCounted(t *testing.T, c *Blocks, p *Postings, mask *Mask) {
	t.Helper()
	var got Picked
	var has Mask
	c.Or(&has)
	left := got.Docs[:c.Pick(mask, make([]uint8, BlockDocs), &got)]
	counts := got.Counts[:]
	for i := range uint16(BlockDocs) {
		doc := c.Block<<BlockShift | uint32(i)
		want := p.Count(doc)
		if has.Has(i) != (want > 0) {
			t.Fatalf("document %d: in the set %v, counted %d", doc, has.Has(i), want)
		}
		if want == 0 || mask != nil && !mask.Has(i) {
			continue
		}
		if len(left) == 0 || left[0] != i || counts[0] != want {
			t.Fatalf("document %d, counted %d, comes next of %v with %v", doc, want, left[:min(3, len(left))], counts[:3])
		}
		left, counts = left[1:], counts[1:]
	}
	if len(left) > 0 {
		t.Fatalf("%d documents too many, from %d on", len(left), left[0])
	}
}
