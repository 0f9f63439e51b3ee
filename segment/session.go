package segment

import (
	"slices"

	"github.com/hansard-search/hansard/sources"
)

// title names the session, if it is about this one.
func (c *cutter) title(e *sources.Event) {
	if int(e.Rank) >= len(c.session.Titles) {
		return
	}
	if e.Flags&sources.Linked == 0 {
		c.session.Titles[e.Rank] = e.Text
		return
	}
	if _, ok := c.path.turnOf(e.Parent); ok {
		c.session.Titles[e.Rank] = e.Text
		return
	}
	if c.resumed {
		c.whole() // it may be about an entry before Start.From
		return
	}
	if len(c.leaves) == maxLeaves {
		c.leaves = slices.Delete(c.leaves, 0, 1)
		c.session.UnknownSummaries++
	}
	c.leaves = append(c.leaves, Leaf{hash(e.Parent), e.Rank, e.Text})
}

// met resolves names that waited for an entry.
func (c *cutter) met(entry uint64) {
	c.leaves = slices.DeleteFunc(c.leaves, func(l Leaf) bool {
		if l.Entry == entry {
			c.session.Titles[l.Rank] = l.Text
		}
		return l.Entry == entry
	})
}

// summary keeps what the agent wrote about many turns.
func (c *cutter) summary(e *sources.Event) {
	if e.Text == "" {
		return
	}
	s := Summary{Text: e.Text, Kind: "compaction", Time: e.Time, Offset: e.Span.Offset}
	if e.Flags&sources.OfBranch != 0 {
		s.Kind = "branch"
	}
	if c.turn != nil {
		s.After = c.turn.t.ID
	}
	c.session.Summaries = append(c.session.Summaries, s)
}

// compaction keeps the link to the transcript that this one continues.
func (c *cutter) compaction(e *sources.Event) {
	if e.Parent == "" {
		return
	}
	if _, ok := c.path.turnOf(e.Parent); ok {
		return
	}
	if c.resumed {
		c.whole()
		return
	}
	if len(c.session.Links) < maxLinks && !slices.Contains(c.session.Links, e.Parent) {
		c.session.Links = append(c.session.Links, e.Parent)
	}
}
