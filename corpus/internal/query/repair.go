package query

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hansard-search/hansard/corpus/internal/published"
	"github.com/hansard-search/hansard/corpus/internal/terms"
	"github.com/hansard-search/hansard/surfaces"
)

// repairBytes is how long a word must be to be taken for a misspelling of
// another: shorter ones are near too many.
const repairBytes = 4

// repairWords is how many of a question's words that stand nowhere are looked for as
// misspellings. Each takes milliseconds of a large corpus; more than a few are no
// slips of a typist but a pasted log.
const repairWords = 20

// halfBytes is how long each of the two words must be that a word is read as.
const halfBytes = 3

// hashDigits is how few digits of a commit's hash are taken for one: what git
// abbreviates it to, unless told otherwise.
const hashDigits = 7

// repair replaces a word that stands nowhere by the nearest one that does, by the
// two it is made of, the hash of a commit by the same with more or fewer digits.
func (pl *Plan) repair(i int) error {
	w := &pl.Words[i]
	texts, err := pl.stands(w.Groups[0].Keys[0])
	if err != nil || texts > 0 || w.date || w.whole || w.Minor {
		return err
	}
	var r replacement
	if pl.clauses[w.clause].Kind == Plain && len(pl.absent)+len(pl.Repaired) < repairWords {
		if r, err = pl.instead(w); err != nil {
			return err
		}
	}
	if r.words == nil {
		pl.absent = append(pl.absent, *w)
		return nil
	}
	pl.replace(i, r)
	return nil
}

// nameUnknown names the words that stand nowhere, once those of all clauses are
// known: by the clause where none of its words stands, as of a run of
// ideographs or a path, without the signs of a sentence around it.
func (pl *Plan) nameUnknown() {
	words := make([]int, len(pl.clauses)) // that count, by clause
	for j := range pl.Words {
		if w := &pl.Words[j]; w.clause >= 0 && !w.whole && !w.Minor {
			words[w.clause]++
		}
	}
	for i := 0; i < len(pl.absent); {
		c, n := pl.absent[i].clause, 0
		for ; i+n < len(pl.absent) && pl.absent[i+n].clause == c; n++ {
		}
		if n == words[c] {
			pl.Unknown = append(pl.Unknown, strings.Trim(pl.clauses[c].Text, signs))
		} else {
			for _, w := range pl.absent[i : i+n] {
				pl.Unknown = append(pl.Unknown, w.Text)
			}
		}
		i += n
	}
}

// signs are those that stand around the words of a sentence.
const signs = "()[]{}<>,.;:!?'\"`"

// A replacement is what a word that stands nowhere is read as.
type replacement struct {
	shown string
	words [][]Group // what is looked for, by word
	minor bool      // it is a function word
}

// readAs is a replacement by words that have a key each.
func readAs(shown string, keys ...string) replacement {
	r := replacement{shown: shown}
	for _, key := range keys {
		r.words = append(r.words, []Group{{1, []string{key}}})
	}
	return r
}

// replace puts what it is read as in the place of a word.
func (pl *Plan) replace(i int, r replacement) {
	old := pl.Words[i]
	alike := make([][]string, len(r.words))
	for n, groups := range r.words {
		w := old
		w.Groups, alike[n] = groups, groups[0].Keys
		w.Minor = r.minor
		if n > 0 {
			pl.Words = slices.Insert(pl.Words, i+n, w)
		} else {
			pl.Words[i] = w
		}
	}
	pl.Repaired[old.Text] = r.shown
	if pl.replaced == nil {
		pl.replaced = map[string][][]string{}
	}
	pl.replaced[old.Groups[0].Keys[0]] = alike
}

// instead finds what to read for a word; without words when there is nothing.
func (pl *Plan) instead(w *Word) (r replacement, err error) {
	form := formOf(pl.analyzer, w.Text)
	if isHash(form) && w.Text == pl.clauses[w.clause].Text { // not a part of an id
		return pl.abbreviated(form)
	}
	if len(form) < repairBytes || !isLetters(form) {
		return replacement{}, nil
	}
	if r, err = pl.nearest(form, 1); err != nil || r.words != nil {
		return r, err
	}
	if r, err = pl.halves(form); err != nil || r.words != nil || nearDistance(form) == 1 {
		return r, err
	}
	return pl.nearest(form, 2)
}

// stands counts the texts that have the key, in any surface.
func (pl *Plan) stands(key string) (texts int, err error) {
	for _, v := range pl.snap.Views {
		for _, name := range surfaces.All() {
			p, ok, err := v.Postings(name.Name, key)
			if err != nil {
				return 0, published.Damage(v.Name, err)
			}
			if ok {
				texts += p.Len()
			}
		}
	}
	return texts, nil
}

// halves are the two words that a form is made of, as webhook is where everybody
// writes web hook: those of which the rarer one stands in most texts.
func (pl *Plan) halves(form string) (best replacement, err error) {
	most := 0
	for i := halfBytes; i+halfBytes <= len(form); i++ {
		if !utf8.RuneStart(form[i]) {
			continue
		}
		halves := [2]string{form[:i], form[i:]}
		keys, texts := make([]string, 0, 2), math.MaxInt
		for _, half := range halves {
			tokens := pl.analyzer.Tokens(half)
			if len(tokens) != 1 || tokens[0].Stop {
				texts = 0
				break
			}
			n, err := pl.stands(tokens[0].Term)
			if err != nil {
				return best, err
			}
			keys, texts = append(keys, tokens[0].Term), min(texts, n)
		}
		if texts > most {
			best, most = readAs(halves[0]+" "+halves[1], keys...), texts
		}
	}
	return best, nil
}

// abbreviated is the key of the same hash, as of a commit, with more digits or,
// where there is none, with fewer: what one text abbreviates another spells out.
func (pl *Plan) abbreviated(form string) (replacement, error) {
	found, err := pl.candidates(prefixes([]string{form}))
	if err != nil {
		return replacement{}, err
	}
	if longer := mostFirst(found); len(longer) > 0 {
		form, _ := terms.Form(longer[0].key)
		return readAs(form, longer[0].key), nil
	}
	for n := len(form) - 1; n >= hashDigits; n-- {
		texts, err := pl.stands(form[:n])
		if err != nil || texts > 0 {
			return readAs(form[:n], form[:n]), err
		}
	}
	return replacement{}, nil
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
