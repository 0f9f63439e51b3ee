package corpus

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"github.com/hansard-search/hansard/corpus/internal/postings"
	"github.com/hansard-search/hansard/corpus/internal/rank"
	"github.com/hansard-search/hansard/corpus/internal/shard"
	"github.com/hansard-search/hansard/corpus/internal/signal"
	"github.com/hansard-search/hansard/corpus/internal/terms"
	"github.com/hansard-search/hansard/surfaces"
)

// The bounds of an answer.
const (
	// DefaultLimit is how many rows an answer has when nothing is asked.
	DefaultLimit = 10
	// MaxWindowed is the most hits with windows in an answer, whatever is asked.
	MaxWindowed = 20
)

// Search answers a query. It fails with a *QueryError for a filter's value or a
// regular expression that is wrong, with an *IDError for the beginning of several
// ids; words that nobody used are no error, the answer's scope tells.
func (c *Corpus) Search(ctx context.Context, q Query) (*Answer, error) {
	return reading(c, func(s *snapshot) (*Answer, error) {
		a, err := s.newAsk(c, q)
		if err != nil {
			return nil, err
		}
		defer a.release()
		rows, err := a.rows(ctx)
		if err != nil {
			return nil, err
		}
		return a.answer(ctx, rows)
	})
}

// An ask is a query on its way through a snapshot.
type ask struct {
	corpus *Corpus
	query  Query
	limit  int
	filter Filter
	parsed Parsed
	search search
	shown  shower

	analyzer *terms.Analyzer
}

func (s *snapshot) newAsk(c *Corpus, q Query) (*ask, error) {
	a := &ask{corpus: c, query: q, limit: q.Limit, filter: q.Filter}
	if a.limit == 0 {
		a.limit = DefaultLimit
	}
	if q.Window && (a.limit < 0 || a.limit > MaxWindowed) {
		a.limit = MaxWindowed
	}
	now := q.Now
	if now.IsZero() {
		now = time.UnixMilli(s.man.IndexedAt)
	}
	if !q.Regexp {
		p, err := ParseQuery(q.Text, now)
		if err != nil {
			return nil, err
		}
		a.parsed = p
		a.filter = join(q.Filter, p.Filter)
	}
	pass, err := s.passing(a.filter)
	a.begin(s, pass)
	a.analyzer = c.pools.analyzer()
	return a, err
}

// begin makes a search of what was parsed, over the turns that pass.
func (a *ask) begin(s *snapshot, pass []*postings.Set) {
	c := a.corpus
	a.search = search{snap: s, pools: &c.pools, depth: cmp.Or(c.depth, rank.Depth), scale: cmp.Or(c.scale, &usual), group: a.query.Group, pass: pass,
		plan: &plan{parsed: a.parsed, searched: s.searched(a.filter), unknown: []string{}, repaired: map[string]string{}}}
}

// release gives back what the next query can use. What was answered does not
// point to it.
func (a *ask) release() {
	a.search.close()
	a.search.text.release()
	a.corpus.pools.analyzers.Put(a.analyzer)
}

// join narrows the filter of flags by the one inside the query, which wins
// where both say something of which there can be only one.
func join(flags, inline Filter) Filter {
	f := flags
	for _, key := range filterKeys() {
		if to := f.text(key); to != nil && *inline.text(key) != "" {
			*to = *inline.text(key)
		}
	}
	if inline.Lane != "" {
		f.Lane = inline.Lane
	}
	if len(inline.Projects) > 0 {
		f.Projects = inline.Projects
	}
	if len(inline.Surfaces) > 0 {
		f.Surfaces = inline.Surfaces
	}
	f.Exclude = slices.Concat(flags.Exclude, inline.Exclude)
	f.Without = slices.Concat(flags.Without, inline.Without)
	if inline.After.After(f.After) {
		f.After = inline.After
	}
	if !inline.Before.IsZero() && (f.Before.IsZero() || inline.Before.Before(f.Before)) {
		f.Before = inline.Before
	}
	return f
}

// searched is the set of surfaces that a filter leaves of those the corpus keeps.
func (s *snapshot) searched(f Filter) surfaces.Set {
	var kept surfaces.Set
	for _, v := range s.views {
		for _, info := range v.Info().Surfaces {
			kept = kept.With(surfaces.Of(info.Surface))
		}
	}
	if kept == 0 {
		kept = surfaces.Defaults()
	}
	if len(f.Surfaces) > 0 {
		return kept & surfaces.Of(f.Surfaces...)
	}
	return kept
}

// rows finds the rows of the answer in their order. Where a question has a quotation
// that stands nowhere, its words are looked for as the others are.
func (a *ask) rows(ctx context.Context) ([]row, error) {
	rows, err := a.asked(ctx)
	if err != nil || len(rows)+a.search.total+a.search.other > 0 {
		return rows, err
	}
	unquoted, read := a.parsed.unquoted()
	if len(read) == 0 {
		return rows, nil
	}
	a.search.close()
	a.search.text.release()
	a.parsed = unquoted
	a.begin(a.search.snap, a.search.pass)
	rows, err = a.asked(ctx)
	maps.Copy(a.search.plan.repaired, read)
	return rows, err
}

// asked finds the rows of what was parsed.
func (a *ask) asked(ctx context.Context) ([]row, error) {
	if a.query.Regexp {
		return a.matching(ctx)
	}
	if a.parsed.lists() {
		return a.newest(ctx)
	}
	id, shaped := idShaped(a.parsed)
	if shaped {
		if rows, err := a.byID(id, false); err != nil || len(rows) > 0 {
			return rows, err
		}
	}
	q := &a.search
	q.plan = newPlan(a.parsed, q.plan.searched, a.analyzer)
	most := q.depth
	if a.limit < 0 {
		most = 0
	} else {
		most = max(most, a.limit)
	}
	if err := q.run(ctx, most, a.limit); err != nil {
		return nil, err
	}
	if shaped && q.plan.nowhere() {
		rows, err := a.byID(id, true)
		if err != nil || len(rows) > 0 {
			return rows, err
		}
		if len(q.plan.repaired) == 0 {
			if err := q.rows(); err != nil { // for the total
				return nil, err
			}
			q.turns.Empty()
			return q.order(ctx, a.limit)
		}
	}
	return q.first(ctx, a.limit)
}

// byID finds the turn or the session with an id or, with prefixes, the only one
// whose id begins so.
func (a *ask) byID(id string, prefixes bool) ([]row, error) {
	s := a.search.snap
	for _, k := range []shard.Kind{shard.Turn, shard.Session} {
		full := id
		if prefixes {
			var err error
			if full, err = s.resolve(k, id); err != nil {
				continue // of none or of several: searched as a word, and not found
			}
		}
		ref, ok, err := s.find(k, signal.Of(full))
		if err != nil {
			return nil, err
		}
		if ok && k == shard.Session {
			if ref, err = a.search.firstTurn(signal.Of(full), nil); err != nil {
				return nil, err
			}
			ok = ref.view != nil
		} else if ok {
			ok = a.search.passes(ref)
		}
		if ok {
			a.search.total = 1
			a.search.plan.unknown = []string{}
			return []row{{ref: ref, score: 1, final: 1, record: k == shard.Session}}, nil
		}
	}
	return nil, nil
}

// passes reports whether a live turn passes the filters.
func (q *search) passes(ref docRef) bool {
	i := slices.Index(q.snap.views, ref.view)
	return i >= 0 && (q.pass[i] == nil || q.pass[i].Contains(ref.doc))
}
