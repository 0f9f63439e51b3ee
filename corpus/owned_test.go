package corpus

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hansard-search/hansard/sources"
)

// TestAnswerOwnsItsTexts: what is asked later does not change it.
func TestAnswerOwnsItsTexts(t *testing.T) {
	b := newBench(t)
	for n := range 40 {
		b.src.AppendRecords(fmt.Sprintf("s%d", n), sources.Record{ID: fmt.Sprintf("t%d", n), Time: began,
			Prompt: fmt.Sprintf("grind %d ginger %d", n%3, n), Answer: strings.Repeat(fmt.Sprintf("cardamom %d ", n), n*n%400)})
	}
	b.sync()
	c := b.open()
	var answers []*Answer
	var before []string
	for n := range 60 {
		for _, g := range []Group{ByTurn, BySession} {
			a := ask1(t, c, Query{Text: fmt.Sprintf("grind ginger cardamom %d", n%40), Group: g, Limit: 1 + n%12, Explain: n%2 == 0})
			answers, before = append(answers, a), append(before, asJSON(t, a))
		}
	}
	for i, a := range answers {
		if got := asJSON(t, a); got != before[i] {
			t.Fatalf("answer %d became %s, was %s", i, got, before[i])
		}
	}
}
