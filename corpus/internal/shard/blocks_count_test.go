package shard

import (
	"strconv"
	"testing"

	"github.com/hansard-search/hansard/surfaces"
)

// TestBlocksCount: what Postings.Count says of every document of a block.
func TestBlocksCount(t *testing.T) {
	for _, each := range []int{1, 2, 3, 50, 2000} {
		b, err := Build(func(yield func(Doc) bool) {
			for i := range 3 * BlockDocs / 2 {
				terms := []Term{{"other", 1}}
				if i%each == 0 {
					terms = append(terms, Term{"term", uint32(1 + i%4)})
				}
				d := Doc{Kind: Turn, Key: strconv.Itoa(i), Session: "s",
					Fields: []Field{{Surface: surfaces.UserPrompt, Length: 5, Code: 5, Terms: terms}}}
				if !yield(d) {
					return
				}
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		r, err := OpenBytes(b)
		if err != nil {
			t.Fatal(err)
		}
		p, _, err := r.Postings(surfaces.UserPrompt, "term")
		if err != nil {
			t.Fatal(err)
		}
		for c := p.Blocks(); c.Next(); {
			var set [BlockDocs / 64]uint64
			c.Or(&set)
			for i := range uint32(BlockDocs) {
				doc := c.Block<<BlockShift | i
				if c.Count(doc) != p.Count(doc) {
					t.Fatalf("document %d of one in %d: %d, want %d", doc, each, c.Count(doc), p.Count(doc))
				}
				if has := set[i>>6]>>(i&63)&1 == 1; has != p.Contains(doc) {
					t.Fatalf("document %d of one in %d: in the set %v", doc, each, has)
				}
			}
		}
		r.Close()
	}
}
