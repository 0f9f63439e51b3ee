package search

import (
	"cmp"
	"context"
	"slices"

	"github.com/hansard-search/hansard/corpus/internal/rank"
)

// A session is open while turns below the floor may be among its best: its score
// is known as a bound. The second stage looks at few of the rows that it may put
// in order, so only the sessions of those are completed. What it answers is the
// same as if all were: rows are taken in the order of their bounds, and when the
// bounds do not tell whether a row is among those that the second stage puts in
// order, all are completed after all (shut).

// ahead lets sessions stay open where far fewer rows are shown than put in order.
func (q *Search) ahead(limit int) {
	if limit < 0 || 2*limit > q.depth || q.scale.Batch == 0 {
		return
	}
	s := q.skips
	s.open = true
	s.ahead = leaders{most: limit + q.scale.Spare, which: 1, hits: q.found.hits}
	for _, p := range q.plan.Pairs {
		s.near += p.Weight
	}
}

// mostTells is how many batches are completed before all sessions are.
const mostTells = 8

// An opened is the rows of the first stage with open sessions among them.
type opened struct {
	q      *Search
	near   *nearReader
	left   []*contender // a heap, the one that can score most at its root
	all    []*contender
	sets   []blockSet // of the batch at hand, by view
	scores []float64  // of all, or their bounds
	tells  int        // batches that were completed to tell which rows are among the first
	unseen float64    // bound of the final scores of sessions of which nothing is found, 0 where they come too late
}

// orderOpen is order without the rows that are not shown. sure is false where it
// could not tell which are the first.
func (q *Search) orderOpen(ctx context.Context, limit int) (rows []Row, sure bool, err error) {
	total, other := q.Total, q.Other
	q.text = newTextReader(q.plan)
	o, err := q.opened()
	if err != nil {
		return nil, false, err
	}
	want := limit
	if o.unseen == 0 {
		want = min(want, len(o.left))
	}
	if want <= fewRows {
		o.near.keep = 2 * want
	}
	read, sure, err := o.read(ctx, want)
	for i := range o.sets {
		q.searcher.keepSet(o.sets[i].docs)
	}
	if err != nil || !sure {
		q.Total, q.Other = total, other // as they are counted once more
		return nil, false, err
	}
	rows = make([]Row, 0, min(limit, len(read)))
	for _, c := range read.final() {
		if len(rows) < limit {
			rows = append(rows, c.row())
		}
	}
	return rows, true, nil
}

// opened collects the rows that could be among the first.
func (q *Search) opened() (*opened, error) {
	closed, open, err := q.openRows()
	if err != nil {
		return nil, err
	}
	o := &opened{q: q, near: q.nearReader(), sets: make([]blockSet, len(q.snap.views))}
	o.left = o.near.contenders(closed)
	floor, all := q.skips.floor.score(), q.orderRoom().contenders(len(open))
	for i, number := range open {
		h, c := &q.found.hits[number], &all[i]
		c.open, c.session = true, number
		c.score = h.most(floor)
		if h.best[0] >= h.from(floor) {
			c.ref, c.sites = q.ref(h.view, h.doc), h.sites
		}
		c.most = o.near.first(c)
		o.left = append(o.left, c)
	}
	room := q.room
	for i, c := range o.left {
		c.place = i
		room.scores = append(room.scores, c.score)
	}
	room.heap, room.rows = o.left, append(room.rows, o.left...) // with the room that they took
	o.all, o.scores = room.rows, room.scores
	if u := (&sessionHit{}).most(floor) * slack; floor > 0 && u >= q.skips.leaders.least() {
		o.unseen = (u + rank.Near*o.near.most) * rank.RecencyMost
	}
	heapify(o.left)
	return o, nil
}

// openRows finds the first rows of what is known, and returns those
// sessions that are open and could come among them.
func (q *Search) openRows() (closed []ranked, open []uint32, err error) {
	open = q.orderRoom().open[:0]
	var records []uint32 // of which no turn is found
	for _, number := range q.found.touched {
		if q.found.hits[number].turns == 0 {
			records = append(records, number)
		} else if open, err = q.openRow(open, number, true); err != nil {
			return nil, nil, err
		}
	}
	if len(records) > 0 {
		if q.skips.counts.Wait(); q.skips.failed != nil {
			return nil, nil, q.skips.failed
		}
	}
	for _, number := range records {
		if open, err = q.openRow(open, number, q.skips.matched.has(number)); err != nil {
			return nil, nil, err
		}
	}
	q.room.open = open
	return q.turns.Kept(), open, nil
}

// openRow adds the row of a session of which turns match, or none, to the first
// ones or, where it is open and could come among them, appends it.
func (q *Search) openRow(open []uint32, number uint32, match bool) ([]uint32, error) {
	if h, floor := &q.found.hits[number], q.skips.floor.score(); match && !h.complete(floor) {
		if h.most(floor)*slack >= q.skips.leaders.least() {
			open = append(open, number)
		}
		return open, nil
	}
	r, ok, err := q.sessionRow(number)
	if ok && (!q.turns.Full() || r.score >= q.turns.Worst().score) {
		q.turns.Add(r)
	}
	return open, err
}

// read is search.read for rows some of which are open. sure is false where what
// is known does not tell the first rows.
func (o *opened) read(ctx context.Context, want int) (read settled, sure bool, err error) {
	for {
		if err := ctx.Err(); err != nil {
			return nil, false, err
		}
		most := o.unseen
		if len(o.left) > 0 {
			most = max(most, o.left[0].most)
		}
		if read.reached(want, most) || len(o.left) == 0 && most == 0 {
			return read, true, nil
		}
		if most == o.unseen {
			return nil, false, nil
		}
		switch c := o.left[0]; {
		case o.late(c):
			o.pop()
		case !c.bounded && !c.hidden():
			if err := o.near.bound(c); err != nil {
				return nil, false, err
			}
			siftDown(o.left)
		case o.unread(c):
			if err := o.readText(c); err != nil {
				return nil, false, err
			}
		case c.open:
			if err := o.complete(); err != nil {
				return nil, false, err
			}
		case !c.read:
			if err := o.readText(c); err != nil { // which mostly is enough, and far less than to tell
				return nil, false, err
			}
		case o.surplus(c.score) > 0:
			if sure, err := o.tell(c.score); err != nil || !sure {
				return nil, false, err
			}
		default:
			if err := o.near.settle(c); err != nil {
				return nil, false, err
			}
			read.add(o.pop())
		}
	}
}

// surplus is how many rows too many may score as much as one for that one to be
// certainly among those that the second stage puts in order. Sessions of which
// nothing is found score less: the row has a higher bound.
func (o *opened) surplus(score float64) int {
	n := 0
	for _, s := range o.scores {
		if s >= score {
			n++
		}
	}
	return n - o.q.depth
}

// tell completes a batch of sessions to tell whether a row with a score is among
// those that the second stage puts in order: those whose score is most likely
// lower. sure is false where that took too many already.
func (o *opened) tell(score float64) (sure bool, err error) {
	var open []*contender
	for i, c := range o.all {
		if c.open && o.scores[i] >= score {
			open = append(open, c)
		}
	}
	if o.tells++; o.tells > mostTells || len(open) < o.surplus(score) {
		return false, nil
	}
	slices.SortFunc(open, func(a, b *contender) int { return cmp.Compare(a.score, b.score) })
	b := o.newBatch(open[0])
	for _, c := range open {
		if !b.like(c) {
			continue
		}
		if err := b.add(c); err != nil {
			return false, err
		}
		if b.turns >= o.q.scale.Batch {
			break
		}
	}
	if err := o.run(b, nil); err != nil {
		return false, err
	}
	heapify(o.left)
	return true, nil
}

// late reports whether a row certainly comes too late for the second stage.
func (o *opened) late(c *contender) bool { return c.score*slack < o.q.skips.leaders.least() }

// hidden reports whether it is not known which turn stands for the session.
func (c *contender) hidden() bool { return c.ref.view == nil }

// unread reports whether the text of an open row can tell that its words do not
// stand close, which often is enough to see that it comes too late: that takes
// no longer than to complete a long session, and can tell more of it.
func (o *opened) unread(c *contender) bool {
	if !c.open || !c.bounded || c.read || c.pairs.most == 0 {
		return false
	}
	h := &o.q.found.hits[c.session]
	return rank.Near*c.pairs.most > c.score-rank.Session(&h.best, h.title, h.summary) && o.long(c)
}

// long reports whether a session has many turns.
func (o *opened) long(c *contender) bool {
	if c.turns == 0 {
		o.q.found.each(c.session, func(r sessionRef) {
			_, n, _ := o.q.snap.views[r.view].TurnsSpan(r.ord) // what is wrong is told when it is completed
			c.turns += n
		})
	}
	return c.turns >= o.q.scale.Long
}

// readText reads the text of the row that can score most.
func (o *opened) readText(c *contender) error {
	if err := o.near.read(c); err != nil {
		return err
	}
	c.most = c.unrepeated
	siftDown(o.left)
	return nil
}

func (o *opened) pop() *contender {
	c, last := o.left[0], len(o.left)-1
	o.left[0], o.left = o.left[last], o.left[:last]
	siftDown(o.left)
	return c
}
