package query

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/hansard-search/hansard/corpus/internal/terms"
)

// TestPhraseOfRepeatedWords: a phrase stands where its words do, side by side, also
// when some of them are the same.
func TestPhraseOfRepeatedWords(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	some := func(n int) []string {
		words := make([]string, n)
		for i := range words {
			words[i] = []string{"walrus", "heron", "otter"}[r.IntN(3)]
		}
		return words
	}
	a := new(terms.Analyzer)
	pl := &Plan{analyzer: a}
	stood := 0
	for range 3000 {
		text, phrase := some(1+r.IntN(40)), some(1+r.IntN(6))
		want := false
		for i := 0; i+len(phrase) <= len(text); i++ {
			want = want || slices.Equal(text[i:i+len(phrase)], phrase)
		}
		var d demand
		pl.demandWords(&d, Phrase, a.Tokens(strings.Join(phrase, " ")))
		if got := newPhraseFinder(&d, a).stands(strings.Join(text, " ")); got != want {
			t.Fatalf("%q in %q: %v", phrase, text, got)
		}
		if want {
			stood++
		}
	}
	if stood < 100 || stood > 2900 {
		t.Errorf("%d of 3000 stood", stood)
	}
}

// TestLongPhrase: one word fifty times over costs no more than other phrases do; each
// with each it was hours.
func TestLongPhrase(t *testing.T) {
	a := new(terms.Analyzer)
	var d demand
	(&Plan{analyzer: a}).demandWords(&d, Phrase, a.Tokens(strings.Repeat("the ", 50)))
	if newPhraseFinder(&d, a).stands(strings.Repeat("over the hill and the sea ", 5000)) {
		t.Error("it stands")
	}
}
