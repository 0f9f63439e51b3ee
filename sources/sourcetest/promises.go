package sourcetest

import (
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/hansard-search/hansard/sources"
)

// places checks spans and the positions of skipped lines.
func (c *checker) places(in sources.Info, full []item) {
	before := int64(0)
	for _, it := range full {
		if it.skipped.Line > 0 {
			if it.skipped.Path != in.Path || it.skipped.Reason == "" {
				c.failf(in.Path, "skipped line without a place or a reason: %v", it)
			}
			continue
		}
		sp := it.event.Span
		if sp.Offset < before || sp.Length <= 0 || sp.Offset+sp.Length > in.Size {
			c.failf(in.Path, "span %+v is out of order (after %d) or outside of %d bytes: %v", sp, before, in.Size, it)
			return
		}
		before = sp.Offset
	}
}

// meanings checks what an event says, apart from its place.
func (c *checker) meanings(path string, full []item) {
	for _, it := range full {
		e := it.event
		switch {
		case e.Kind > sources.Summary:
			c.failf(path, "kind %d is unknown: %v", e.Kind, it)
		case e.Kind == sources.Title && e.Rank > 4:
			c.failf(path, "a title of rank %d, the highest is 4: %v", e.Rank, it)
		case e.Lane != "" && !slices.Contains(sources.Lanes(), e.Lane):
			c.failf(path, "lane %q is unknown: %v", e.Lane, it)
		case it.overwritten():
			c.failf(path, "an event's text changed after it was yielded, it has to be its own: %v", it)
		case slices.ContainsFunc(stringsOf(e), func(s string) bool { return !utf8.ValidString(s) }):
			c.failf(path, "not valid UTF-8: %q", it)
		default:
			continue
		}
		return
	}
}

// stringsOf are those that an event has.
func stringsOf(e sources.Event) []string {
	return append([]string{
		e.ID, e.Entry, e.Parent, e.Group, e.Text, e.Stop, e.Cwd, e.Branch, e.Model, e.From.Carry,
		e.Tool.ID, e.Tool.Name, e.Tool.Path, e.Tool.Command, e.Tool.Text,
	}, e.Tool.More...)
}

// asked is a prompt, and where it was found.
type asked struct{ path, text string }

func (c *checker) prompt(path string, p sources.Event) {
	first, seen := c.asked[p.ID]
	if !seen {
		c.asked[p.ID] = asked{path, p.Text}
	}
	switch {
	case seen && first.path != path && first.text != p.Text:
		c.failf(path, "prompt %s is another than that of %s: prompts of the same id count as copies of one, of which one is kept", p.ID, first.path)
	case p.ID == "":
		c.failf(path, "a prompt without an id: %+v", p)
	case p.Text == "":
		c.failf(path, "prompt %s has no text", p.ID)
	case p.From.Offset > p.Span.Offset:
		c.failf(path, "prompt %s: From %d stands after it, at %d", p.ID, p.From.Offset, p.Span.Offset)
	case p.From.Offset > 0 && (p.From.Tail == 0 || p.From.Line < 0), p.From.Offset == 0 && p.From.Tail != 0:
		c.failf(path, "prompt %s: From is %+v, which needs a Line that is not negative, and a Tail that is 0 at the beginning and nowhere else", p.ID, p.From)
	}
}

// positions checks those of a transcript's prompts against each other.
func (c *checker) positions(path string, prompts []sources.Event) {
	tails := map[uint64]bool{}
	inside := 0
	for i, p := range prompts {
		if p.From.Offset > 0 {
			tails[p.From.Tail] = true
			inside++
		}
		if i == 0 {
			continue
		}
		if before := prompts[i-1].From; p.From.Offset > before.Offset && p.From.Line <= before.Line {
			c.failf(path, "prompt %s: From is line %d at %d, that of the prompt before it line %d at %d",
				p.ID, p.From.Line, p.From.Offset, before.Line, before.Offset)
			return
		}
	}
	if inside > 1 && len(tails) == 1 {
		c.failf(path, "all %d prompts have the same Tail, which has to be a hash of what stands before From", inside)
	}
}

// resume checks that reading on from a prompt yields it, and what follows.
func (c *checker) resume(t sources.Transcript, full []item, p sources.Event) {
	path, what := t.Info().Path, fmt.Sprintf("reading on from prompt %s at %d", p.ID, p.From.Offset)
	rest := slices.IndexFunc(full, func(it item) bool {
		return it.skipped.Line > p.From.Line || it.skipped.Line == 0 && it.event.Span.Offset >= p.From.Offset
	})
	if rest < 0 {
		return // said before: From stands after the prompt
	}
	next := slices.IndexFunc(full[rest:], func(it item) bool { return it.event.Kind == sources.Prompt })
	if next < 0 || full[rest+next].event.ID != p.ID {
		c.failf(path, "%s: From does not stand just before it: another prompt comes first", what)
		return
	}
	c.equal(t, what, full[rest:], p.From)
}
