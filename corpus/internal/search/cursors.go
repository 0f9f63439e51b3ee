package search

import "github.com/hansard-search/hansard/corpus/internal/shard"

// Cursors go through the lists of a view's words. They lie one after the other,
// in room that is used again.
type cursors struct {
	of     [][][]cursor // by word and group, as its lists
	groups [][]cursor
	all    []cursor
}

// A cursor goes through one list.
type cursor struct {
	shard.Blocks
	kept span
}

// open sets cursors before the first block. They point into bound.
func (s *scanner) open() {
	c := &s.cursors
	c.of, c.groups, c.all = c.of[:0], c.groups[:0], c.all[:0]
	for i := range s.bound {
		first := len(c.groups)
		for _, lists := range s.bound[i].lists {
			from := len(c.all)
			for n := range lists {
				c.all = append(c.all, cursor{Blocks: lists[n].p.Blocks()})
			}
			c.groups = append(c.groups, c.all[from:])
		}
		c.of = append(c.of, c.groups[first:])
	}
}

// emptied is the room for other cursors.
func (c *cursors) emptied() cursors {
	clear(c.all)
	return cursors{c.of[:0], c.groups[:0], c.all[:0]}
}
