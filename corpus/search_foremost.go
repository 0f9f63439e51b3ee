package corpus

import (
	"cmp"
	"slices"

	"github.com/hansard-search/hansard/corpus/internal/rank"
)

// foremost reads the texts of those rows that score most by what is known of them, as
// many as are wanted: most of them are shown. What all of these score at least, closeness
// with it, is what it takes to be shown, and more than the sessions alone tell: a third
// fewer have to be completed.
func (o *opened) foremost(want int) error {
	o.bar = new(float64)
	least := o.q.skips.ahead.least()
	var rows []*contender
	for _, c := range o.left {
		if c.score >= least && !c.hidden() && o.known(c) >= least {
			rows = append(rows, c)
		}
	}
	if len(rows) < want {
		return nil
	}
	slices.SortFunc(rows, func(a, b *contender) int { return cmp.Compare(o.known(b), o.known(a)) })
	for _, c := range rows[:want] {
		for !c.bounded {
			if err := o.near.bound(c); err != nil {
				return err
			}
		}
		if err := o.near.read(c); err != nil {
			return err
		}
		c.most = c.unrepeated
		low := (o.known(c) + rank.Near*c.near) * c.recency
		if *o.bar == 0 || low < *o.bar {
			*o.bar = low
		}
	}
	heapify(o.left)
	return nil
}

// known is what a row scores at least, before it is read.
func (o *opened) known(c *contender) float64 {
	if !c.open {
		return c.score
	}
	h := &o.q.found.hits[c.session]
	return rank.Session(&h.best, h.title, h.summary)
}
