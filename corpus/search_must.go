package corpus

import (
	"maps"
	"slices"

	"github.com/hansard-search/hansard/corpus/internal/postings"
	"github.com/hansard-search/hansard/corpus/internal/shard"
	"github.com/hansard-search/hansard/corpus/internal/terms"
	"github.com/hansard-search/hansard/surfaces"
)

// A demand is a clause that a document has to meet, or must not.
type demand struct {
	not    bool
	keys   [][]string     // of each list one key at least has to be there
	whole  string         // key that does instead of all: what the words are written as one; "" when there is none
	phrase []terms.Target // words that stand side by side; nil where they may be spread
	at     []int          // their places, from 0
	forms  bool           // any forms of them; false: those that were typed

	matcher *terms.Matcher // of the phrase
	reached map[int]int    // of the text at hand: place where the phrase would begin -> its words met, in order
}

// demands are the clauses of the plan that decide whether a document answers at
// all: +word, -word, and phrases, which were quoted because their very words
// count.
func (s *snapshot) demands(pl *plan) ([]demand, error) {
	var list []demand
	for _, c := range pl.parsed.Clauses {
		if !c.Must && !c.Not && c.Kind != Phrase {
			continue
		}
		d := demand{not: c.Not}
		switch c.Kind {
		case Prefix, Fuzzy:
			found, err := s.standsFor(pl, c)
			if err != nil {
				return nil, err
			}
			d.keys = [][]string{slices.Sorted(maps.Keys(found))}
		default:
			pl.demandWords(&d, c.Kind, pl.analyzer.Tokens(c.Text))
		}
		if len(d.keys) > 0 {
			list = append(list, d)
		}
	}
	return list, nil
}

// demandWords asks for the words of a clause, side by side where it has several:
// what was typed as one (dry-run, src/app) is not met by its pieces.
func (pl *plan) demandWords(d *demand, kind ClauseKind, tokens []terms.Token) {
	said := 0     // end of the last word whose parts say less than it does
	read := false // another word in place of one that stands nowhere
	for _, t := range tokens {
		switch {
		case t.Words > 1: // its parts say the same
			if kind == Word && len(d.keys) == 0 && t.End == tokens[len(tokens)-1].End {
				d.whole = t.Term
			}
			continue
		case t.Kind == terms.Part && t.End <= said:
			continue
		case t.Kind == terms.Compound: // sha256 is not any sha
			said = t.End
		}
		key := t.Term
		for _, r := range pl.replaced {
			if r[0] == key && kind == Word {
				key, read = r[1], true
			}
		}
		d.keys = append(d.keys, []string{key})
		d.phrase = append(d.phrase, terms.Target{Term: t.Term, Exact: t.Exact})
		d.at = append(d.at, t.Pos-tokens[0].Pos)
	}
	d.forms = kind == Word
	if len(d.keys) == 0 || kind == Word && (len(d.keys) == 1 || read) {
		d.phrase = nil
		return
	}
	d.matcher, d.reached = terms.NewMatcher(pl.analyzer, d.phrase), map[int]int{}
}

// meet narrows set, the documents of a kind that pass so far (nil: all that are
// live), to those that meet every demand in the given surfaces.
func (v *view) meet(k shard.Kind, set *postings.Set, demands []demand, searched []surfaces.Name) (*postings.Set, error) {
	for i := range demands {
		d := &demands[i]
		if set == nil {
			set = postings.AndNot(postings.Range(0, uint32(v.Len(k))), v.gone[k])
		}
		has, err := v.having(k, d, set, searched)
		if err != nil {
			return nil, err
		}
		if d.not {
			set = postings.AndNot(set, has)
		} else {
			set = postings.And(set, has)
		}
	}
	return set, nil
}

// having returns the documents of set that have what d asks for. Words side by
// side have to stand in one surface; other clauses may be spread.
func (v *view) having(k shard.Kind, d *demand, set *postings.Set, searched []surfaces.Name) (*postings.Set, error) {
	if d.phrase == nil {
		return v.withAll(d.keys, set, searched)
	}
	if d.whole == "" {
		return v.withPhrase(k, d, set, searched)
	}
	whole, err := v.withAll([][]string{{d.whole}}, set, searched)
	if err != nil {
		return nil, err
	}
	spelled, err := v.withPhrase(k, d, postings.AndNot(set, whole), searched)
	if err == nil {
		whole.Or(spelled)
	}
	return whole, err
}

// withAll returns the documents of set that have a key of each list.
func (v *view) withAll(keys [][]string, set *postings.Set, searched []surfaces.Name) (*postings.Set, error) {
	out := set
	for _, list := range keys {
		any := postings.New()
		for _, name := range searched {
			one, err := v.withAny(name, list)
			if err != nil {
				return nil, err
			}
			any.Or(one)
		}
		out = postings.And(out, any)
	}
	return out, nil
}

func (v *view) withAny(name surfaces.Name, keys []string) (*postings.Set, error) {
	any := postings.New()
	for _, key := range keys {
		p, ok, err := v.Postings(name, key)
		if err != nil {
			return nil, err
		}
		if ok {
			any.Or(p.Set())
		}
	}
	return any, nil
}

// withPhrase looks for the phrase in the stored text of documents that have all
// its words.
func (v *view) withPhrase(k shard.Kind, d *demand, set *postings.Set, searched []surfaces.Name) (*postings.Set, error) {
	out := postings.New()
	for _, name := range searched {
		could := set
		for _, keys := range d.keys {
			one, err := v.withAny(name, keys)
			if err != nil {
				return nil, err
			}
			could = postings.And(could, one)
		}
		for doc := range could.All() {
			if out.Contains(doc) {
				continue
			}
			err := v.ReadPassages(k, doc, func(s surfaces.Name, text string) {
				if s == name && d.stands(text) {
					out.Add(doc)
				}
			})
			if err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// stands reports whether the phrase is in text.
func (d *demand) stands(text string) bool {
	clear(d.reached)
	found := false
	d.matcher.Scan(text, func(f terms.Match) bool {
		if !f.Exact && !d.forms {
			return true
		}
		for i := range d.phrase {
			if d.phrase[i] != d.phrase[f.Target] {
				continue
			}
			if begin := f.Pos - d.at[i]; d.reached[begin] == i {
				d.reached[begin] = i + 1
				found = found || i+1 == len(d.phrase)
			}
		}
		return !found
	})
	return found
}
