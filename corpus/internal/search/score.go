package search

import (
	"context"
	"slices"

	"github.com/hansard-search/hansard/corpus/internal/postings"
	"github.com/hansard-search/hansard/corpus/internal/published"
	"github.com/hansard-search/hansard/corpus/internal/shard"
	"github.com/hansard-search/hansard/surfaces"
)

// scanViews scores session records and turns.
func (q *Search) scanViews(ctx context.Context, most, limit int) error {
	turns, lanes := 0, q.snap.recordLanes(q.asked.Surfaces)
	for i, v := range q.snap.views {
		turns += v.Len(shard.Turn)
		if err := q.scanRecords(ctx, i, v, lanes); err != nil {
			return published.Damage(v.Name, err)
		}
	}
	if most > 0 && turns >= q.scale.Skip && !q.scoresAll(turns) {
		return q.skipViews(ctx, most, limit)
	}
	for i, v := range q.snap.views {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := q.scanTurns(i, v); err != nil {
			return published.Damage(v.Name, err)
		}
	}
	return nil
}

// scanTurnsOf makes sc, which has nothing but room, a scanner of a view's turns.
func (q *Search) scanTurnsOf(sc *scanner, i int, v *view) (err error) {
	sc.pool, sc.plan, sc.lanes, sc.bound, sc.docs, sc.sited = &q.searcher.scratches, q.plan, q.lanes, q.bound[i], v.Len(shard.Turn), q.sited
	sc.many = slices.ContainsFunc(q.lanes, func(l lane) bool { return l.slot != slotPrompt })
	sc.restrict(v, shard.Turn, q.could[i], q.asked.Pass[i])
	sc.tools, err = v.tooled()
	return err
}

func (q *Search) scanTurns(i int, v *view) error {
	k := q.searcher.skipper() // of which only the scanner is used
	defer q.searcher.keepSkipper(k)
	sc := &k.scanner
	if err := q.scanTurnsOf(sc, i, v); err != nil {
		return err
	}
	session, err := v.sessionsOfTurns()
	if err != nil {
		return err
	}
	if !q.asked.ByTurn {
		return q.scanSessions(i, sc, session)
	}
	hit := func(doc uint32) *sessionHit { return q.found.hit(q.found.at(i, session(doc))) }
	var others func(doc uint32)
	if q.asked.Pass[i] != nil {
		others = func(doc uint32) {
			hit(doc).other = true
			q.Other++
		}
	}
	return sc.scan(func(doc uint32, score float64, has sites) {
		q.turnFound(hit(doc), uint32(i), doc, score, has)
		q.Total++
		q.addTurn(docRef{v, doc}, score, has)
	}, others)
}

// addTurn makes a row of a turn, if it is among the best so far.
func (q *Search) addTurn(ref docRef, score float64, has sites) {
	if !q.turns.Full() || score >= q.turns.Worst().score {
		q.turns.Add(ranked{ref: ref, score: score, sites: has})
	}
}

// scanRecords scores titles, and summaries, in the given lanes.
func (q *Search) scanRecords(ctx context.Context, i int, v *view, all []lane) error {
	ords, err := v.SessionOrds(shard.Session)
	if err != nil {
		return err
	}
	if len(all) == 0 || v.Len(shard.Session) == 0 {
		return nil
	}
	set, err := q.demands.Meet(ctx, v.View, shard.Session, scoredNames(all))
	if err != nil {
		return err
	}
	k := q.searcher.skipper() // of which only the scanner is used
	defer q.searcher.keepSkipper(k)
	for n := range all {
		bound, err := q.lists.bind(v, q.plan.Words, all[n:n+1])
		if err != nil {
			return err
		}
		sc := &scanner{pool: &q.searcher.scratches, plan: q.plan, lanes: all[n : n+1], bound: bound, docs: v.Len(shard.Session), cursors: k.cursors}
		sc.restrict(v, shard.Session, set, nil)
		err = sc.scan(func(doc uint32, score float64, _ sites) {
			if h := q.found.hit(q.found.at(i, ords.At(doc))); all[n].surface == surfaces.SessionTitle {
				h.title = score
			} else {
				h.summary = score
			}
		}, nil)
		if err != nil {
			return err
		}
		k.cursors = sc.cursors
	}
	return nil
}

// restrict says what could match (all that is live where it is nil) and what of
// that passes (nil: all).
func (s *scanner) restrict(v *view, k shard.Kind, could, pass *postings.Set) {
	for i := range s.lanes {
		s.cols = append(s.cols, v.Codes(s.lanes[i].surface))
	}
	n := v.Len(k)
	if gone := v.Gone[k]; could == nil && !gone.Empty() {
		could = postings.AndNot(postings.Range(0, uint32(n)), gone)
	}
	if could != nil {
		s.live = bitsOf(could, n)
	}
	s.pass = s.live
	if pass != nil {
		s.pass = bitsOf(pass, n)
	}
}
