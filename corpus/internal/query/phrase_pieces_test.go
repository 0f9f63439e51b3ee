package query

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/hansard-search/hansard/corpus/internal/shard"
	"github.com/hansard-search/hansard/corpus/internal/terms"
	"github.com/hansard-search/hansard/surfaces"
)

// packedTexts makes a shard of turns with texts that are packed as words, most of
// them, and has what divides words in many ways.
func packedTexts(t *testing.T, r *rand.Rand) *shard.Reader {
	between := []string{" ", " ", " ", " ", " ", " ", " ", " ", ", ", ". ", "\n", "\n\n", "-", "_", ".", "/", "'", "’", " (", "\" ", " é", " 缓存", "缓", "+", "++ ", "# ", "=", " — ", " aB1", " 1.2.3 ",
		" v2.0", strings.Repeat("aB1", 30)}
	endings := []string{"s", "ing", "ed", "Get", "7", "ération"}
	text := func(n int) string {
		var s strings.Builder
		for range n {
			word := syllable(min(r.IntN(60), r.IntN(60)))
			switch r.IntN(12) {
			case 0:
				word = strings.ToUpper(word)
			case 1:
				word = strings.ToUpper(word[:1]) + word[1:]
			case 2:
				word += endings[r.IntN(len(endings))]
			case 3:
				word = fmt.Sprintf("x%d", r.IntN(1e6))
			}
			s.WriteString(word + between[r.IntN(len(between))])
		}
		return s.String()
	}
	var docs []shard.Doc
	for turn := range 600 {
		docs = append(docs, shard.Doc{Kind: shard.Turn, Key: fmt.Sprintf("t%d", turn), Session: fmt.Sprintf("s%d", r.IntN(50)), Passages: []shard.Passage{
			{Surface: surfaces.UserPrompt, Text: text(1 + r.IntN(20))},
			{Surface: surfaces.AssistantSummary, Text: text(1 + r.IntN(120))},
		}})
	}
	b, err := shard.Build(slices.Values(docs))
	if err != nil {
		t.Fatal(err)
	}
	v, err := shard.OpenBytes(b)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// syllable is the n-th of sixty short words.
func syllable(n int) string { return string([]byte{"bdfgklmnprst"[n%12], "aeiou"[n/12]}) }

// TestPhrasesInPieces: a phrase stands in a text that is packed where it stands in
// the text, and in none that is only skimmed.
func TestPhrasesInPieces(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 9))
	v := packedTexts(t, r)
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
		pl := &Plan{analyzer: a}
		pl.demandWords(&d, []Kind{Phrase, Plain}[n%2], a.Tokens(phrase))
		if len(d.phrase) == 0 {
			continue
		}
		f := newPhraseFinder(&d, a)
		var pools Texts
		pieces, skimmed := pools.Pieces(v, f.matcher, shard.Asked{}), pools.Pieces(v, f.matcher, f.asked())
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
