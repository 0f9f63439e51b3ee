package corpus

import (
	"cmp"
	"context"
	"regexp"
	"regexp/syntax"

	"github.com/hansard-search/hansard/corpus/internal/postings"
	"github.com/hansard-search/hansard/corpus/internal/rank"
	"github.com/hansard-search/hansard/corpus/internal/shard"
	"github.com/hansard-search/hansard/corpus/internal/signal"
	"github.com/hansard-search/hansard/corpus/internal/terms"
	"github.com/hansard-search/hansard/surfaces"
)

// A moment is a turn with the time of its last event.
type moment struct {
	ref     docRef
	updated int64
	session signal.Hash
}

func laterFirst(a, b *moment) int {
	return cmp.Or(cmp.Compare(b.updated, a.updated), compareRefs(a.ref, b.ref))
}

// passing calls fn for each turn that passes the filters and meets the demands.
func (q *search) passing(ctx context.Context, fn func(moment) error) error {
	for i, v := range q.snap.views {
		if err := ctx.Err(); err != nil {
			return err
		}
		docs := v.liveTurns(q.pass[i])
		if q.could != nil && q.could[i] != nil {
			docs = postings.And(docs, q.could[i])
		}
		for doc := range docs.All() {
			h, err := v.Head(shard.Turn, doc)
			if err != nil {
				return damage(v.name, err)
			}
			id, err := v.SessionHash(h.Session)
			if err != nil {
				return damage(v.name, err)
			}
			if err := fn(moment{docRef{v, doc}, h.Updated, id}); err != nil {
				return err
			}
		}
	}
	return nil
}

// newest lists what passes and has no excluded word, newest first: the last
// such turn of each session, or every turn.
func (a *ask) newest(ctx context.Context) ([]row, error) {
	q := &a.search
	if !a.parsed.All {
		q.plan = newPlan(a.parsed, q.plan.searched, a.analyzer)
		if err := q.prepare(ctx); err != nil {
			return nil, err
		}
	}
	l := a.newLister()
	if err := q.passing(ctx, l.add); err != nil {
		return nil, err
	}
	return l.rows(), nil
}

// matching lists the turns in whose stored text a regular expression matches,
// newest first.
func (a *ask) matching(ctx context.Context) ([]row, error) {
	re, err := regexp.Compile(a.query.Text)
	if err != nil {
		return nil, &QueryError{Query: a.query.Text, Msg: "regular expression: " + err.Error()}
	}
	a.shown.re = re
	if err := a.read(ctx, re); err != nil {
		return nil, err
	}
	l := a.newLister()
	if err := a.search.passing(ctx, l.add); err != nil {
		return nil, err
	}
	return l.rows(), nil
}

// read finds the turns that the expression matches, and reads only those that
// have the words which it needs.
func (a *ask) read(ctx context.Context, re *regexp.Regexp) error {
	parsed, err := syntax.Parse(a.query.Text, syntax.Perl)
	if err != nil {
		return err
	}
	q, n := &a.search, needOf(parsed)
	matches := func(_ uint32, s surfaces.Name, text string) bool {
		return q.plan.searched.Has(s) && re.MatchString(text)
	}
	q.could = make([]*postings.Set, len(q.snap.views))
	for i, v := range q.snap.views {
		docs := v.liveTurns(q.pass[i])
		have, err := v.meeting(&n, q.plan.searched.Names())
		if err != nil {
			return damage(v.name, err)
		}
		if have != nil {
			docs = postings.And(docs, have)
		}
		q.could[i], err = q.verify(ctx, v, shard.Turn, docs, func(*terms.Analyzer) acceptor { return acceptor{text: matches, done: func() {}} })
		if err != nil {
			return damage(v.name, err)
		}
	}
	return nil
}

// A lister keeps the newest turns, or the newest one of each session.
type lister struct {
	ask      *ask
	turns    rank.Top[moment]
	sessions map[signal.Hash]moment
}

func (a *ask) newLister() *lister {
	return &lister{ask: a, turns: rank.Top[moment]{Most: max(a.limit, 0), Better: laterFirst}, sessions: map[signal.Hash]moment{}}
}

func (l *lister) add(m moment) error {
	if l.ask.query.Group == ByTurn {
		l.ask.search.total++
		l.turns.Add(m)
		return nil
	}
	if old, ok := l.sessions[m.session]; !ok || laterFirst(&m, &old) < 0 {
		l.sessions[m.session] = m
	}
	return nil
}

func (l *lister) rows() []row {
	for _, m := range l.sessions {
		l.ask.search.total++
		l.turns.Add(m)
	}
	var rows []row
	for _, m := range l.turns.Sorted() {
		rows = append(rows, row{ref: m.ref})
	}
	return rows
}
