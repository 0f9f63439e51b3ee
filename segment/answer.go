package segment

import (
	"strings"

	"github.com/hansard-search/hansard/sources"
)

// summary joins the final texts of the turn's runs: that of the prompt, then
// those of answers to notifications.
func (b *builder) summary() string {
	last := make([]*group, b.run+1)
	for i := range b.groups {
		if g := &b.groups[i]; last[g.run] == nil || g.last > last[g.run].last {
			last[g.run] = g
		}
	}
	var finals []string
	for _, g := range last {
		if g != nil && g.final() {
			finals = append(finals, b.join(g))
		}
	}
	return strings.Join(finals, "\n\n")
}

// final tells whether a message ends a run: it says something and calls nothing.
func (g *group) final() bool { return len(g.texts) > 0 && !g.call }

// lastGroup is the group with the latest event, nil for none.
func (b *builder) lastGroup() (last *group) {
	for i := range b.groups {
		if g := &b.groups[i]; last == nil || g.last > last.last {
			last = g
		}
	}
	return last
}

func (b *builder) join(g *group) string {
	parts := make([]string, len(g.texts))
	for i, n := range g.texts {
		parts[i] = b.texts[n].text
	}
	return strings.Join(parts, "\n\n")
}

// state tells how the turn ended, by the last thing that happened in it.
func (b *builder) state() State {
	last := b.lastGroup()
	switch {
	case b.stopped == sources.Interrupt:
		return Interrupted
	case b.stopped == sources.Failure:
		return Failed
	case last == nil:
		return NoReply
	case last.final(), b.stopped == sources.TurnEnd:
		return Final
	}
	return Open
}
