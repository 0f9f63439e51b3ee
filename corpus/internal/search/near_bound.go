package search

import (
	bit "math/bits"
	"slices"

	"github.com/hansard-search/hansard/corpus/internal/published"
	"github.com/hansard-search/hansard/corpus/internal/rank"
	"github.com/hansard-search/hansard/corpus/internal/shard"
)

// A nearness is where pairs of words can stand close together in a turn.
type nearness struct {
	most  float64 // how close they are at most, in one text
	lanes uint64  // as bits, that have both words of a pair
}

// A holder tells which turns have a word in a lane.
type holder struct {
	any  bool // all may have it: postings do not tell
	few  []uint32
	many *shard.Postings
}

func (h *holder) has(doc uint32) bool {
	if h.any || h.many != nil {
		return h.any || h.many.Contains(doc)
	}
	_, ok := slices.BinarySearch(h.few, doc)
	return ok
}

// bound lowers the bound of a row's score to what can be said without its text:
// which pairs of words stand in one surface, and only where that leaves it first,
// how old it is, which reads some place of a large column.
func (n *nearReader) bound(c *contender) error {
	if !c.paired && !c.record() {
		c.pairs, c.paired = n.possible(&c.ranked), true
		if most := n.first(c); most < c.most {
			c.most = most
			return nil
		}
	}
	updated, err := c.time()
	if err != nil {
		return published.Damage(c.ref.view.Name, err)
	}
	const day = 24 * 60 * 60 * 1000
	c.recency = rank.Recency(float64(n.q.snap.Manifest.IndexedAt-updated) / day)
	c.most, c.bounded = (c.score+rank.Near*c.pairs.most)*c.recency, true
	return nil
}

// possible says where pairs can stand close together in a turn, from its words: in
// one of its texts, so that pairs of two lanes do not add up.
func (n *nearReader) possible(r *ranked) (can nearness) {
	q := n.q
	for _, w := range n.words {
		n.holds[w] = unknown
	}
	for i, w := range n.words {
		var told bool
		if n.holds[w], told = r.sites.of(q.sited[w], len(q.lanes)); !told {
			n.holds[w] = n.lookUp(i, r.ref, n.partners(w))
		}
	}
	clear(n.sums)
	for i := range q.plan.Pairs {
		p := &q.plan.Pairs[i]
		both := n.holds[p.First] & n.holds[p.Second]
		can.lanes |= both
		for ; both != 0; both &= both - 1 {
			l := bit.TrailingZeros64(both)
			n.sums[l] += p.Weight
			can.most = max(can.most, n.sums[l])
		}
	}
	return can
}

// unknown stands for lanes of a word that nobody looked up.
const unknown = ^uint64(0)

// partners are the lanes in which a word can be of use in the turn at hand: those
// that have one of the words beside it, or may have.
func (n *nearReader) partners(word int) (lanes uint64) {
	pairs, i := n.q.plan.Pairs, n.begins[word]
	if i > 0 {
		lanes = n.holds[pairs[i-1].First]
	}
	if i < len(pairs) {
		lanes |= n.holds[pairs[i].Second]
	}
	return lanes
}

// lookUp finds in postings those lanes of some, as bits, that have the i-th word in
// a turn.
func (n *nearReader) lookUp(i int, ref docRef, some uint64) (lanes uint64) {
	view, all := slices.Index(n.q.snap.views, ref.view), len(n.q.lanes)
	if n.holders[view] == nil {
		n.holders[view] = n.holdersIn(view)
	}
	return n.lanes(n.holders[view][i*all:][:all], ref.doc, some)
}

// lanes are those of some, as bits, that have a word in a turn.
func (n *nearReader) lanes(holders []holder, doc uint32, some uint64) (lanes uint64) {
	for l := range holders {
		if some>>l&1 == 1 && n.q.lanes[l].scored && holders[l].has(doc) {
			lanes |= 1 << l
		}
	}
	return lanes
}

// holdersIn makes the holders of a view, by place in words and lane.
func (n *nearReader) holdersIn(view int) []holder {
	q := n.q
	all := make([]holder, len(n.words)*len(q.lanes))
	for i, w := range n.words {
		holders := all[i*len(q.lanes):][:len(q.lanes)]
		if q.plan.Words[w].AnyForm() {
			for l := range holders {
				holders[l].any = true
			}
			continue
		}
		lists := firstGroup(q.bound[view][w].lists)
		for k := range lists {
			h := &holders[lists[k].lane] // the only list: other forms have keys of their own
			few, ok := n.room.fewDocs(&lists[k].p)
			if h.few = few.docs; !ok {
				h.many = &lists[k].p
			}
		}
	}
	return all
}
