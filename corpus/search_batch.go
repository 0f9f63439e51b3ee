package corpus

import (
	"math"
	bit "math/bits"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/hansard-search/hansard/corpus/internal/rank"
	"github.com/hansard-search/hansard/corpus/internal/shard"
)

// A batch is open sessions that are completed together.
type batch struct {
	q     *search
	open  []*contender
	docs  []bits  // their turns that match, by view
	turns int     // how many there are
	again bool    // these are looked for again
	level float64 // from which on they are looked for
}

// newBatch makes a batch for a session and others like it: the turns of those of
// which the best are not known yet are looked for down to a share of the floor,
// which is enough for most, and only then all.
func (q *search) newBatch(c *contender) *batch {
	b := &batch{q: q, docs: make([]bits, len(q.snap.views))}
	if b.again = q.found.hits[c.session].lower; !b.again {
		b.level = q.scale.level * q.skips.floor.score()
	}
	return b
}

// like reports whether a session can be completed with those of the batch.
func (b *batch) like(c *contender) bool {
	return b.again == b.q.found.hits[c.session].lower
}

// add adds a session.
func (b *batch) add(c *contender) (err error) {
	b.open = append(b.open, c)
	views := b.q.snap.views
	b.q.found.each(c.session, func(r sessionRef) {
		docs, failed := views[r.view].TurnsOfOrd(r.ord)
		if failed != nil {
			err = damage(views[r.view].name, failed)
		}
		if len(docs) == 0 {
			return
		}
		if b.docs[r.view] == nil {
			b.docs[r.view] = b.q.pools.set((views[r.view].Len(shard.Turn) + 63) / 64)
		}
		b.turns += b.docs[r.view].addOf(b.q.skips.matching[r.view], docs)
	})
	return err
}

// addOf adds those of docs, ascending, that are in a set and returns how many.
func (b bits) addOf(set bits, docs []uint32) (n int) {
	for len(docs) > 0 {
		word, mask := docs[0]>>6, uint64(0)
		for len(docs) > 0 && docs[0]>>6 == word {
			if n := 64 - int(docs[0]&63); len(docs) >= n && docs[n-1] == docs[0]|63 {
				mask, docs = mask|^uint64(0)<<(docs[0]&63), docs[n:] // all up to the word's end
				break
			}
			mask, docs = mask|1<<(docs[0]&63), docs[1:]
		}
		mask &= set[word]
		b[word] |= mask
		n += bit.OnesCount64(mask)
	}
	return n
}

// run finds all turns of the batch's sessions: the views at the same time.
func (b *batch) run() error {
	q := b.q
	known, need := q.skips.floor.score(), newBits(q.found.len())
	for _, c := range b.open {
		need.add(c.session)
	}
	q.forget(need, known)
	errs := make([]error, len(b.docs))
	var next atomic.Uint32
	work := func() {
		for i := int(next.Add(1)) - 1; i < len(b.docs); i = int(next.Add(1)) - 1 {
			if b.docs[i] != nil {
				errs[i] = damage(q.snap.views[i].name, q.snap.protected(func() error { return b.rest(i, known) }))
			}
		}
	}
	var others sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(b.docs)) - 1 {
		others.Go(work)
	}
	work()
	others.Wait()
	for _, set := range b.docs {
		q.pools.keepSet(set)
	}
	for _, err := range errs {
		if err != nil {
			return err
		}
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
	k := q.skips.views[view]
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
		if b.level == 0 {
			return k.rescore(0, k.blocks(), b.docs[view], 0, emit)
		}
		l := leading{q: q, view: view, skipper: k, emit: emit}
		return l.rescore(b.docs[view], b.level)
	})
}

// complete completes the sessions of the first open rows, some at a time.
func (o *opened) complete() error {
	var taken []*contender
	b, bar := o.q.newBatch(o.left[0]), max(o.unseen, o.q.skips.ahead.least())
	for len(o.left) > 0 && b.turns < o.q.scale.batch && (len(b.open) == 0 || o.left[0].most > bar) {
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
