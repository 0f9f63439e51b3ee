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

// For who reads the code. A view is a shard of the snapshot, a lane a surface whose
// texts are searched in it, a list the postings of one key there. The floor is a score
// below which a turn makes no difference, and rises while better ones are found; a bound
// is the most that something can score, and slack makes up for its rounding. A session
// is open while turns below the floor may be among its best. The files are about
//
//	search searcher scale found        a search, what it writes on, what it finds
//	snapshot numbering stretch tools   what searches remember of a snapshot and of its shards
//	words lanes lane_kinds sites       words in the dictionaries, and what their occurrences count
//	score scan whole cursors bits      the first stage, where all turns are scored
//	first share beside                 the first stage, where turns are left out
//	skip skippers bound gather picked  which those are, of a block, by the bounds of words
//	rough                              likewise, where words are common
//	sample promising guess             what is scored before all else, so that the floor is high
//	leading leaders                    the best turns of sessions, and the best sessions
//	complete batch blocks open         sessions that are open
//	count sessions                     how many rows there are
//	rows top                           the first rows
//	order room text prompt meanwhile   the second stage
//	near near_bound                    how close words stand, and how close they can
//	list explain                       what is listed without words; the parts of a score

import (
	"cmp"
	"context"

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
	q.lanes = s.turnLanes(q.asked.Surfaces)
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
