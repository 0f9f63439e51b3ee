// Package search finds the first rows of a question in a published state of a corpus,
// and how many there are.
//
// A question is clauses, surfaces, and the turns of each shard that may answer. What
// its words stand for, and which documents have what has to match, is found by package
// query; the words are then looked up in the dictionaries (words.go, lanes.go). The
// first stage (Score) gives turns, and by them sessions, their scores: all of them
// (scan.go), or where there are many those that can come among the first (first.go for
// turns, open.go and complete.go for sessions). The second stage (First) puts the best
// rows in their final order, from how close words stand in their texts (order.go,
// near.go). Without words turns are listed, newest first (list.go).
//
// The package does not know the query language, by what names turns are filtered, or
// what of a turn is shown; it writes nothing.
package search

import (
	"cmp"
	"context"
	"slices"

	"github.com/hansard-search/hansard/corpus/internal/postings"
	"github.com/hansard-search/hansard/corpus/internal/published"
	"github.com/hansard-search/hansard/corpus/internal/query"
	"github.com/hansard-search/hansard/corpus/internal/rank"
	"github.com/hansard-search/hansard/corpus/internal/shard"
	"github.com/hansard-search/hansard/corpus/internal/terms"
	"github.com/hansard-search/hansard/surfaces"
)

// A Question is what a search looks for.
type Question struct {
	Clauses  []query.Clause  // as they were typed, in their order
	Surfaces surfaces.Set    // that are searched
	Pass     []*postings.Set // by view of the snapshot: the live turns that may answer; nil: all
	ByTurn   bool            // a row is a turn; else it is a session, shown by its best turn
	Limit    int             // rows that are shown; negative: all
}

// A Search is one question to one snapshot. It is for one goroutine at a time, but
// works on all processors, and ends with Close.
type Search struct {
	Total int // rows that match; once the first are found
	Other int // rows that match and do not pass; likewise

	asked    Question
	snap     *snapshot
	searcher *Searcher
	analyzer *terms.Analyzer
	plan     *query.Plan
	depth    int // rows that the second stage puts in order
	scale    *Scale

	could []*postings.Set // by view: live turns that meet the demands; nil: all
	found findings        // of sessions
	turns *rankedTop      // the first rows: those of turns while they are found
	room  *orderRoom      // of the second stage
	lanes []lane          // of turns
	bound [][]boundWord   // of turns, by view
	lists listRoom        // of bound words
	sited []uint8         // by word: see sites
	skips *skipping       // what a search knows that leaves turns out; nil: scores all

	demands *query.Demands
	text    *textReader // once rows are ordered; nil where the query has no words
}

// Begin begins a search, which is to be closed. The snapshot is to stay retained until
// then.
func (p *Searcher) Begin(s *published.Snapshot, asked Question) *Search {
	a := p.texts.Analyzer()
	return &Search{
		asked: asked, snap: snapshotOf(s), searcher: p, analyzer: a, depth: cmp.Or(p.Depth, rank.Depth), scale: cmp.Or(p.Scale, &usual),
		plan: query.New(s, nil, asked.Surfaces, a),
	}
}

// Score scores what the question's clauses can find, for First.
func (q *Search) Score(ctx context.Context) error {
	q.plan = query.New(q.snap.Snapshot, q.asked.Clauses, q.asked.Surfaces, q.analyzer)
	most := 0
	if q.asked.Limit >= 0 {
		most = max(q.depth, q.asked.Limit)
	}
	return q.run(ctx, most, q.asked.Limit)
}

// run scores what can come among the first most rows of the first stage, of
// which limit are shown.
func (q *Search) run(ctx context.Context, most, limit int) error {
	q.turns = q.searcher.top(most)
	if err := q.prepare(ctx); err != nil {
		return err
	}
	sessions, err := q.snap.numbering()
	if err != nil {
		return err
	}
	q.found = q.searcher.findings(sessions)
	return q.scanViews(ctx, most, limit)
}

// First returns the first rows of what was scored, in their final order.
func (q *Search) First(ctx context.Context) ([]Row, error) {
	if q.skips != nil && q.skips.open {
		rows, sure, err := q.orderOpen(ctx, q.asked.Limit)
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
	return q.order(ctx, q.asked.Limit)
}

// Count finds the totals of what was scored, where no row is shown.
func (q *Search) Count() error { return q.rows() }

// Nowhere reports whether a question of one word has one that no turn has as it is
// spelled, once it was scored.
func (q *Search) Nowhere() bool { return q.plan.Nowhere() }

// Unknown are the words that stand nowhere and were read as no others, never nil.
func (q *Search) Unknown() []string { return q.plan.Unknown }

// Repaired are the words that stand nowhere, and what each was read as; never nil.
func (q *Search) Repaired() map[string]string { return q.plan.Repaired }

// HasWords reports whether words are looked for.
func (q *Search) HasWords() bool { return len(q.plan.Words) > 0 }

// LeftOpen reports whether the first rows were told without finding the best turns
// of all sessions that could come among them.
func (q *Search) LeftOpen() bool { return q.skips != nil && q.skips.open }

// Close gives back what the next search writes on, and with it the texts of rows.
func (q *Search) Close() {
	if q.found.hits != nil {
		q.searcher.keep(&q.found)
	}
	q.searcher.keepTop(q.turns)
	q.turns = nil
	if q.room != nil {
		q.room.leave(q.searcher)
		q.room.empty()
		q.searcher.rooms.Put(q.room)
		q.room = nil
	}
	if q.skips != nil {
		q.skips.counts.Wait()
		q.searcher.keepSkipping(q.skips)
		q.skips = nil
	}
	q.text.release()
	q.searcher.texts.KeepAnalyzer(q.analyzer)
}

// prepare looks words up, weighs them and applies demands.
func (q *Search) prepare(ctx context.Context) error {
	s := q.snap
	if err := q.plan.Expand(q.known); err != nil {
		return err
	}
	q.lanes = s.lanesOf(q.asked.Surfaces, false, true)
	var err error
	if q.bound, err = q.bind(); err != nil {
		return err
	}
	q.plan.Weigh(s.liveTurns())
	q.sited = placeSites(q.plan, len(q.lanes))
	if q.demands, err = q.plan.Demands(&q.searcher.texts); err != nil {
		return err
	}
	q.could = make([]*postings.Set, len(s.views))
	names := scoredNames(q.lanes)
	for i, v := range s.views {
		set, err := q.demands.Meet(ctx, v.View, shard.Turn, names)
		if err != nil {
			return published.Damage(v.Name, err)
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
func (q *Search) scanViews(ctx context.Context, most, limit int) error {
	turns, lanes := 0, q.snap.lanesOf(q.asked.Surfaces, true, false)
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
	sc.limit(v, shard.Turn, q.could[i], q.asked.Pass[i])
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
