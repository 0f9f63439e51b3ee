package shard

import (
	"fmt"
	"strconv"
	"testing"

	"github.com/hansard-search/hansard/surfaces"
)

// BenchmarkPick reads the lists of a word in 16 blocks: of one text in each, all
// texts, and those in a mask of one in 64. It has to allocate nothing.
func BenchmarkPick(b *testing.B) {
	const docs = 16 * BlockDocs
	for _, each := range []int{1, 8, 200} {
		r := built(b, docs, each)
		p, _, err := r.Postings(surfaces.UserPrompt, "term")
		if err != nil {
			b.Fatal(err)
		}
		some := new(Mask)
		for i := 0; i < BlockDocs; i += 64 {
			some.Add(uint16(i))
		}
		for _, m := range []struct {
			name string
			mask *Mask
		}{{"all", nil}, {"some", some}} {
			b.Run(fmt.Sprintf("one in %d, %s", each, m.name), func(b *testing.B) {
				var got Picked
				b.ReportAllocs()
				for b.Loop() {
					for c := p.Blocks(); c.Next(); {
						c.Pick(m.mask, nil, &got)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(p.Len()), "ns/posting")
			})
		}
	}
}

// built is a shard of turns of which one in each has the word "term".
func built(tb testing.TB, docs, each int) *Reader {
	tb.Helper()
	b, err := Build(func(yield func(Doc) bool) {
		for i := range docs {
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
		tb.Fatal(err)
	}
	r, err := OpenBytes(b)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { r.Close() })
	return r
}
