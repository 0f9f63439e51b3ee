package search

import (
	"cmp"
	"math"
	"runtime"
	"sync/atomic"

	"github.com/hansard-search/hansard/corpus/internal/published"
	"github.com/hansard-search/hansard/corpus/internal/rank"
	"github.com/hansard-search/hansard/corpus/internal/shard"
)

// A batch is open sessions that are completed together.
type batch struct {
	q     *Search
	open  []*contender
	docs  []blockSet // their turns, by view
	share float64    // of all turns, that about match
	turns int        // about how many of the batch's do
	again bool       // these are looked for again
	level float64    // from which on they are looked for
}

// newBatch makes a batch for a session and others like it: the turns of those of
// which the best are not known yet are looked for down to a share of the floor,
// which is enough for most, and only then all.
func (o *opened) newBatch(c *contender) *batch {
	q := o.q
	b := &batch{q: q, docs: o.sets, share: max(q.share(), leastShare)}
	if b.again = q.found.hits[c.session].lower; !b.again {
		b.level = q.scale.Level * q.skips.floor.score()
	}
	return b
}

// share is about which share of all turns match.
func (q *Search) share() float64 {
	turns, none := 0, 1.0
	for _, v := range q.snap.views {
		turns += v.Len(shard.Turn)
	}
	for i := range q.plan.Words {
		if w := &q.plan.Words[i]; !w.Minor {
			none *= 1 - float64(w.Docs)/float64(max(turns, w.Docs, 1))
		}
	}
	return 1 - none
}

// leastShare is what turns that match are taken for where they are fewer: to look for
// them takes time as well.
const leastShare = 1. / 8

// like reports whether a session can be completed with those of the batch.
func (b *batch) like(c *contender) bool {
	return b.again == b.q.found.hits[c.session].lower
}

// add adds a session.
func (b *batch) add(c *contender) (err error) {
	b.open = append(b.open, c)
	views := b.q.snap.views
	b.q.found.each(c.session, func(r sessionRef) {
		n, failed := b.addTurns(r)
		if failed != nil {
			err = published.Damage(views[r.view].Name, failed)
		}
		b.turns += 1 + int(b.share*float64(n))
	})
	return err
}

// addTurns adds the turns of a session in a view and returns how many. Mostly they
// lie one after the other.
func (b *batch) addTurns(r sessionRef) (int, error) {
	v, set := b.q.snap.views[r.view], &b.docs[r.view]
	first, n, err := v.TurnsSpan(r.ord)
	if n == 0 || err != nil {
		return 0, err
	}
	if set.docs == nil {
		*set = blockSet{docs: b.q.searcher.set(wordsOf(v)), blocks: newBits(wordsOf(v) / (shard.BlockDocs / 64))}
	}
	end := first + uint32(n)
	if s := b.q.skips.stretches[r.view].of(first); s.Session == r.ord && end <= s.End {
		set.addRun(first, end)
		return n, nil
	}
	docs, err := v.TurnsOfOrd(r.ord)
	set.add(docs)
	return n, err
}

// run finds all turns of the batch's sessions: the views at the same time.
func (b *batch) run() error {
	q := b.q
	known, need := q.skips.floor.score(), newBits(q.found.len())
	for _, c := range b.open {
		need.add(c.session)
	}
	q.forget(need, known)
	var views []int
	for i := range b.docs {
		if b.docs[i].any {
			views = append(views, i)
			defer b.docs[i].empty()
		}
	}
	errs := make([]error, len(views))
	var next atomic.Uint32
	together(max(1, min(runtime.GOMAXPROCS(0), len(views))), func(int) {
		for n := int(next.Add(1)) - 1; n < len(views); n = int(next.Add(1)) - 1 {
			i := views[n]
			errs[n] = published.Damage(q.snap.views[i].Name, q.snap.Protected(func() error { return b.rest(i, known) }))
		}
	})
	if err := cmp.Or(errs...); err != nil {
		return err
	}
	for _, c := range b.open {
		h := &q.found.hits[c.session]
		h.lower, h.known = true, b.level
	}
	return nil
}

// rest finds the turns in a view from the batch's level on that score less than what
// is known.
func (b *batch) rest(view int, known float64) error {
	q := b.q
	k, docs := q.skips.views[view], &b.docs[view]
	k.crowd = math.MaxInt // a batch has too few turns of a block
	k.open()
	emit := func(doc uint32, score float64, has sites) {
		if score < known && score >= b.level {
			q.skips.mu.Lock()
			defer q.skips.mu.Unlock()
			q.leads(view, doc, score, has)
		}
	}
	return k.writing(func() error {
		l := leading{q: q, view: view, skipper: k, emit: emit}
		return docs.each(func(at uint32) error {
			k.in = docs.docs.all(at)
			k.pass.and(at, &k.in)
			if b.level == 0 {
				return k.block(at, 0, emit)
			}
			return l.block(at, b.level)
		})
	})
}

// complete completes the sessions of the first open rows, some at a time.
func (o *opened) complete() error {
	var taken []*contender
	b, bar := o.newBatch(o.left[0]), max(o.unseen, o.q.skips.ahead.least())
	for len(o.left) > 0 && b.turns < o.q.scale.Batch && (len(b.open) == 0 || o.left[0].most > bar) {
		c := o.left[0]
		if o.late(c) {
			o.pop()
			continue
		}
		if !c.bounded && !c.hidden() {
			if err := o.near.bound(c); err != nil {
				return err
			}
			siftDown(o.left)
			continue
		}
		if o.unread(c) {
			if err := o.readText(c); err != nil {
				return err
			}
			continue
		}
		if taken = append(taken, o.pop()); c.open && b.like(c) {
			if err := b.add(c); err != nil {
				return err
			}
		}
	}
	if err := o.run(b, taken); err != nil {
		return err
	}
	o.left = append(o.left, taken...)
	heapify(o.left)
	return nil
}

// run completes the sessions of a batch, and reads texts of rows meanwhile.
func (o *opened) run(b *batch, rows []*contender) error {
	reading := o.meanwhile(rows)
	err := b.run()
	reading.end()
	if err != nil {
		return err
	}
	for _, c := range b.open {
		o.completed(c)
	}
	return nil
}

// completed makes the row of a session of which more is known.
func (o *opened) completed(c *contender) {
	h, floor := &o.q.found.hits[c.session], o.q.skips.floor.score()
	c.open = !h.complete(floor)
	c.score = h.most(floor)
	o.scores[c.place] = c.score
	if c.hidden() && h.best[0] >= h.from(floor) {
		c.ref, c.sites = o.q.ref(h.view, h.doc), h.sites
	}
	if !c.open {
		c.hit = h
	}
	switch {
	case c.read:
		c.unrepeated = c.closeTogether()
		c.most = c.unrepeated
	case c.bounded:
		c.most = (c.score + rank.Near*c.pairs.most) * c.recency
	default:
		c.most = o.near.first(c)
	}
}
