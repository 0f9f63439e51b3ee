package corpus

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hansard-search/hansard/surfaces"
)

// scope says what an answer was looked for in, and for an empty one what could
// be left out of the question.
func (a *ask) scope(empty bool) (*Scope, error) {
	s, unknown := a.snap, a.search.Unknown()
	if a.named {
		unknown = []string{}
	}
	sc := &Scope{
		Preset: a.corpus.Name, Surfaces: a.kept.Names(), Filters: a.filter.describe(),
		RemovedByFilters: a.search.Other, UnknownWords: unknown, Repaired: a.search.Repaired(),
		IndexedAt: fromMillis(s.Manifest.IndexedAt), Refresh: "skipped",
	}
	sc.Turns, sc.Sessions = liveCounts(s.Manifest)
	sc.Damaged = s.Lacks()
	switch {
	case empty && sc.Turns == 0:
		sc.Loosen = []string{a.naming("hansard status") + ", which says where transcripts are looked for: nothing is indexed yet"}
	case empty:
		sc.Loosen = a.loosen()
	}
	return sc, nil
}

// describe spells the filters that are set as answers print them.
func (f Filter) describe() map[string]any {
	out := map[string]any{}
	for _, key := range filterKeys() {
		if one := f.text(key); one != nil && *one != "" {
			out[key] = *one
		}
	}
	if f.Lane != "" {
		out["lane"] = f.Lane
	}
	if len(f.Projects) > 0 {
		out["project"] = f.Projects
	}
	if len(f.Exclude) > 0 {
		out["exclude"] = f.Exclude
	}
	for _, c := range f.Without {
		values, _ := out["-"+c.Key].([]string)
		out["-"+c.Key] = append(values, c.Value)
	}
	if !f.After.IsZero() {
		out["after"] = Time{f.After}
	}
	if !f.Before.IsZero() {
		out["before"] = Time{f.Before}
	}
	if len(f.Surfaces) > 0 {
		out["surface"] = f.Surfaces
	}
	return out
}

// loosen lists what an empty answer could be asked without, most promising first.
func (a *ask) loosen() []string {
	hints := a.unkept()
	if !a.query.Regexp && !a.parsed.lists() && !a.search.HasWords() {
		hints = append(hints, "letters or digits: there are none in it, and signs alone are found by --regexp")
	}
	if n := a.search.Other; n > 0 {
		var keys []string
		for key := range a.filter.describe() {
			keys = append(keys, key)
		}
		slices.Sort(keys)
		hints = append(hints, fmt.Sprintf("without %s: %d match", strings.Join(keys, ", "), n))
	}
	var must, quoted []string
	for _, c := range a.parsed.Clauses {
		switch {
		case c.Kind == Phrase && !c.Not:
			quoted = append(quoted, quote(c.Text))
		case c.Must:
			must = append(must, "+"+c.Text)
		}
	}
	if len(quoted) > 0 {
		hints = append(hints, "without the quotation marks of "+some(quoted)+": any of the words may match then")
	}
	if len(must) > 0 {
		hints = append(hints, "without the + of "+some(must))
	}
	if len(a.search.Unknown()) > 0 {
		hints = append(hints, "other words than "+some(a.search.Unknown())+": nobody used them")
	}
	if a.query.Regexp {
		hints = append(hints, "a wider expression, (?i) for capitals and small letters alike")
	}
	return hints
}

// some names the first of several words: somebody may have pasted a file.
func some(words []string) string {
	const most = 8
	if len(words) > most {
		return strings.Join(words[:most], ", ") + fmt.Sprintf(" and %d more", len(words)-most)
	}
	return strings.Join(words, ", ")
}

// unkept says of each surface that was asked for and that the corpus does not
// keep how it is added.
func (a *ask) unkept() (hints []string) {
	for _, name := range a.filter.Surfaces {
		f, _ := surfaces.Lookup(name)
		if f.Include == "" || a.kept.Has(name) {
			continue
		}
		add := a.naming("hansard index --include " + f.Include)
		hints = append(hints, fmt.Sprintf("%s, which this index does not keep, to be added by: %s", name, add))
	}
	return hints
}

// naming is a command with the name of the corpus, where it is not the usual one.
func (a *ask) naming(command string) string {
	if p := a.corpus.Name; p != "" && p != "sessions" {
		command += " --preset " + p
	}
	return command
}
