package search

import (
	"cmp"
	"context"
	"regexp"

	"github.com/hansard-search/hansard/corpus/internal/postings"
	"github.com/hansard-search/hansard/corpus/internal/published"
	"github.com/hansard-search/hansard/corpus/internal/query"
	"github.com/hansard-search/hansard/corpus/internal/rank"
	"github.com/hansard-search/hansard/corpus/internal/shard"
	"github.com/hansard-search/hansard/corpus/internal/signal"
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
func (q *Search) passing(ctx context.Context, fn func(moment) error) error {
	for i, v := range q.snap.views {
		if err := ctx.Err(); err != nil {
			return err
		}
		docs := v.LiveTurns(q.asked.Pass[i])
		if q.could != nil && q.could[i] != nil {
			docs = postings.And(docs, q.could[i])
		}
		for doc := range docs.All() {
			h, err := v.Head(shard.Turn, doc)
			if err != nil {
				return published.Damage(v.Name, err)
			}
			id, err := v.SessionHash(h.Session)
			if err != nil {
				return published.Damage(v.Name, err)
			}
			if err := fn(moment{docRef{v, doc}, h.Updated, id}); err != nil {
				return err
			}
		}
	}
	return nil
}

// Newest lists what passes and has no excluded word, newest first: the last
// such turn of each session, or every turn.
func (q *Search) Newest(ctx context.Context) ([]Row, error) {
	if len(q.asked.Clauses) > 0 {
		q.plan = query.New(q.snap.Snapshot, q.asked.Clauses, q.asked.Surfaces, q.analyzer)
		if err := q.prepare(ctx); err != nil {
			return nil, err
		}
	}
	return q.listed(ctx)
}

// Matching lists the turns in whose stored text a regular expression matches,
// newest first.
func (q *Search) Matching(ctx context.Context, re *regexp.Regexp) ([]Row, error) {
	if err := q.readAll(ctx, re); err != nil {
		return nil, err
	}
	return q.listed(ctx)
}

// readAll finds the turns that the expression matches.
func (q *Search) readAll(ctx context.Context, re *regexp.Regexp) error {
	e, err := query.NewExpression(q.snap.Snapshot, re, &q.searcher.texts)
	if err != nil {
		return err
	}
	q.could = make([]*postings.Set, len(q.snap.views))
	for i, v := range q.snap.views {
		q.could[i], err = e.Matching(ctx, v.View, v.LiveTurns(q.asked.Pass[i]), q.asked.Surfaces)
		if err != nil {
			return published.Damage(v.Name, err)
		}
	}
	return nil
}

// listed lists what passes, newest first.
func (q *Search) listed(ctx context.Context) ([]Row, error) {
	l := &lister{q: q, turns: rank.Top[moment]{Most: max(q.asked.Limit, 0), Better: laterFirst}, sessions: map[signal.Hash]moment{}}
	if err := q.passing(ctx, l.add); err != nil {
		return nil, err
	}
	return l.rows(), nil
}

// A lister keeps the newest turns, or the newest one of each session.
type lister struct {
	q        *Search
	turns    rank.Top[moment]
	sessions map[signal.Hash]moment
}

func (l *lister) add(m moment) error {
	if l.q.asked.ByTurn {
		l.q.Total++
		l.turns.Add(m)
		return nil
	}
	if old, ok := l.sessions[m.session]; !ok || laterFirst(&m, &old) < 0 {
		l.sessions[m.session] = m
	}
	return nil
}

func (l *lister) rows() []Row {
	for _, m := range l.sessions {
		l.q.Total++
		l.turns.Add(m)
	}
	var rows []Row
	for _, m := range l.turns.Sorted() {
		rows = append(rows, Row{Ref: m.ref.ref()})
	}
	return rows
}
