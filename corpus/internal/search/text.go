package search

import "github.com/hansard-search/hansard/corpus/internal/terms"

// A textReader finds the query's words in stored text. It is for one goroutine.
type textReader struct {
	matcher *terms.Matcher
	word    []int     // by target
	weight  []float64 // by word
	words   int       // that it looks for
	others  []*terms.Matcher
}

// textReader makes a reader of the plan's words, once their weights are known.
func (pl *plan) textReader() *textReader {
	t := &textReader{weight: make([]float64, len(pl.words))}
	all := make([]int, len(pl.words))
	for i := range pl.words {
		all[i] = i
		t.weight[i] = pl.words[i].weight
		if len(pl.words[i].groups) > 0 {
			t.words++
		}
	}
	t.matcher, t.word = pl.matcher(all)
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
func (t *textReader) of(pl *plan, words []int) (m *terms.Matcher, word []int) {
	if len(words) == t.words {
		return t.matcher, t.word
	}
	m, word = pl.matcher(words)
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

// matcher makes a matcher of words, given by their numbers; word says which of
// them a target is of.
func (pl *plan) matcher(words []int) (m *terms.Matcher, word []int) {
	var targets []terms.Target
	for _, i := range words {
		w := &pl.words[i]
		if len(w.groups) == 0 {
			continue
		}
		exact := w.groups[len(w.groups)-1].keys[0]
		for _, key := range w.groups[0].keys {
			target := terms.Target{Term: key, Exact: exact}
			if w.anyForm() {
				form, _ := terms.Form(key)
				target = terms.Target{Term: form, Prefix: true}
			}
			targets = append(targets, target)
			word = append(word, i)
		}
	}
	return terms.NewMatcher(pl.analyzer, targets), word
}

// anyForm reports whether a text is said to have the word when it has one that
// begins with one of its keys: they are forms, of which a text may have others.
func (w *word) anyForm() bool {
	if len(w.groups) == 0 {
		return false
	}
	_, marked := terms.Form(w.groups[0].keys[0])
	return marked || len(w.groups[0].keys) > 1
}
