package search

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hansard-search/hansard/corpus/internal/shard"
	"github.com/hansard-search/hansard/corpus/internal/terms"
	"github.com/hansard-search/hansard/sources"
	"github.com/hansard-search/hansard/surfaces"
)

// packedTexts makes a corpus of texts that are packed as words, most of them.
func packedTexts(t *testing.T) *snapshot {
	b := newBench(t)
	r := rand.New(rand.NewPCG(17, 4))
	between := []string{" ", " ", " ", " ", " ", " ", " ", " ", ", ", ". ", "\n", "\n\n", "-", "_", ".", "/", "'", "’", " (", "\" ", " é", " 缓存", "缓", "+", "++ ", "# ", "=", " — ", " aB1", " 1.2.3 ",
		" v2.0", strings.Repeat("aB1", 30)}
	text := func(n int) string {
		return mixedText(r, n, func() int { return min(r.IntN(60), r.IntN(60)) }, []string{"s", "ing", "ed", "Get", "7", "ération"}, between)
	}
	for turn := range 1200 {
		b.src.AppendRecords(fmt.Sprintf("s%d", r.IntN(100)), sources.Record{ID: fmt.Sprintf("t%d", turn), Prompt: text(1 + r.IntN(20)), Answer: text(1 + r.IntN(120)),
			Time: began.Add(time.Duration(turn) * time.Hour)})
	}
	b.sync()
	return b.open()
}

// TestPhrasesInPieces: a phrase stands in a text that is packed where it stands in
// the text, and in none that is only skimmed.
func TestPhrasesInPieces(t *testing.T) {
	s := packedTexts(t)
	r := rand.New(rand.NewPCG(2, 9))
	v := s.views[0]
	a := new(terms.Analyzer)
	found, packed, left := 0, 0, 0
	for n := range 300 {
		var texts []shard.Passage
		read := uint32(r.IntN(v.Len(shard.Turn)))
		if _, some, err := v.AppendPassages(shard.Turn, read, nil, nil); err != nil {
			t.Fatal(err)
		} else {
			texts = some
		}
		words := strings.Fields(texts[r.IntN(len(texts))].Text)
		from := r.IntN(len(words))
		asked := words[from:min(len(words), from+2+r.IntN(3))]
		if n%4 == 0 {
			asked = []string{words[from], words[r.IntN(len(words))]}
		}
		phrase := strings.ReplaceAll(strings.Join(asked, " "), `"`, " ")
		var d demand
		pl := &plan{analyzer: a}
		pl.demandWords(&d, []Kind{Phrase, Word}[n%2], a.Tokens(phrase))
		if len(d.phrase) == 0 {
			continue
		}
		f := newPhraseFinder(&d, a)
		var pools Searcher
		pieces, skimmed := pools.piecesOf(v.Reader, f.matcher, shard.Asked{}), pools.piecesOf(v.Reader, f.matcher, f.asked())
		for doc := range uint32(v.Len(shard.Turn)) {
			texts, at := texts[:0], 0
			if _, texts, _ = v.AppendPassages(shard.Turn, doc, nil, texts); len(texts) == 0 {
				continue
			}
			ok, err := pieces.Read(shard.Turn, doc, func(s surfaces.Name, codes []uint16) bool {
				if got := string(pieces.Append(nil, 0, len(codes))); s != texts[at].Surface || got != texts[at].Text {
					t.Fatalf("%d: %s %q, not %s %q", doc, s, got, texts[at].Surface, texts[at].Text)
				}
				got := f.standsIn(codes, pieces)
				if want := f.stands(texts[at].Text); got != want {
					t.Fatalf("%q stands: %v, not %v in %q", phrase, got, want, texts[at].Text)
				} else if want {
					found++
				}
				at++
				return true
			})
			if err != nil || ok && at != len(texts) {
				t.Fatal(doc, err, at)
			}
			if ok {
				packed++
			}
			var read []surfaces.Name
			if ok, err = skimmed.Read(shard.Turn, doc, func(s surfaces.Name, _ []uint16) bool {
				read = append(read, s)
				return true
			}); err != nil || !ok {
				continue
			}
			for _, p := range texts {
				if slices.Contains(read, p.Surface) {
					continue
				}
				if left++; f.stands(p.Text) {
					t.Fatalf("%q stands in %q, which was left out", phrase, p.Text)
				}
			}
		}
		f.matcher.Release()
	}
	if found < 300 || packed < 100*v.Len(shard.Turn) || left < packed/20 {
		t.Errorf("%d texts have phrases, %d turns are packed, %d texts were left out", found, packed, left)
	}
}

// TestNearInPieces: words stand as close in texts that are packed as in the texts.
func TestNearInPieces(t *testing.T) {
	s := packedTexts(t)
	r := rand.New(rand.NewPCG(2, 9))
	some, all := 0, 0
	for range 150 {
		words := make([]string, 2+r.IntN(4))
		for i := range words {
			words[i] = invented(uint64(min(r.IntN(60), r.IntN(60))))
		}
		near := nearOf(t, s, strings.Join(words, " ")+[]string{"", "", " aB1", " 缓存", "*", " 1.2.3"}[r.IntN(6)])
		for _, c := range near.contenders(slices.Clone(near.q.turns.Kept())) {
			c.pairs.lanes = ^uint64(0)
			ok, err := near.readPieces(c)
			if err != nil {
				t.Fatal(err)
			}
			got := c.near
			c.near = 0
			if err := near.readTexts(c, c.pairs.lanes); err != nil {
				t.Fatal(err)
			}
			if all++; ok {
				some++
			}
			if ok && got != c.near {
				t.Fatalf("%q: %v, not %v", words, got, c.near)
			}
		}
		near.q.Close()
	}
	if some < all/2 || some == 0 {
		t.Errorf("%d turns of %d are packed", some, all)
	}
}
