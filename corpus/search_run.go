package corpus

import (
	"cmp"
	"context"
	"slices"

	"github.com/hansard-search/hansard/corpus/internal/postings"
	"github.com/hansard-search/hansard/corpus/internal/shard"
	"github.com/hansard-search/hansard/surfaces"
)

// A search is one query over one snapshot.
type search struct {
	snap  *snapshot
	pools *searchPools
	plan  *plan
	group Group
	depth int // rows that the second stage puts in order
	scale *scale
	pass  []*postings.Set // by view: live turns that pass the filters; nil: all
	could []*postings.Set // by view: live turns that meet the demands; nil: all
	found findings        // of sessions
	turns *rankedTop      // the first rows: those of turns while they are found
	room  *orderRoom      // of the second stage
	total int             // rows that match
	other int             // rows that match and do not pass
	lanes []lane          // of turns
	bound [][]boundWord   // of turns, by view
	sited []uint8         // by word: see sites
	skips *skipping       // what a search knows that leaves turns out; nil: scores all

	demands []demand
	text    *textReader // once rows are ordered; nil where the query has no words
}

// run scores what can come among the first most rows of the first stage, of
// which limit are shown.
func (q *search) run(ctx context.Context, most, limit int) error {
	q.turns = q.pools.top(most)
	if err := q.prepare(ctx); err != nil {
		return err
	}
	sessions, err := q.snap.numbering()
	if err != nil {
		return err
	}
	q.found = q.pools.findings(sessions)
	return q.scanViews(ctx, most, limit)
}

// first returns the first rows in their final order.
func (q *search) first(ctx context.Context, limit int) ([]row, error) {
	if q.skips != nil && q.skips.open {
		rows, sure, err := q.orderOpen(ctx, limit)
		if err := cmp.Or(err, q.counted()); sure || err != nil {
			return rows, err
		}
		if err := q.shut(ctx); err != nil {
			return nil, err
		}
		q.turns.Empty()
	}
	if err := q.rows(); err != nil {
		return nil, err
	}
	return q.order(ctx, limit)
}

// close gives back what the next search writes on.
func (q *search) close() {
	if q.found.hits != nil {
		q.pools.keep(&q.found)
	}
	q.pools.keepTop(q.turns)
	q.turns = nil
	if q.room != nil {
		q.room.leave(q.pools)
		q.room.empty()
		q.pools.rooms.Put(q.room)
		q.room = nil
	}
	if q.skips == nil {
		return
	}
	q.skips.counts.Wait()
	q.pools.keepSkipping(q.skips)
	q.skips = nil
}

// prepare looks words up, weighs them and applies demands.
func (q *search) prepare(ctx context.Context) error {
	s := q.snap
	if err := s.expand(q.plan); err != nil {
		return err
	}
	q.lanes = s.lanesOf(q.plan.searched, false, true)
	var err error
	if q.bound, err = s.bind(q.plan, q.lanes); err != nil {
		return err
	}
	s.weigh(q.plan)
	q.sited = q.plan.placeSites(len(q.lanes))
	if q.demands, err = s.demands(q.plan); err != nil {
		return err
	}
	q.could = make([]*postings.Set, len(s.views))
	names := scoredNames(q.lanes)
	for i, v := range s.views {
		set, err := q.meet(ctx, v, shard.Turn, names)
		if err != nil {
			return damage(v.name, err)
		}
		q.could[i] = set
	}
	return nil
}

func scoredNames(lanes []lane) []surfaces.Name {
	var names []surfaces.Name
	for i := range lanes {
		if lanes[i].scored {
			names = append(names, lanes[i].surface)
		}
	}
	return names
}

// scanViews scores session records and turns.
func (q *search) scanViews(ctx context.Context, most, limit int) error {
	turns, lanes := 0, q.snap.lanesOf(q.plan.searched, true, false)
	for i, v := range q.snap.views {
		turns += v.Len(shard.Turn)
		if err := q.scanRecords(ctx, i, v, lanes); err != nil {
			return damage(v.name, err)
		}
	}
	if most > 0 && turns >= q.scale.skip && !q.scoresAll(turns) {
		return q.skipViews(ctx, most, limit)
	}
	for i, v := range q.snap.views {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := q.scanTurns(i, v); err != nil {
			return damage(v.name, err)
		}
	}
	return nil
}

// scanTurnsOf makes sc, which has nothing but room, a scanner of a view's turns.
func (q *search) scanTurnsOf(sc *scanner, i int, v *view) (err error) {
	sc.pool, sc.plan, sc.lanes, sc.bound, sc.docs, sc.sited = &q.pools.scratches, q.plan, q.lanes, q.bound[i], v.Len(shard.Turn), q.sited
	sc.many = slices.ContainsFunc(q.lanes, func(l lane) bool { return l.slot != slotPrompt })
	sc.limit(v, shard.Turn, q.could[i], q.pass[i])
	sc.tools, err = v.tooled()
	return err
}

func (q *search) scanTurns(i int, v *view) error {
	k := q.pools.skipper() // of which only the scanner is used
	defer q.pools.keepSkipper(k)
	sc := &k.scanner
	if err := q.scanTurnsOf(sc, i, v); err != nil {
		return err
	}
	session, err := v.sessionsOfTurns()
	if err != nil {
		return err
	}
	if q.group != ByTurn {
		return q.scanSessions(i, sc, session)
	}
	hit := func(doc uint32) *sessionHit { return q.found.hit(q.found.at(i, session(doc))) }
	var others func(doc uint32)
	if q.pass[i] != nil {
		others = func(doc uint32) {
			hit(doc).other = true
			q.other++
		}
	}
	return sc.scan(func(doc uint32, score float64, has sites) {
		q.turnFound(hit(doc), uint32(i), doc, score, has)
		q.total++
		q.addTurn(docRef{v, doc}, score, has)
	}, others)
}

// addTurn makes a row of a turn, if it is among the best so far.
func (q *search) addTurn(ref docRef, score float64, has sites) {
	if !q.turns.Full() || score >= q.turns.Worst().score {
		q.turns.Add(ranked{ref: ref, score: score, sites: has})
	}
}

// scanRecords scores titles, and summaries, in the given lanes.
func (q *search) scanRecords(ctx context.Context, i int, v *view, all []lane) error {
	ords, err := v.SessionOrds(shard.Session)
	if err != nil {
		return err
	}
	if len(all) == 0 || v.Len(shard.Session) == 0 {
		return nil
	}
	set, err := q.meet(ctx, v, shard.Session, scoredNames(all))
	if err != nil {
		return err
	}
	k := q.pools.skipper() // of which only the scanner is used
	defer q.pools.keepSkipper(k)
	for n := range all {
		bound, err := v.bind(q.plan, all[n:n+1])
		if err != nil {
			return err
		}
		sc := &scanner{pool: &q.pools.scratches, plan: q.plan, lanes: all[n : n+1], bound: bound, docs: v.Len(shard.Session), cursors: k.cursors}
		sc.limit(v, shard.Session, set, nil)
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

// limit says what could match (all that is live where it is nil) and what of
// that passes (nil: all).
func (s *scanner) limit(v *view, k shard.Kind, could, pass *postings.Set) {
	for i := range s.lanes {
		s.cols = append(s.cols, v.Codes(s.lanes[i].surface))
	}
	n := v.Len(k)
	if gone := v.gone[k]; could == nil && !gone.Empty() {
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
