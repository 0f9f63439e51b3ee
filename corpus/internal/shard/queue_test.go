package shard

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/hansard-search/hansard/surfaces"
)

// words is a Vocabulary in which number n means the word n-1.
type words []string

func (w *words) Term(number uint32) string {
	if number == 0 || int(number) > len(*w) {
		return ""
	}
	return (*w)[number-1]
}

// numberedDocs are documents twice: by texts of terms, and by numbers, of which the
// vocabulary becomes another every so many documents.
func numberedDocs(docs, terms, renewed int) (texts, numbers []Doc) {
	rnd := rand.New(rand.NewPCG(1, 2))
	var v *words
	for i := range docs {
		if i%renewed == 0 {
			v = new(words)
			for _, n := range rnd.Perm(5000) {
				*v = append(*v, fmt.Sprintf("w%d", n))
			}
		}
		f := Field{Surface: surfaces.UserPrompt, Length: uint32(terms), Code: 1}
		g := f
		g.Vocabulary = v
		for _, n := range rnd.Perm(terms) {
			number := uint32(1 + n*n*4999/(terms*terms) + n%2)
			if slices.ContainsFunc(g.Counts, func(c Count) bool { return c.Number == number }) {
				continue
			}
			count := uint32(1 + rnd.IntN(2)*rnd.IntN(400))
			f.Terms = append(f.Terms, Term{v.Term(number), count})
			g.Counts = append(g.Counts, Count{number, count})
		}
		texts = append(texts, Doc{Key: fmt.Sprint(i), Session: "s", Fields: []Field{f}})
		numbers = append(numbers, Doc{Key: fmt.Sprint(i), Session: "s", Fields: []Field{g}})
	}
	return texts, numbers
}

func TestNumbersEqualTexts(t *testing.T) {
	for _, c := range []struct{ docs, terms, renewed int }{
		{1, 10, 1}, {7, 30, 3}, {30, 500, 4}, {60, 500, 21}, {3 * maxWaiting / 200, 250, 1 << 30}, {2 * maxWaiting / 200, 250, 1000},
	} {
		texts, numbers := numberedDocs(c.docs, c.terms, c.renewed)
		for i := range numbers { // some by text, among the others
			if i%97 == 96 {
				numbers[i] = texts[i]
			}
		}
		want, err := Build(slices.Values(texts))
		if err != nil {
			t.Fatal(err)
		}
		got, err := Build(slices.Values(numbers))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%+v: terms by number make another shard than by text", c)
		}
		r, err := OpenBytes(got)
		if err != nil {
			t.Fatal(err)
		}
		equalDump(t, r, model(texts))
	}
}

func TestWrongNumbers(t *testing.T) {
	v := &words{"a", "b"}
	many := func(n uint32) (docs []Doc) {
		for i := range fewWaiting {
			docs = append(docs, Doc{Key: fmt.Sprint(i), Session: "s", Fields: []Field{{
				Surface: surfaces.UserPrompt, Length: 2, Vocabulary: v, Counts: []Count{{1, 1}, {n, 1}}}}})
		}
		return docs
	}
	for name, docs := range map[string][]Doc{
		"twice": many(1)[:1], "twice among many": many(1), "unknown": many(3)[:1], "unknown among many": many(3),
		"none": many(0)[:1], "too large": many(maxNumber + 1)[:1],
	} {
		if _, err := Build(slices.Values(docs)); !errors.Is(err, ErrDocument) || !strings.Contains(err.Error(), "term") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
