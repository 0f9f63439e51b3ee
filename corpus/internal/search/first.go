package search

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/hansard-search/hansard/corpus/internal/published"
	"github.com/hansard-search/hansard/corpus/internal/rank"
	"github.com/hansard-search/hansard/corpus/internal/shard"
)

// A skipping is what a search knows that scores only turns that can make a
// difference: it counts the others by sets.
type skipping struct {
	views     []*skipper
	stretches []*stretches // of turns, by view
	matching  []bits       // turns that have a word, by view, where they were looked for
	room      bits         // what those lie in
	matched   bits         // sessions of those that pass, by number, once they are counted
	counts    sync.WaitGroup
	failed    error // of these
	total     int   // rows that were counted
	other     int   // likewise, that do not pass

	mu      sync.Mutex // of what is found
	floor   floor
	leaders leaders // as many as the second stage puts in order
	ahead   leaders // as many as are shown, and some
	near    float64 // what words that stand close together add at most
	cut     float64 // what title and summary add to most sessions at most
	open    bool    // sessions are completed when the second stage comes to them
}

// A floor is a score below which a turn makes no difference. It only rises.
type floor struct{ bits atomic.Uint64 }

func (f *floor) score() float64 { return math.Float64frombits(f.bits.Load()) }

// raise is for one goroutine at a time.
func (f *floor) raise(to float64) {
	if to > f.score() {
		f.bits.Store(math.Float64bits(to))
	}
}

// skipViews is scanTurns for all views without the turns that make no
// difference. The views with most turns come first: they raise the floor most.
func (q *Search) skipViews(ctx context.Context, most, limit int) error {
	views := q.snap.views
	q.skips = q.searcher.skipping(views)
	q.skips.leaders = leaders{most: most, hits: q.found.hits}
	if !q.asked.ByTurn {
		q.skips.cut = q.records(q.scale.Few)
		q.ahead(limit)
	}
	order := make([]int, len(views))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(views[b].Len(shard.Turn), views[a].Len(shard.Turn)) })
	if err := q.readyViews(); err != nil {
		return err
	}
	matched := func() error { return nil }
	if !q.skips.open {
		matched = q.matchingOf()
	}
	err := q.skipTurns(ctx, order)
	if err := cmp.Or(matched(), err); err != nil {
		return err
	}
	if q.asked.ByTurn {
		return nil
	}
	q.skips.counts.Go(q.countSessions)
	if q.skips.open {
		return nil
	}
	return q.complete()
}

// readyViews makes the skippers of the views.
func (q *Search) readyViews() (err error) {
	for i, v := range q.snap.views {
		k := q.searcher.skipper()
		q.skips.views[i] = k
		if err := q.scanTurnsOf(&k.scanner, i, v); err != nil {
			return published.Damage(v.Name, err)
		}
		if q.could[i] != nil && q.asked.Pass[i] != nil {
			for n := range k.pass {
				k.pass[n] &= k.live[n]
			}
		}
		k.crowd = q.scale.Crowd
		k.ready()
		if !q.asked.ByTurn {
			if q.skips.stretches[i], err = v.stretches(); err != nil {
				return published.Damage(v.Name, err)
			}
		}
	}
	return nil
}

// skipTurns finds the turns that make a difference, in the views in an order, after
// a sample of what most likely scores well in all of them.
func (q *Search) skipTurns(ctx context.Context, order []int) error {
	for _, step := range []func(i int, k *skipper) error{q.sampleRare, q.sampleCommon} {
		for _, i := range order {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := step(i, q.skips.views[i]); err != nil {
				return published.Damage(q.snap.views[i].Name, err)
			}
		}
	}
	return q.skipOthers(order)
}

// skipOthers finds the turns of the views that were not in a sample.
func (q *Search) skipOthers(order []int) error {
	err := q.above(order, math.Inf(1))
	for _, k := range q.skips.views {
		if k.forecast != nil {
			q.searcher.forecasts.Put(k.forecast)
		}
		k.forecast, k.done = nil, k.done[:0]
	}
	return err
}

// emitting returns what takes the turns of a view that are found, one at a time.
func (q *Search) emitting(i int) emitter {
	if !q.asked.ByTurn {
		return func(doc uint32, score float64, has sites) { q.leads(i, doc, score, has) }
	}
	v := q.snap.views[i]
	return func(doc uint32, score float64, has sites) {
		q.addTurn(docRef{v, doc}, score, has)
		q.skips.floor.raise(q.leastTurn())
	}
}

// matchingOf finds the turns of the views that match, and counts them. Where they
// are many it does so while the others are scored; the function returned waits.
func (q *Search) matchingOf() (wait func() error) {
	var failed error
	docs := 0
	q.skips.allMatching(q.snap.views)
	find := func() {
		for i, v := range q.snap.views {
			sc, set := &q.skips.views[i].scanner, q.skips.matching[i]
			err := q.snap.Protected(func() error {
				sc.matching(set)
				return nil
			})
			failed = cmp.Or(failed, published.Damage(v.Name, err))
			if q.asked.ByTurn {
				q.count(set, sc.pass)
			}
		}
	}
	for _, v := range q.snap.views {
		docs += v.Len(shard.Turn)
	}
	if docs < q.scale.AtOnce {
		find()
		return func() error { return failed }
	}
	var finding sync.WaitGroup
	finding.Go(find)
	return func() error {
		finding.Wait()
		return failed
	}
}

// above finds the turns of views from the floor, which rises meanwhile, up to
// those that are known.
func (q *Search) above(views []int, known float64) error {
	s := q.skips
	emit := make([]emitter, len(s.views))
	for _, i := range views {
		emit[i] = q.emitting(i)
	}
	return q.shared(views, func(i int, k *skipper, from, to uint32) error {
		return k.scan(from, to, s.floor.score, func(doc uint32, score float64, has sites) {
			if score < s.floor.score() || score >= known {
				return
			}
			s.mu.Lock()
			defer s.mu.Unlock()
			emit[i](doc, score, has)
		})
	})
}

// leastTurn is the score of the last row, once there are as many as are wanted.
func (q *Search) leastTurn() float64 {
	if !q.turns.Full() {
		return 0
	}
	return q.turns.Worst().score
}

// leads adds a turn to its session. A session without a turn of the floor's
// score cannot come among the first, but for those of which the title says more
// than of most.
func (q *Search) leads(view int, doc uint32, score float64, has sites) {
	s := q.skips
	number := q.found.at(view, s.stretches[view].session(doc))
	h := q.found.hit(number)
	q.turnFound(h, uint32(view), doc, score, has)
	if score := rank.Session(&h.best, h.title, h.summary); score > h.score {
		s.leaders.rose(number, score)
		s.floor.raise(s.reach(s.leaders.least()))
		if s.open {
			s.ahead.rose(number, score)
			s.floor.raise(s.reachAhead(s.ahead.least()))
		}
	}
}

// supporters lowers the floor of turns, so that of most sessions the next best
// turns are known as well: at 0.8 as at 0.95 common words take a fourth more.
const supporters = 0.9

// reach is the floor of turns for a floor of sessions.
func (s *skipping) reach(session float64) float64 {
	return supporters * (session - s.cut) / ((1 + rank.SupportMost) * slack)
}

// reachAhead is the floor of turns where sessions below it cannot end before one
// of a score.
func (s *skipping) reachAhead(session float64) float64 {
	return s.reach(session/rank.RecencyMost - rank.Near*s.near)
}
