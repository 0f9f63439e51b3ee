package query

import (
	"cmp"
	"slices"
	"strings"

	"github.com/hansard-search/hansard/corpus/internal/terms"
)

// nearMost is how many words a misspelling is read as where that many are as near:
// which one was meant the other words of the question tell, if anything.
const nearMost = 3

// nearest are the most common words at a distance from a form: of those with the same
// first letter, if there are any. They are looked for as if they had been typed, in any
// form. If the most common is a function word, it is that alone: most of what is typed
// are such words, and one of another kind would count much. With a letter wrong in each
// question of the dialogues, hit@1 is 76.2 by one form, 78.0 so where it is in a function
// word, and 76.9 and 77.7 where it is in another.
func (pl *Plan) nearest(form string, distance int) (r replacement, err error) {
	ms, err := fuzzies(form, distance)
	if err != nil {
		return r, nil
	}
	found, err := pl.candidates(ms)
	if err != nil {
		return r, err
	}
	list := slices.DeleteFunc(mostFirst(found), func(c candidate) bool {
		near, _ := terms.Form(c.key)
		return len(near) < repairBytes-1 || !isLetters(near)
	})
	slices.SortStableFunc(list, func(a, b candidate) int {
		return cmp.Compare(otherStart(a.key, form), otherStart(b.key, form))
	})
	var stems, forms, shown []string // the first two are keys
	for _, c := range list {
		if len(stems) == nearMost || otherStart(c.key, form) > otherStart(list[0].key, form) {
			break
		}
		near, stem, stop := pl.nearWord(c.key)
		if stop && len(stems) > 0 {
			continue
		}
		if !slices.Contains(stems, stem) { // one form of each, so that a text has no more of them than of the stems
			stems, forms, shown = append(stems, stem), append(forms, c.key), append(shown, near)
		}
		if r.minor = stop; stop {
			break
		}
	}
	if len(stems) > 0 {
		r.shown, r.words = strings.Join(shown, " or "), [][]Group{anyOf(stems, forms)}
	}
	return r, nil
}

// nearWord is the form of which a key is, the key of all its forms, and whether it is a
// function word.
func (pl *Plan) nearWord(key string) (form, stem string, stop bool) {
	form, marked := terms.Form(key)
	stem = key
	if tokens := pl.analyzer.Tokens(form); len(tokens) == 1 {
		stop = tokens[0].Stop
		if marked {
			stem = tokens[0].Term
		}
	}
	return form, stem, stop
}

func otherStart(key, form string) int {
	if near, _ := terms.Form(key); near != "" && near[0] == form[0] {
		return 0
	}
	return 1
}
