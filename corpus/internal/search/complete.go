package search

import (
	"context"
	bit "math/bits"
	"slices"

	"github.com/hansard-search/hansard/corpus/internal/rank"
	"github.com/hansard-search/hansard/corpus/internal/shard"
)

// records is what title and summary add to all sessions but few, at most. All
// turns of those few are scored that come so far.
func (q *Search) records(few int) float64 {
	var parts []float64
	for _, number := range q.found.touched {
		h := &q.found.hits[number]
		parts = append(parts, rank.Session(&rank.Best{}, h.title, h.summary))
	}
	if len(parts) <= few {
		return 0
	}
	slices.Sort(parts)
	return parts[len(parts)-1-few]
}

// complete scores the turns below the floor of those sessions that could come
// among the first and of which such turns would be among the best. It lowers the
// floor step by step: each step tells for more sessions that they come too late,
// or that their best turns are known, and costs less than scoring all the others.
func (q *Search) complete() error {
	floor := q.skips.floor.score()
	known, docs := floor, q.skips.matching
	for _, share := range [...]float64{0.55, 0.3, 0} {
		need, any := q.incomplete(known)
		if !any {
			return nil
		}
		var n int
		if docs, n = q.turnsOf(need, docs); n < q.scale.AtOnce {
			share = 0
		}
		q.forget(need, known)
		if err := q.lower(docs, share*floor, known); err != nil || share == 0 {
			return err
		}
		known = share * floor
	}
	return nil
}

// incomplete finds those sessions, by number, where all turns are known that
// score as much as floor.
func (q *Search) incomplete(floor float64) (need bits, any bool) {
	least := q.skips.leaders.least()
	need = newBits(q.found.len())
	for _, number := range q.found.touched {
		h := &q.found.hits[number]
		if !h.complete(floor) && h.most(floor)*slack >= least {
			need.add(number)
			any = true
		}
	}
	return need, any
}

// from is the score from which on all turns of a session are known, where all are
// of every session from floor on.
func (h *sessionHit) from(floor float64) float64 {
	if h.lower {
		return min(h.known, floor)
	}
	return floor
}

// complete reports whether the best turns of a session are known where all are
// that score as much as floor.
func (h *sessionHit) complete(floor float64) bool {
	return h.best[len(h.best)-1] >= h.from(floor)
}

// most is a bound of the score of a session, which it has if it is complete.
func (h *sessionHit) most(floor float64) float64 {
	most := h.best
	floor = h.from(floor)
	for i := range most {
		most[i] = max(most[i], floor)
	}
	return rank.Session(&most, h.title, h.summary)
}

// forget leaves out the turns that were found of sessions below a floor: some of
// them, not all.
func (q *Search) forget(sessions bits, floor float64) {
	for n, word := range sessions {
		for m := word; m != 0; m &= m - 1 {
			h := &q.found.hits[n<<6|bit.TrailingZeros64(m)]
			for i := range h.best {
				if h.best[i] < floor {
					h.best[i] = 0
				}
			}
			h.lower = false
			if h.best[0] == 0 {
				h.turns, h.view, h.doc, h.sites = 0, 0, 0, 0
			}
		}
	}
}

// lower finds those turns of docs, by view, that score floor or more and less
// than what is known.
func (q *Search) lower(docs []bits, floor, known float64) error {
	var views []int
	for i := range docs {
		if docs[i] != nil {
			views = append(views, i)
			q.skips.views[i].open()
		}
	}
	return q.shared(views, func(i int, k *skipper, from, to uint32) error {
		return k.rescore(from, to, docs[i], floor, func(doc uint32, score float64, has sites) {
			if score < floor || score >= known {
				return
			}
			q.skips.mu.Lock()
			defer q.skips.mu.Unlock()
			q.leads(i, doc, score, has)
		})
	})
}

// turnsOf returns those of docs that are turns of sessions and pass, by view (nil
// where there is none), and how many there are.
func (q *Search) turnsOf(sessions bits, among []bits) (docs []bits, n int) {
	docs = make([]bits, len(q.snap.views))
	for i, k := range q.skips.views {
		pieces(among[i], q.skips.stretches[i], func(ord uint32, word int, piece uint64) {
			if piece &= k.pass.word(word); piece == 0 || !sessions.has(q.found.at(i, ord)) {
				return
			}
			if docs[i] == nil {
				docs[i] = newBits(q.snap.views[i].Len(shard.Turn))
			}
			docs[i][word] |= piece
			n += bit.OnesCount64(piece)
		})
	}
	return docs, n
}

// shut completes all sessions that could come among the first.
func (q *Search) shut(ctx context.Context) error {
	s := q.skips
	s.open = false
	if err := q.matchingOf()(); err != nil {
		return err
	}
	floor := s.floor.score()
	if u := (&sessionHit{}).most(floor); u*slack >= s.leaders.least() {
		if err := q.again(ctx, floor); err != nil {
			return err
		}
	}
	return q.complete()
}

// again looks for turns below a floor above which all are known, down to where
// a session cannot come among those that the second stage puts in order.
func (q *Search) again(ctx context.Context, known float64) error {
	s := q.skips
	all := newBits(q.found.len())
	for _, number := range q.found.touched {
		all.add(number)
	}
	q.forget(all, known)
	s.floor.bits.Store(0)
	s.floor.raise(s.reach(s.leaders.least()))
	views := make([]int, len(s.views))
	for i := range views {
		views[i] = i
		s.views[i].open()
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return q.above(views, known)
}
