package search

import (
	"github.com/hansard-search/hansard/corpus/internal/query"
	"github.com/hansard-search/hansard/corpus/internal/terms"
)

// A textReader finds the query's words in stored text. It is for one goroutine.
type textReader struct {
	matcher *terms.Matcher
	word    []int     // by target
	weight  []float64 // by word
	words   int       // that it looks for
	others  []*terms.Matcher
}

// newTextReader makes a reader of the plan's words, once their weights are known.
func newTextReader(pl *query.Plan) *textReader {
	t := &textReader{weight: make([]float64, len(pl.Words))}
	all := make([]int, len(pl.Words))
	for i := range pl.Words {
		all[i] = i
		t.weight[i] = pl.Words[i].Weight
		if len(pl.Words[i].Groups) > 0 {
			t.words++
		}
	}
	t.matcher, t.word = pl.Matcher(all)
	return t
}

// Matcher returns what finds the question's words in texts, until the search is
// closed: word says which of them a target is of, weight what each is worth. It is nil
// where none were looked for.
func (q *Search) Matcher() (m *terms.Matcher, word []int, weight []float64) {
	if q.text == nil {
		return nil, nil, nil
	}
	return q.text.matcher, q.text.word, q.text.weight
}

// of makes a matcher of some of the words, as plan.matcher does.
func (t *textReader) of(pl *query.Plan, words []int) (m *terms.Matcher, word []int) {
	if len(words) == t.words {
		return t.matcher, t.word
	}
	m, word = pl.Matcher(words)
	t.others = append(t.others, m)
	return m, word
}

// release gives back what the next query's matchers are made of.
func (t *textReader) release() {
	if t != nil {
		t.matcher.Release()
		for _, m := range t.others {
			m.Release()
		}
	}
}
