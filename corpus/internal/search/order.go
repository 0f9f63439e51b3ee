package search

import (
	"cmp"
	"context"
	"slices"

	"github.com/hansard-search/hansard/corpus/internal/rank"
	"github.com/hansard-search/hansard/corpus/internal/shard"
	"github.com/hansard-search/hansard/corpus/internal/signal"
)

// A contender is a row of the first stage on its way to its final place.
type contender struct {
	ranked
	most    float64 // bound of unrepeated
	paired  bool    // pairs is known
	bounded bool    // most is as low as it gets without the text
	read    bool    // how close its words stand is known
	settled bool    // its prompt is, too
	pairs   nearness
	recency float64
	open    bool   // the score is a bound: the session is not complete
	session uint32 // its number, where it is open
	turns   int    // of the session, where they were counted
	place   int    // among all rows, where some are open

	near       float64
	unrepeated float64         // the final score before repeated prompts are held back
	prompt     signal.Hash     // to tell repeated ones
	before     int             // better rows with the same prompt
	texts      []shard.Passage // where they are kept
	repeat     float64
	final      float64
}

// row is the contender's row of the answer, once it was read.
func (c *contender) row() Row {
	r := c.ranked.row()
	r.near, r.recency, r.repeat, r.Final, r.Texts = c.near, c.recency, c.repeat, c.final, c.texts
	return r
}

// order puts the first rows in their final order, as far as limit rows (all for
// a negative limit), and drops the others. It reads texts only while a row that
// was not read yet could still come into those.
func (q *Search) order(ctx context.Context, limit int) ([]Row, error) {
	rows := q.turns.Kept()
	if len(rows) > q.depth {
		rows = q.turns.Sorted()
	}
	deep := rows[:min(q.depth, len(rows))]
	q.text = newTextReader(q.plan)
	want := len(deep)
	if limit >= 0 {
		want = min(want, limit)
	}
	read, err := q.read(ctx, deep, want)
	if err != nil {
		return nil, err
	}
	out := make([]Row, 0, len(read))
	for _, c := range read.final() {
		if limit < 0 || len(out) < limit {
			out = append(out, c.row())
		}
	}
	if len(read) == len(deep) {
		for i := range rows[len(deep):] {
			if limit < 0 || len(out) < limit {
				r := rows[len(deep)+i].row()
				r.Final = r.score
				out = append(out, r)
			}
		}
	}
	return out, nil
}

// fewRows is up to how many rows are shown with texts that were read to order them:
// of more, what is kept until then takes too much room.
const fewRows = 20

// read reads rows, the ones that can score most first, until the first want of
// all are among those that are read.
func (q *Search) read(ctx context.Context, rows []ranked, want int) (settled, error) {
	near := q.nearReader()
	if want <= fewRows {
		near.keep = 2 * want
	}
	left := near.contenders(rows)
	read := make(settled, 0, min(len(rows), 2*want))
	for len(left) > 0 && !read.reached(want, left[0].most) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if c := left[0]; !c.bounded {
			if err := near.bound(c); err != nil {
				return nil, err
			}
		} else if !c.read {
			if err := near.read(c); err != nil {
				return nil, err
			}
			c.most = c.unrepeated
		} else {
			if err := near.settle(c); err != nil {
				return nil, err
			}
			read.add(c)
			last := len(left) - 1
			left[0], left = left[last], left[:last]
		}
		siftDown(left)
	}
	return read, nil
}

// contenders returns rows as a heap, the one that can score most at its root, with
// bounds that cost nothing.
func (n *nearReader) contenders(rows []ranked) []*contender {
	room := n.room
	room.empty()
	all := room.contenders(len(rows))
	for i := range rows {
		c := &all[i]
		c.ranked = rows[i]
		c.most = n.first(c)
		room.heap = append(room.heap, c)
	}
	heapify(room.heap)
	return room.heap
}

// first is a bound of a row's final score that reads nothing.
func (n *nearReader) first(c *contender) float64 {
	if c.record() {
		return c.score * rank.RecencyMost
	}
	if n.told && !c.paired && !c.hidden() {
		c.pairs, c.paired = n.possible(&c.ranked), true
	}
	pairs := n.most
	if c.paired {
		pairs = c.pairs.most
	}
	return (c.score + rank.Near*pairs) * rank.RecencyMost
}

// heapify makes a heap.
func heapify(all []*contender) {
	for i := len(all)/2 - 1; i >= 0; i-- {
		sift(all, i)
	}
}

// siftDown puts the root of a heap where it belongs.
func siftDown(heap []*contender) { sift(heap, 0) }

func sift(heap []*contender, i int) {
	for {
		best := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(heap); child++ {
			if heap[child].most > heap[best].most {
				best = child
			}
		}
		if best == i {
			return
		}
		heap[i], heap[best] = heap[best], heap[i]
		i = best
	}
}

// Settled rows were read. They are in the order of their scores before repeated
// prompts are held back; ties are broken as in the final order.
type settled []*contender

// add puts a row where it belongs.
func (s *settled) add(c *contender) {
	i, _ := slices.BinarySearchFunc(*s, c, func(a, b *contender) int { return byScore(a, b, a.unrepeated, b.unrepeated) })
	*s = slices.Insert(*s, i, c)
	for at, o := range *s {
		switch {
		case c.prompt.IsZero() || o.prompt != c.prompt || at == i:
		case at < i:
			c.before++
		default:
			o.before++
			o.hold()
		}
	}
	c.hold()
}

// hold holds a repeated prompt back.
func (c *contender) hold() {
	c.repeat = rank.Repeated(c.before)
	c.final = c.unrepeated * c.repeat
}

// reached reports whether want rows have final scores above most, so that no row
// below it comes among them or takes something from them.
func (s settled) reached(want int, most float64) bool {
	n := 0
	for _, c := range s {
		if n == want || c.unrepeated <= most {
			break
		}
		if c.final > most {
			n++
		}
	}
	return n >= want
}

// final returns the rows in their final order.
func (s settled) final() []*contender {
	slices.SortFunc(s, func(a, b *contender) int { return byScore(a, b, a.final, b.final) })
	return s
}

func byScore(a, b *contender, scoreA, scoreB float64) int {
	if c := cmp.Compare(scoreB, scoreA); c != 0 {
		return c
	}
	return compareRefs(a.ref, b.ref)
}
