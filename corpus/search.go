package corpus

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/hansard-search/hansard/corpus/internal/postings"
	"github.com/hansard-search/hansard/corpus/internal/published"
	"github.com/hansard-search/hansard/corpus/internal/search"
	"github.com/hansard-search/hansard/corpus/internal/shard"
	"github.com/hansard-search/hansard/corpus/internal/signal"
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
	return reading(c, func(s snapshot) (*Answer, error) {
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
	snap   snapshot
	pass   []*postings.Set // by view: live turns that pass the filter; nil: all
	kept   surfaces.Set    // that the filter leaves of those the corpus keeps
	search *search.Search
	named  bool // the query is an id
	shown  shower
}

func (s snapshot) newAsk(c *Corpus, q Query) (*ask, error) {
	if q.Group != "" && q.Group != BySession && q.Group != ByTurn {
		return nil, &QueryError{Msg: fmt.Sprintf("group: unknown %q: one of %s,%s", q.Group, BySession, ByTurn)}
	}
	a := &ask{corpus: c, query: q, limit: q.Limit, filter: q.Filter, snap: s}
	if a.limit == 0 {
		a.limit = DefaultLimit
	}
	if q.Window && (a.limit < 0 || a.limit > MaxWindowed) {
		a.limit = MaxWindowed
	}
	now := q.Now
	if now.IsZero() {
		now = time.UnixMilli(s.Manifest.IndexedAt)
	}
	if !q.Regexp {
		p, err := ParseQuery(q.Text, now)
		if err != nil {
			return nil, err
		}
		a.parsed = p
		a.filter = join(q.Filter, p.Filter)
	}
	var err error
	if a.pass, err = s.passing(a.filter); err != nil {
		return nil, err
	}
	a.kept = s.searched(a.filter)
	a.begin()
	return a, nil
}

// begin begins a search of what was parsed, over the turns that pass.
func (a *ask) begin() {
	a.search = a.corpus.searcher.Begin(a.snap.Snapshot, search.Question{
		Clauses: a.parsed.asked(), Surfaces: a.kept, Pass: a.pass, ByTurn: a.query.Group == ByTurn, Limit: a.limit,
	})
}

// release gives back what the next query can use. What was answered does not
// point to it.
func (a *ask) release() { a.search.Close() }

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
func (s snapshot) searched(f Filter) surfaces.Set {
	var kept surfaces.Set
	for _, v := range s.Views {
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
func (a *ask) rows(ctx context.Context) ([]search.Row, error) {
	rows, err := a.asked(ctx)
	if err != nil || len(rows)+a.search.Total+a.search.Other > 0 {
		return rows, err
	}
	unquoted, read := a.parsed.unquoted()
	if len(read) == 0 {
		return rows, nil
	}
	a.search.Close()
	a.parsed = unquoted
	a.begin()
	rows, err = a.asked(ctx)
	maps.Copy(a.search.Repaired(), read)
	return rows, err
}

// asked finds the rows of what was parsed.
func (a *ask) asked(ctx context.Context) ([]search.Row, error) {
	q := a.search
	if a.query.Regexp {
		re, err := regexp.Compile(a.query.Text)
		if err != nil {
			return nil, &QueryError{Query: a.query.Text, Msg: "regular expression: " + err.Error()}
		}
		a.shown.re = re
		return q.Matching(ctx, re)
	}
	if a.parsed.lists() {
		return q.Newest(ctx)
	}
	id, shaped := idShaped(a.parsed)
	if shaped {
		if rows, err := a.byID(id, false); err != nil || len(rows) > 0 {
			return rows, err
		}
	}
	if err := q.Score(ctx); err != nil {
		return nil, err
	}
	if shaped && q.Nowhere() {
		rows, err := a.byID(id, true)
		if err != nil || len(rows) > 0 {
			return rows, err
		}
		if len(q.Repaired()) == 0 {
			return nil, q.Count()
		}
	}
	return q.First(ctx)
}

// idShaped reports whether a query is one word that could be an id or the
// beginning of one.
func idShaped(p Parsed) (id string, ok bool) {
	if len(p.Clauses) != 1 || p.Clauses[0].Kind != Word || p.Clauses[0].Not {
		return "", false
	}
	id = p.Clauses[0].Text
	return id, len(id) >= MinPrefix && strings.ContainsAny(id, "0123456789") && !strings.ContainsAny(id, "/\\")
}

// byID finds the turn or the session with an id or, with prefixes, the only one
// whose id begins so.
func (a *ask) byID(id string, prefixes bool) ([]search.Row, error) {
	for _, k := range []shard.Kind{shard.Turn, shard.Session} {
		full := id
		if prefixes {
			var err error
			if full, err = a.snap.resolve(k, id); err != nil {
				continue // of none or of several: searched as a word, and not found
			}
		}
		ref, ok, err := a.snap.Find(k, signal.Of(full))
		if err != nil {
			return nil, err
		}
		if ok && k == shard.Session {
			ref, ok, err = a.search.FirstTurn(signal.Of(full))
		} else if ok {
			ok = a.passes(ref)
		}
		if err != nil {
			return nil, err
		}
		if ok {
			a.search.Total, a.named = 1, true
			return []search.Row{{Ref: ref, Final: 1, Record: k == shard.Session}}, nil
		}
	}
	return nil, nil
}

// passes reports whether a live turn passes the filter.
func (a *ask) passes(ref published.Ref) bool {
	i := slices.Index(a.snap.Views, ref.View)
	return i >= 0 && (a.pass[i] == nil || a.pass[i].Contains(ref.Doc))
}
