package query

import "github.com/hansard-search/hansard/corpus/internal/terms"

// Matcher makes a matcher of words, given by their numbers; word says which of
// them a target is of.
func (pl *Plan) Matcher(words []int) (m *terms.Matcher, word []int) {
	var targets []terms.Target
	for _, i := range words {
		w := &pl.Words[i]
		if len(w.Groups) == 0 {
			continue
		}
		exact := w.Groups[len(w.Groups)-1].Keys[0]
		for _, key := range w.Groups[0].Keys {
			target := terms.Target{Term: key, Exact: exact}
			if w.AnyForm() {
				form, _ := terms.Form(key)
				target = terms.Target{Term: form, Prefix: true}
			}
			targets = append(targets, target)
			word = append(word, i)
		}
	}
	return terms.NewMatcher(pl.analyzer, targets), word
}

// AnyForm reports whether a text is said to have the word when it has one that
// begins with one of its keys: they are forms, of which a text may have others.
func (w *Word) AnyForm() bool {
	if len(w.Groups) == 0 {
		return false
	}
	_, marked := terms.Form(w.Groups[0].Keys[0])
	return marked || len(w.Groups[0].Keys) > 1
}
