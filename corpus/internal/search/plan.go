package search

import (
	"slices"

	"github.com/hansard-search/hansard/corpus/internal/rank"
	"github.com/hansard-search/hansard/corpus/internal/terms"
	"github.com/hansard-search/hansard/surfaces"
)

// A word is what a query asks for as one: its score is one summand.
type word struct {
	text   string  // as typed
	clause int     // number of the clause it is of; -1: of none (a date)
	pos    int     // place in its clause
	weight float64 // idf times what its kind counts
	minor  bool    // adds to what matches otherwise, matches nothing itself
	whole  bool    // an identifier of which the parts are words too
	date   bool    // spells a date, so that nobody has to have used it
	groups []group
	days   []string // of a date: days as the facet spells them, or patterns of several
	docs   int      // live turns that have it
}

// A group is keys of the dictionary that count as one term.
type group struct {
	share float64 // of the word's weight
	keys  []string
}

// A plan is a query made ready for the shards.
type plan struct {
	clauses  []Clause
	words    []word
	total    float64 // weight of all words that count for coverage
	pairs    []rank.Pair
	searched surfaces.Set
	unknown  []string
	absent   []word // that stand nowhere and are read as no other
	repaired map[string]string
	replaced map[string][]string // keys that were repaired, and what by
	analyzer *terms.Analyzer
	lists    []list // room for those of the next view

	stood map[Clause]map[string]int // what standsFor answered
}

// newPlan reads the words of clauses. Weights, expansions and repairs
// need the dictionaries; see snapshot.weigh.
func newPlan(clauses []Clause, searched surfaces.Set, a *terms.Analyzer) *plan {
	pl := &plan{clauses: clauses, searched: searched, unknown: []string{}, repaired: map[string]string{}, analyzer: a}
	seen := map[string]bool{}
	for i, c := range clauses {
		if c.Not {
			continue
		}
		if c.expands() {
			pl.words = append(pl.words, word{text: c.Text, clause: i})
			continue
		}
		for _, t := range a.Tokens(c.Text) {
			if seen[t.Exact] {
				continue
			}
			seen[t.Exact] = true
			pl.words = append(pl.words, wordOf(t, c.Text, i))
		}
	}
	dates, used := dateWords(clauses)
	for i := range pl.words {
		pl.words[i].date = spellsDate(pl.words[i].text, used)
	}
	pl.words = append(pl.words, dates...)
	pl.minors()
	return pl
}

func wordOf(t terms.Token, text string, clause int) word {
	w := word{text: text[t.Start:t.End], clause: clause, pos: t.Pos, minor: t.Stop, whole: t.Kind == terms.Compound}
	if t.Exact == t.Term {
		w.groups = []group{{1, []string{t.Term}}}
	} else {
		w.groups = []group{{1 - rank.ExactShare, []string{t.Term}}, {rank.ExactShare, []string{t.Exact}}}
	}
	return w
}

// minors lets function words and dates match by themselves where the query has
// nothing else. The 8 of a date is then no word that a text has by itself; the
// whole date is.
func (pl *plan) minors() {
	if slices.ContainsFunc(pl.words, func(w word) bool { return !w.minor && !w.date }) {
		return
	}
	dates := slices.ContainsFunc(pl.words, func(w word) bool { return w.days != nil })
	for i := range pl.words {
		w := &pl.words[i]
		w.minor = dates && w.days == nil && !(w.date && len(dateTokens(w.text)) > 1)
	}
}

// weighed sets the words' weights from how many of all turns have them.
func (pl *plan) weighed(turns int) {
	pl.total = 0
	for i := range pl.words {
		w := &pl.words[i]
		w.weight = rank.IDF(w.docs, turns)
		switch {
		case w.days != nil:
			w.weight *= rank.DateShare
		case w.minor, w.date: // what a date is worth its days are
			w.weight *= rank.StopShare
		}
		pl.total += w.weight
	}
	pl.pair()
}

// pair finds the words that stand side by side in the query, function words
// left out. A pair begins with the word that the one before it ends with.
func (pl *plan) pair() {
	pl.pairs = nil
	last := -1
	for i := range pl.words {
		w := &pl.words[i]
		if w.minor || w.whole || w.days != nil || len(w.groups) == 0 {
			continue
		}
		if last >= 0 {
			pl.pairs = append(pl.pairs, rank.Pair{First: last, Second: i, Weight: min(pl.words[last].weight, w.weight)})
		}
		last = i
	}
}

// nowhere reports whether a query of one word has one that no turn has as it is
// spelled; a date's turns need not spell it.
func (pl *plan) nowhere() bool {
	return len(pl.repaired) > 0 || len(pl.words) > 0 && pl.words[0].docs == 0 && !pl.words[0].date
}
