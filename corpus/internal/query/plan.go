package query

import (
	"slices"

	"github.com/hansard-search/hansard/corpus/internal/published"
	"github.com/hansard-search/hansard/corpus/internal/rank"
	"github.com/hansard-search/hansard/corpus/internal/terms"
	"github.com/hansard-search/hansard/surfaces"
)

// A Word is what a question asks for as one: its score is one summand.
type Word struct {
	Text   string   // as typed
	Weight float64  // idf times what its kind counts; set by Plan.Weigh
	Minor  bool     // adds to what matches otherwise, matches nothing itself
	Groups []Group  // none for a word that nothing is like, and for a date
	Days   []string // of a date, else nil: see OnDay
	Docs   int      // live turns that have it; set by whoever counts them, for Plan.Weigh

	clause int  // number of the clause it is of; -1: of none (a date)
	whole  bool // an identifier of which the parts are words too
	date   bool // spells a date, so that nobody has to have used it
}

// A Group is keys of the dictionaries that count as one term.
type Group struct {
	Share float64 // of the word's weight
	Keys  []string
}

// A Plan is a question made ready for the shards of a snapshot. It is for one
// goroutine.
type Plan struct {
	Words    []Word            // in the order in which scores are added up
	Total    float64           // weight of all words that count for coverage
	Pairs    []rank.Pair       // words side by side, by their numbers
	Unknown  []string          // that stand nowhere and are read as no others; never nil
	Repaired map[string]string // that stand nowhere, and what each is read as; never nil

	snap     *published.Snapshot
	clauses  []Clause
	searched surfaces.Set
	analyzer *terms.Analyzer
	absent   []Word                    // that stand nowhere and are read as no other
	replaced map[string][][]string     // keys that were repaired, and what by
	stood    map[Clause]map[string]int // what standsFor answered
}

// New reads the words of clauses with an analyzer that is the plan's from there on.
// What they stand for is found by Expand, what they count by Weigh.
func New(s *published.Snapshot, clauses []Clause, searched surfaces.Set, a *terms.Analyzer) *Plan {
	pl := &Plan{snap: s, clauses: clauses, searched: searched, Unknown: []string{}, Repaired: map[string]string{}, analyzer: a}
	seen := map[string]bool{}
	for i, c := range clauses {
		if c.Not {
			continue
		}
		if c.expands() {
			pl.Words = append(pl.Words, Word{Text: c.Text, clause: i})
			continue
		}
		for _, t := range a.Tokens(c.Text) {
			if seen[t.Exact] {
				continue
			}
			seen[t.Exact] = true
			pl.Words = append(pl.Words, wordOf(t, c.Text, i))
		}
	}
	dates, used := dateWords(clauses)
	for i := range pl.Words {
		pl.Words[i].date = spellsDate(pl.Words[i].Text, used)
	}
	pl.Words = append(pl.Words, dates...)
	pl.minors()
	return pl
}

func wordOf(t terms.Token, text string, clause int) Word {
	return Word{Text: text[t.Start:t.End], clause: clause, Minor: t.Stop, whole: t.Kind == terms.Compound,
		Groups: anyOf([]string{t.Term}, []string{t.Exact})}
}

// anyOf are the groups of a word that is one of several, or the only one, by the keys of
// their stems and those of the forms that were asked for.
func anyOf(stems, forms []string) []Group {
	if slices.Equal(stems, forms) {
		return []Group{{1, stems}}
	}
	return []Group{{1 - rank.ExactShare, stems}, {rank.ExactShare, forms}}
}

// minors lets function words and dates match by themselves where the question has
// nothing else. The 8 of a date is then no word that a text has by itself; the
// whole date is.
func (pl *Plan) minors() {
	if slices.ContainsFunc(pl.Words, func(w Word) bool { return !w.Minor && !w.date }) {
		return
	}
	dates := slices.ContainsFunc(pl.Words, func(w Word) bool { return w.Days != nil })
	for i := range pl.Words {
		w := &pl.Words[i]
		w.Minor = dates && w.Days == nil && !(w.date && len(dateTokens(w.Text)) > 1)
	}
}

// Weigh sets the words' weights, and what stands side by side, from how many of all
// turns have each.
func (pl *Plan) Weigh(turns int) {
	pl.Total = 0
	for i := range pl.Words {
		w := &pl.Words[i]
		w.Weight = rank.IDF(w.Docs, turns)
		switch {
		case w.Days != nil:
			w.Weight *= rank.DateShare
		case w.Minor, w.date: // what a date is worth its days are
			w.Weight *= rank.StopShare
		}
		pl.Total += w.Weight
	}
	pl.pair()
}

// pair finds the words that stand side by side in the question, function words
// left out. A pair begins with the word that the one before it ends with.
func (pl *Plan) pair() {
	pl.Pairs = nil
	last := -1
	for i := range pl.Words {
		w := &pl.Words[i]
		if w.Minor || w.whole || w.Days != nil || len(w.Groups) == 0 {
			continue
		}
		if last >= 0 {
			pl.Pairs = append(pl.Pairs, rank.Pair{First: last, Second: i, Weight: min(pl.Words[last].Weight, w.Weight)})
		}
		last = i
	}
}

// Nowhere reports whether a question of one word has one that no turn has as it is
// spelled; a date's turns need not spell it.
func (pl *Plan) Nowhere() bool {
	return len(pl.Repaired) > 0 || len(pl.Words) > 0 && pl.Words[0].Docs == 0 && !pl.Words[0].date
}
