package corpus

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hansard-search/hansard/corpus/internal/shard"
	"github.com/hansard-search/hansard/corpus/internal/terms"
	"github.com/hansard-search/hansard/surfaces"
)

// expansions is the most words that pref* or word~ may stand for, those with
// most turns first: more of them are no longer one thing that somebody means.
const expansions = 128

// repairBytes is how long a word must be to be taken for a misspelling of
// another: shorter ones are near too many.
const repairBytes = 4

// hashDigits is how few digits of a commit's hash are taken for one: what git
// abbreviates it to, unless told otherwise.
const hashDigits = 7

// nearDistance is how many letters a misspelling may differ by.
func nearDistance(form string) int {
	if utf8.RuneCountInString(form) >= 8 {
		return 2
	}
	return 1
}

// expand finds the keys of clauses that stand for several words, and repairs
// words that no document has.
func (s *snapshot) expand(pl *plan) error {
	for i := range pl.words {
		w := &pl.words[i]
		var err error
		switch {
		case w.clause < 0:
		case pl.parsed.Clauses[w.clause].expands():
			err = s.expandWord(pl, w)
		default:
			err = s.repair(pl, w)
		}
		if err != nil {
			return err
		}
	}
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
func (s *snapshot) candidates(pl *plan, ms []*shard.Matcher) (map[string]int, error) {
	found := map[string]int{}
	for _, v := range s.views {
		for _, name := range pl.searched.Names() {
			for _, m := range ms {
				err := v.Match(name, m, func(term string, docs int) bool {
					found[term] += docs
					return true
				})
				if err != nil {
					return nil, damage(v.name, err)
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
func (s *snapshot) expandWord(pl *plan, w *word) error {
	found, err := s.standsFor(pl, pl.parsed.Clauses[w.clause])
	if err != nil || len(found) == 0 {
		return err
	}
	g := group{share: 1}
	list := mostFirst(found)
	for _, c := range list[:min(len(list), expansions)] {
		g.keys = append(g.keys, c.key)
	}
	slices.Sort(g.keys)
	w.groups = []group{g}
	return nil
}

// standsFor are the keys that pref* or word~ stands for, with the number of
// documents that hold each. A clause that has to match is asked for twice.
func (s *snapshot) standsFor(pl *plan, c Clause) (found map[string]int, err error) {
	if found, ok := pl.stood[c]; ok {
		return found, nil
	}
	if c.Kind == Prefix {
		found, err = s.candidates(pl, prefixes(pl.analyzer.Prefix(c.Text)))
	} else {
		found, err = s.nearTo(pl, formOf(pl.analyzer, c.Text))
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
func (s *snapshot) nearTo(pl *plan, form string) (map[string]int, error) {
	if form == "" {
		return nil, nil
	}
	ms, err := fuzzies(form, nearDistance(form))
	if err != nil {
		return map[string]int{form: 0}, nil // too long for an automaton: as it is
	}
	return s.candidates(pl, ms)
}

// repair replaces a word that stands nowhere by the nearest one that does, the
// hash of a commit by the same with more or fewer digits.
func (s *snapshot) repair(pl *plan, w *word) error {
	known, err := s.known(pl, w)
	if err != nil || known || w.date {
		return err
	}
	best := ""
	if !w.whole && !w.minor && pl.parsed.Clauses[w.clause].Kind == Word {
		if best, err = s.instead(pl, w); err != nil {
			return err
		}
	}
	if best == "" {
		if !w.whole && !w.minor {
			pl.unknown = append(pl.unknown, w.text)
		}
		return nil
	}
	shown, _ := terms.Form(best)
	pl.repaired[w.text] = shown
	pl.replaced = append(pl.replaced, [2]string{w.groups[0].keys[0], best})
	w.groups = []group{{1, []string{best}}}
	return nil
}

// instead is the key that is read for a word which stands nowhere; "" when
// there is none.
func (s *snapshot) instead(pl *plan, w *word) (string, error) {
	form := formOf(pl.analyzer, w.text)
	switch {
	case isHash(form) && w.text == pl.parsed.Clauses[w.clause].Text: // not a part of an id
		return s.abbreviated(pl, form)
	case len(form) >= repairBytes && isLetters(form):
		return s.nearest(pl, form)
	}
	return "", nil
}

// known reports whether any document has the word, in any surface.
func (s *snapshot) known(pl *plan, w *word) (bool, error) {
	if key, ok := w.key(pl.searched); ok {
		if b := s.words.get(key); b != nil && b.docs > 0 {
			return true, nil
		}
	}
	return s.stands(w.groups[0].keys[0])
}

// stands reports whether any document has the key, in any surface.
func (s *snapshot) stands(key string) (bool, error) {
	for _, v := range s.views {
		for _, name := range surfaces.All() {
			_, ok, err := v.Postings(name.Name, key)
			if err != nil {
				return false, damage(v.name, err)
			}
			if ok {
				return true, nil
			}
		}
	}
	return false, nil
}

// nearest is the key nearest to a form: at the least distance, then with the
// same first letter, then the most common, then the first; "" when none is near.
func (s *snapshot) nearest(pl *plan, form string) (string, error) {
	for distance := 1; distance <= nearDistance(form); distance++ {
		ms, err := fuzzies(form, distance)
		if err != nil {
			return "", nil
		}
		found, err := s.candidates(pl, ms)
		if err != nil {
			return "", err
		}
		list := mostFirst(found)
		slices.SortStableFunc(list, func(a, b candidate) int {
			return cmp.Compare(otherStart(a.key, form), otherStart(b.key, form))
		})
		for _, c := range list {
			if near, _ := terms.Form(c.key); len(near) >= repairBytes-1 && isLetters(near) {
				return c.key, nil
			}
		}
	}
	return "", nil
}

// abbreviated is the key of the same hash, as of a commit, with more digits or,
// where there is none, with fewer: what one text abbreviates another spells out.
func (s *snapshot) abbreviated(pl *plan, form string) (string, error) {
	found, err := s.candidates(pl, prefixes([]string{form}))
	if err != nil {
		return "", err
	}
	if longer := mostFirst(found); len(longer) > 0 {
		return longer[0].key, nil
	}
	for n := len(form) - 1; n >= hashDigits; n-- {
		known, err := s.stands(form[:n])
		if err != nil || known {
			return form[:n], err
		}
	}
	return "", nil
}

func otherStart(key, form string) int {
	if near, _ := terms.Form(key); near != "" && near[0] == form[0] {
		return 0
	}
	return 1
}

func isLetters(s string) bool {
	for _, r := range s {
		if !isWordRune(r) || r >= '0' && r <= '9' {
			return false
		}
	}
	return s != ""
}

// isHash reports whether a form may be a hash, whole or abbreviated: hexadecimal
// digits, neither a word nor a number.
func isHash(form string) bool {
	const letters, digits = "abcdef", "0123456789"
	return len(form) >= hashDigits && strings.Trim(form, letters+digits) == "" &&
		strings.ContainsAny(form, letters) && strings.ContainsAny(form, digits)
}
