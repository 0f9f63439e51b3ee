package corpus

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/hansard-search/hansard/corpus/internal/postings"
	"github.com/hansard-search/hansard/corpus/internal/published"
	"github.com/hansard-search/hansard/corpus/internal/shard"
	"github.com/hansard-search/hansard/corpus/internal/stored"
)

// passing returns, for each view, the live turns that pass the filter; nil for
// a view where every live turn does. Filters are applied before anything is
// ranked or cut, so a filtered answer is never short of what it could hold.
func (s snapshot) passing(f Filter) ([]*postings.Set, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	f, err := s.whole(f)
	if err != nil {
		return nil, err
	}
	excluded, err := s.families(f.Exclude)
	if err != nil {
		return nil, err
	}
	sets := make([]*postings.Set, len(s.Views))
	for i, v := range s.Views {
		p := sieve{view: v}
		p.apply(f, excluded)
		if p.err != nil {
			return nil, published.Damage(v.Name, p.err)
		}
		sets[i] = p.set
	}
	return sets, nil
}

// whole spells out the ids of a filter of which only the beginning was given,
// as resolve does. One that no session has stays as it is, and nothing meets it.
func (s snapshot) whole(f Filter) (Filter, error) {
	var err error
	spell := func(id string) string {
		full, e := s.resolve(shard.Session, id)
		switch {
		case e == nil:
			return full
		case Ambiguous(e) || !errors.Is(e, ErrNotFound):
			err = cmp.Or(err, e)
		}
		return id
	}
	if f.Session != "" {
		f.Session = spell(f.Session)
	}
	f.Exclude = slices.Clone(f.Exclude)
	for i, id := range f.Exclude {
		f.Exclude[i] = spell(id)
	}
	return f, err
}

// A sieve narrows the live turns of one view. Its set is nil until something
// narrowed it; after an error it does nothing.
type sieve struct {
	view *published.View
	set  *postings.Set
	err  error
}

func (p *sieve) apply(f Filter, excluded map[string]bool) {
	if len(f.Projects) > 0 {
		p.and(p.matching(stored.FacetProject, func(v string) bool {
			return slices.ContainsFunc(f.Projects, func(want string) bool { return MatchProject(v, want) })
		}))
	}
	for _, c := range []Condition{
		{"cwd", f.Cwd}, {"branch", f.Branch}, {"model", f.Model}, {"tool", f.Tool}, {"path", f.Path}, {"agent", f.Source}, {"lane", f.Lane},
	} {
		if c.Value != "" {
			p.and(p.holding(c))
		}
	}
	if f.Session != "" {
		p.and(p.value(stored.FacetSession, f.Session))
	}
	p.between(f.After, f.Before)
	for id := range excluded {
		p.drop(p.value(stored.FacetSession, id))
	}
	for _, c := range f.Without {
		p.drop(p.holding(c))
	}
}

// holding returns the turns of which a condition holds.
func (p *sieve) holding(c Condition) *postings.Set {
	facet, match := c.facet()
	return p.matching(facet, func(v string) bool { return match(v, c.Value) })
}

// facet is where a condition looks, and when a value there meets it; "" for a key
// that is none of conditions.
func (c Condition) facet() (name string, match func(value, pattern string) bool) {
	switch c.Key {
	case "project":
		return stored.FacetProject, MatchProject
	case "cwd":
		return stored.FacetCwd, UnderDir
	case "branch":
		return stored.FacetBranch, MatchGlob
	case "model":
		return stored.FacetModel, MatchGlob
	case "tool":
		return stored.FacetTool, MatchGlob
	case "path":
		return stored.FacetPath, MatchPath
	case "agent":
		return stored.FacetSource, strings.EqualFold
	case "lane":
		return stored.FacetLane, strings.EqualFold
	}
	return "", nil
}

// matching unites the turns of all values that match.
func (p *sieve) matching(facet string, match func(value string) bool) *postings.Set {
	if p.err != nil {
		return postings.New()
	}
	set, err := p.view.Matching(facet, match)
	p.fail(err)
	return set
}

func (p *sieve) value(facet, value string) *postings.Set {
	if p.err != nil {
		return postings.New()
	}
	set, err := p.view.Facet(shard.Turn, facet, value)
	p.fail(err)
	return set
}

// between narrows by time. Whole days come from the facets; only the turns of
// the days in which a bound falls are looked at one by one.
func (p *sieve) between(after, before time.Time) {
	if !after.IsZero() {
		p.and(p.since(stored.FacetDay, after, func(h shard.Head) bool { return h.Updated >= millis(after) }))
	}
	if !before.IsZero() {
		late := p.since(stored.FacetBegan, before, func(h shard.Head) bool { return h.Created >= millis(before) })
		p.drop(late)
	}
}

// since returns the turns whose day is later than the bound's, and those of
// that day which pass.
func (p *sieve) since(facet string, bound time.Time, pass func(shard.Head) bool) *postings.Set {
	edge := dayOf(millis(bound))
	set := p.matching(facet, func(v string) bool { return v > edge })
	for doc := range p.value(facet, edge).All() {
		h, err := p.view.Head(shard.Turn, doc)
		p.fail(err)
		if err == nil && pass(h) {
			set.Add(doc)
		}
	}
	return set
}

func (p *sieve) and(set *postings.Set) {
	if p.err == nil {
		p.set = postings.And(p.view.LiveTurns(p.set), set)
	}
}

func (p *sieve) drop(set *postings.Set) {
	if p.err == nil {
		p.set = postings.AndNot(p.view.LiveTurns(p.set), set)
	}
}

func (p *sieve) fail(err error) {
	if p.err == nil {
		p.err = err
	}
}
