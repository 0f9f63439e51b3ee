package query

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/hansard-search/hansard/corpus/internal/postings"
	"github.com/hansard-search/hansard/corpus/internal/published"
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
}

// Demands are what documents have to meet to be an answer at all. They are for one
// goroutine at a time, but read on all processors.
type Demands struct {
	list  []demand
	snap  *published.Snapshot
	texts *Texts
}

// Demands are the clauses of the plan that decide whether a document answers at
// all: +word, -word, and phrases, which were quoted because their very words
// count. Those for which texts are read come last, when few documents are left.
// The plan is to be expanded before.
func (pl *Plan) Demands(texts *Texts) (*Demands, error) {
	var list []demand
	for _, c := range pl.clauses {
		if !c.Must && !c.Not && c.Kind != Phrase {
			continue
		}
		d := demand{not: c.Not}
		switch c.Kind {
		case Prefix, Fuzzy:
			found, err := pl.standsFor(c)
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
	slices.SortStableFunc(list, func(a, b demand) int { return cmp.Compare(len(a.phrase), len(b.phrase)) })
	return &Demands{list, pl.snap, texts}, nil
}

// demandWords asks for the words of a clause, side by side where it has several:
// what was typed as one (dry-run, src/app) is not met by its pieces.
func (pl *Plan) demandWords(d *demand, kind Kind, tokens []terms.Token) {
	said := 0     // end of the last word whose parts say less than it does
	read := false // another word in place of one that stands nowhere
	for _, t := range tokens {
		switch {
		case t.Words > 1: // its parts say the same
			if kind == Plain && len(d.keys) == 0 && t.End == tokens[len(tokens)-1].End {
				d.whole = t.Term
			}
			continue
		case t.Kind == terms.Part && t.End <= said:
			continue
		case t.Kind == terms.Compound: // sha256 is not any sha
			said = t.End
		}
		if r := pl.replaced[t.Term]; r != nil && kind == Plain {
			d.keys, read = append(d.keys, r...), true
		} else {
			d.keys = append(d.keys, []string{t.Term})
		}
		d.phrase = append(d.phrase, terms.Target{Term: t.Term, Exact: t.Exact})
		d.at = append(d.at, t.Pos-tokens[0].Pos)
	}
	d.forms = kind == Plain
	if kind == Plain && (len(d.keys) == 1 || read) {
		d.phrase = nil
	}
}

// Meet returns the documents of a kind of a view that meet every demand in the given
// surfaces; nil, which is all that are live, where there are no demands.
func (d *Demands) Meet(ctx context.Context, v *published.View, k shard.Kind, searched []surfaces.Name) (*postings.Set, error) {
	if len(d.list) == 0 {
		return nil, nil
	}
	at := &place{snap: d.snap, texts: d.texts, view: v, kind: k, searched: searched}
	set := postings.AndNot(postings.Range(0, uint32(v.Len(k))), v.Gone[k])
	for i := range d.list {
		one := &d.list[i]
		has, err := at.having(ctx, one, set)
		if err != nil {
			return nil, err
		}
		if one.not {
			set = postings.AndNot(set, has)
		} else {
			set = postings.And(set, has)
		}
	}
	return set, nil
}

// having returns the documents of set that have what d asks for. Words side by
// side have to stand in one surface; other clauses may be spread.
func (p *place) having(ctx context.Context, d *demand, set *postings.Set) (*postings.Set, error) {
	if d.phrase == nil {
		return withAll(p.view, d.keys, set, p.searched)
	}
	if d.whole == "" {
		return p.withPhrase(ctx, d, set)
	}
	whole, err := withAll(p.view, [][]string{{d.whole}}, set, p.searched)
	if err != nil {
		return nil, err
	}
	spelled, err := p.withPhrase(ctx, d, postings.AndNot(set, whole))
	if err == nil {
		whole.Or(spelled)
	}
	return whole, err
}

// withAll returns the documents of set that have a key of each list.
func withAll(v *published.View, keys [][]string, set *postings.Set, searched []surfaces.Name) (*postings.Set, error) {
	out := set
	for _, list := range keys {
		any := postings.New()
		for _, name := range searched {
			one, err := withAny(v, name, list)
			if err != nil {
				return nil, err
			}
			any.Or(one)
		}
		out = postings.And(out, any)
	}
	return out, nil
}

// withAny returns the documents that have one of the keys in a surface, those that
// are gone too.
func withAny(v *published.View, name surfaces.Name, keys []string) (*postings.Set, error) {
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
