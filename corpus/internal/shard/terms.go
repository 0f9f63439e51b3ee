package shard

import (
	"fmt"
	"sync"

	"github.com/blevesearch/vellum"
	"github.com/blevesearch/vellum/levenshtein"

	"github.com/hansard-search/hansard/corpus/internal/postings"
	"github.com/hansard-search/hansard/surfaces"
)

// A Matcher says which terms are wanted. It is made once for all the shards
// of a query and is for any number of goroutines.
type Matcher struct {
	start, end []byte
	aut        vellum.Automaton
}

// Prefix matches the terms that start with prefix; "" matches all.
func Prefix(prefix string) *Matcher {
	return &Matcher{start: []byte(prefix), end: prefixEnd([]byte(prefix))}
}

// MaxDistance is the largest edit distance: at 3 nearly every short word is
// near every other, and the automaton takes seconds to make.
const MaxDistance = 2

// fuzzy holds what automata of each distance are made from. Making that takes
// milliseconds for distance 2; it never changes.
var fuzzy = [MaxDistance + 1]func() (*levenshtein.LevenshteinAutomatonBuilder, error){
	1: sync.OnceValues(func() (*levenshtein.LevenshteinAutomatonBuilder, error) {
		return levenshtein.NewLevenshteinAutomatonBuilder(1, true)
	}),
	2: sync.OnceValues(func() (*levenshtein.LevenshteinAutomatonBuilder, error) {
		return levenshtein.NewLevenshteinAutomatonBuilder(2, true)
	}),
}

// Fuzzy matches the terms that 1 or 2 edits turn into term: a letter inserted,
// deleted, replaced, or swapped with its neighbour. Other distances, and terms
// that are too long for an automaton, give ErrPattern.
func Fuzzy(term string, distance int) (*Matcher, error) {
	if distance < 1 || distance > MaxDistance {
		return nil, fmt.Errorf("%w: distance %d", ErrPattern, distance)
	}
	b, err := fuzzy[distance]()
	if err != nil {
		return nil, err
	}
	dfa, err := b.BuildDfa(term, uint8(distance))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrPattern, err)
	}
	return &Matcher{aut: dfa}, nil
}

// Containing matches the terms in which text or the byte or stands.
func Containing(text string, or byte) *Matcher {
	return &Matcher{aut: newContaining(text, or)}
}

// Match calls fn for each term of a surface that m wants, in the order of
// bytes, with its number of documents, until fn returns false.
func (r *Reader) Match(s surfaces.Name, m *Matcher, fn func(term string, docs int) bool) error {
	f := r.surface(s)
	if f == nil {
		return nil
	}
	return f.terms.walk(m.start, m.end, m.aut, func(v visit) (bool, error) {
		n, err := f.terms.docCount(v.part, v.v)
		return err == nil && fn(string(v.term), n), err
	})
}

// facetKey is the term of a facet.
func facetKey(name, value string) string { return name + "\x00" + value }

// Facet returns the documents with a facet value, a set of the caller's own;
// empty, not nil, when there are none.
func (r *Reader) Facet(k Kind, name, value string) (*postings.Set, error) {
	if k > Session {
		return postings.New(), nil
	}
	d := &r.kinds[k].facets
	v, part, err := d.get(facetKey(name, value))
	if err != nil || part == nil {
		return postings.New(), err
	}
	return d.set(part, v)
}

// set reads the documents of a facet.
func (d *dictReader) set(part *dictPart, v uint64) (*postings.Set, error) {
	switch v & 3 {
	case tagInline:
		if v>>8 >= uint64(d.docs) {
			return nil, d.bad("document %d of %d", v>>8, d.docs)
		}
		return postings.FromSlice([]uint32{uint32(v >> 8)}), nil
	case tagFew:
		p, err := d.postings(part, v)
		if err != nil {
			return nil, err
		}
		return p.Set(), nil
	case tagMany:
		return nil, d.bad("a facet with counts")
	}
	b, err := d.list(part, v)
	if err != nil {
		return nil, err
	}
	c := cursor{b: b}
	n := c.int(int64(d.docs))
	s, err := postings.Parse(c.b)
	if err != nil {
		return nil, d.bad("%v", err)
	}
	if last, ok := s.Max(); c.bad || s.Len() != int(n) || ok && int64(last) >= int64(d.docs) {
		return nil, d.bad("a set of %d documents", s.Len())
	}
	return s, nil
}

// Facets calls fn for each value of a facet that starts with prefix, in the
// order of bytes, with its number of documents, until fn returns false.
func (r *Reader) Facets(k Kind, name, prefix string, fn func(value string, docs int) bool) error {
	return r.walkFacets(k, facetKey(name, prefix), func(f Facet, d *dictReader, v visit) (bool, error) {
		n, err := d.docCount(v.part, v.v)
		return err == nil && fn(f.Value, n), err
	})
}

// AllFacets calls fn for each value of each facet of a kind, in the order of
// names and values, with its documents, until fn returns false.
func (r *Reader) AllFacets(k Kind, fn func(f Facet, docs *postings.Set) bool) error {
	return r.walkFacets(k, "", func(f Facet, d *dictReader, v visit) (bool, error) {
		s, err := d.set(v.part, v.v)
		return err == nil && fn(f, s), err
	})
}

func (r *Reader) walkFacets(k Kind, prefix string, fn func(Facet, *dictReader, visit) (bool, error)) error {
	if k > Session {
		return nil
	}
	d, m := &r.kinds[k].facets, Prefix(prefix)
	return d.walk(m.start, m.end, nil, func(v visit) (bool, error) {
		f, ok := splitFacet(v.term)
		if !ok {
			return false, d.bad("facet %q", v.term)
		}
		return fn(f, d, v)
	})
}

func splitFacet(term []byte) (Facet, bool) {
	for i, c := range term {
		if c == 0 {
			return Facet{string(term[:i]), string(term[i+1:])}, true
		}
	}
	return Facet{}, false
}
