package query

import (
	"cmp"
	"slices"
	"unicode/utf8"

	"github.com/hansard-search/hansard/corpus/internal/published"
	"github.com/hansard-search/hansard/corpus/internal/shard"
	"github.com/hansard-search/hansard/corpus/internal/terms"
)

// expansions is the most words that pref* or word~ may stand for, those with
// most turns first: more of them are no longer one thing that somebody means.
const expansions = 128

// nearDistance is how many letters a misspelling may differ by.
func nearDistance(form string) int {
	if utf8.RuneCountInString(form) >= 8 {
		return 2
	}
	return 1
}

// Expand finds the keys of clauses that stand for several words, and repairs words
// that no document has; known reports those of which it is known that one has them.
func (pl *Plan) Expand(known func(w *Word) bool) error {
	for i := 0; i < len(pl.Words); i++ { // a repair may make two words of one
		w := &pl.Words[i]
		var err error
		switch {
		case w.clause < 0:
		case pl.clauses[w.clause].expands():
			err = pl.expandWord(w)
		case !known(w):
			err = pl.repair(i)
		}
		if err != nil {
			return err
		}
	}
	pl.nameUnknown()
	pl.minors() // all words of the question may have been read as function words
	return nil
}

// formOf is the folded form of the first word of a text.
func formOf(a *terms.Analyzer, text string) string {
	for _, t := range a.Tokens(text) {
		form, _ := terms.Form(t.Exact)
		return form
	}
	return ""
}

func prefixes(keys []string) []*shard.Matcher {
	var ms []*shard.Matcher
	for _, k := range keys {
		ms = append(ms, shard.Prefix(k))
	}
	return ms
}

// fuzzies matches the forms near one, bare and marked.
func fuzzies(form string, distance int) ([]*shard.Matcher, error) {
	bare, err := shard.Fuzzy(form, distance)
	if err != nil {
		return nil, err
	}
	marked, err := shard.Fuzzy(string(terms.ExactMark)+form, distance)
	if err != nil {
		return nil, err
	}
	return []*shard.Matcher{bare, marked}, nil
}

// A candidate is a key with the number of documents that hold it.
type candidate struct {
	key  string
	docs int
}

// candidates collects the keys that any of ms wants, over the searched surfaces
// of all views.
func (pl *Plan) candidates(ms []*shard.Matcher) (map[string]int, error) {
	found := map[string]int{}
	for _, v := range pl.snap.Views {
		for _, name := range pl.searched.Names() {
			for _, m := range ms {
				err := v.Match(name, m, func(term string, docs int) bool {
					found[term] += docs
					return true
				})
				if err != nil {
					return nil, published.Damage(v.Name, err)
				}
			}
		}
	}
	return found, nil
}

func mostFirst(found map[string]int) []candidate {
	list := make([]candidate, 0, len(found))
	for k, n := range found {
		list = append(list, candidate{k, n})
	}
	slices.SortFunc(list, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.docs, a.docs), cmp.Compare(a.key, b.key))
	})
	return list
}

// expandWord gives a word the commonest of the keys that its clause stands for.
func (pl *Plan) expandWord(w *Word) error {
	found, err := pl.standsFor(pl.clauses[w.clause])
	if err != nil || len(found) == 0 {
		return err
	}
	g := Group{Share: 1}
	list := mostFirst(found)
	for _, c := range list[:min(len(list), expansions)] {
		g.Keys = append(g.Keys, c.key)
	}
	slices.Sort(g.Keys)
	w.Groups = []Group{g}
	return nil
}

// standsFor are the keys that pref* or word~ stands for, with the number of
// documents that hold each. A clause that has to match is asked for twice.
func (pl *Plan) standsFor(c Clause) (found map[string]int, err error) {
	if found, ok := pl.stood[c]; ok {
		return found, nil
	}
	if c.Kind == Prefix {
		found, err = pl.candidates(prefixes(pl.analyzer.Prefix(c.Text)))
	} else {
		found, err = pl.nearTo(formOf(pl.analyzer, c.Text))
	}
	if err != nil {
		return nil, err
	}
	if pl.stood == nil {
		pl.stood = map[Clause]map[string]int{}
	}
	pl.stood[c] = found
	return found, nil
}

// nearTo are the keys of a form and of those nearly so.
func (pl *Plan) nearTo(form string) (map[string]int, error) {
	if form == "" {
		return nil, nil
	}
	ms, err := fuzzies(form, nearDistance(form))
	if err != nil {
		return map[string]int{form: 0}, nil // too long for an automaton: as it is
	}
	return pl.candidates(ms)
}
