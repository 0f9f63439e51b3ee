package search

import (
	"cmp"
	bit "math/bits"
	"slices"

	"github.com/hansard-search/hansard/corpus/internal/published"
	"github.com/hansard-search/hansard/corpus/internal/shard"
)

// A sessionCount finds the sessions that have a turn that matches. Most of them have
// one of the query's commonest word, and are not looked for in other lists.
type sessionCount struct {
	q      *Search
	view   int
	others bits // sessions that have a turn that matches and does not pass, of those at least that have none that passes
	lists  []*shard.Postings
	at     []shard.Blocks // in lists, the longest first
	days   []bits
	docs   shard.Mask      // of the block at hand, that match
	left   []shard.Stretch // of the block at hand, of sessions that are not known to match
	from   []uint32        // the first turns of those
}

// countSessions counts the sessions that have a turn that matches, those that
// have one that passes and the others, while the first ones are looked for.
// Sessions of which title or summary match and no turn that passes are counted
// with their rows.
func (q *Search) countSessions() {
	s := q.skips
	s.matched = newBits(q.found.len())
	c := sessionCount{q: q, others: newBits(q.found.len())}
	for i, v := range q.snap.views {
		err := q.snap.Protected(func() error {
			c.viewed(i)
			return nil
		})
		s.failed = cmp.Or(s.failed, published.Damage(v.Name, err))
	}
	for i, w := range s.matched {
		s.total += bit.OnesCount64(w)
		for m := c.others[i] &^ w; m != 0; m &= m - 1 {
			if h := &q.found.hits[i<<6|bit.TrailingZeros64(m)]; h.title == 0 && h.summary == 0 {
				s.other++
			}
		}
	}
}

// viewed finds the sessions of a view.
func (c *sessionCount) viewed(view int) {
	c.view = view
	c.open()
	k, of := c.q.skips.views[view], c.q.skips.stretches[view].all
	begin := uint32(0) // of the first stretch of those
	for b := range k.blocks() {
		c.left, c.from = c.left[:0], c.from[:0]
		end := (b + 1) << shard.BlockShift
		for len(of) > 0 {
			if !c.q.skips.matched.has(c.q.found.at(view, of[0].Session)) {
				c.left, c.from = append(c.left, of[0]), append(c.from, begin)
			}
			if of[0].End > end {
				break
			}
			begin, of = of[0].End, of[1:]
		}
		if len(c.left) > 0 {
			c.block(b)
		}
	}
}

// open sets cursors before the first block.
func (c *sessionCount) open() {
	k := c.q.skips.views[c.view]
	c.lists, c.at, c.days = c.lists[:0], c.at[:0], c.days[:0]
	for w := range k.bound {
		if k.plan.Words[w].Minor {
			continue
		}
		if k.days[w] != nil {
			c.days = append(c.days, k.days[w])
		}
		for _, lists := range k.bound[w].lists {
			for n := range lists {
				if k.lanes[lists[n].lane].scored {
					c.lists = append(c.lists, &lists[n].p)
				}
			}
		}
	}
	slices.SortFunc(c.lists, func(a, b *shard.Postings) int { return cmp.Compare(b.Len(), a.Len()) })
	for _, p := range c.lists {
		c.at = append(c.at, p.Blocks())
	}
}

// block finds the sessions that are left of a block.
func (c *sessionCount) block(b uint32) {
	c.docs = shard.Mask{}
	for _, days := range c.days {
		for n, w := range days.words(b) {
			c.docs[n] |= w
		}
	}
	for i := range c.at {
		at := &c.at[i]
		if !at.Seek(b) || at.Block != b {
			continue
		}
		if at.Or(&c.docs); at.Docs >= len(c.left) { // of fewer it takes longer to see
			if c.settle(b); len(c.left) == 0 {
				return
			}
		}
	}
	c.settle(b)
	for i, s := range c.left {
		if c.any(b, c.from[i], s.End, nil) {
			c.others.add(c.q.found.at(c.view, s.Session))
		}
	}
}

// settle leaves out the sessions that have a turn that matches and passes.
func (c *sessionCount) settle(b uint32) {
	k, kept := c.q.skips.views[c.view], 0
	k.live.and(b, &c.docs)
	for i, s := range c.left {
		if c.any(b, c.from[i], s.End, k.pass) {
			c.q.skips.matched.add(c.q.found.at(c.view, s.Session))
			continue
		}
		c.left[kept], c.from[kept] = s, c.from[i]
		kept++
	}
	c.left, c.from = c.left[:kept], c.from[:kept]
}

// any reports whether a turn of a stretch matches, in a block, and is in a set.
func (c *sessionCount) any(b, from, to uint32, set bits) bool {
	first := b << shard.BlockShift
	from, to = max(from, first)-first, min(to-first, shard.BlockDocs)
	for from < to {
		n := from >> 6
		in := c.docs[n] & set.word(int(first>>6+n)) & (^uint64(0) << (from & 63))
		if from = (n + 1) << 6; from > to {
			in &= ^uint64(0) >> (from - to)
		}
		if in != 0 {
			return true
		}
	}
	return false
}
