package sourcetest

import (
	"errors"
	"os"
	"slices"
	"strings"

	"github.com/hansard-search/hansard/sources"
)

// grown checks that positions of one state hold, or do not, in another that came after it
// and is what the file holds.
func (c *grower) grown(before, now state) {
	for path, old := range before.read {
		r, ok := now.read[path]
		if !ok {
			continue // nothing was said yet; see vanished
		}
		where := c.where(now.text) + ", having been " + c.where(before.text)
		switch a, b := old.info, r.info; {
		case a.Session != b.Session || a.Source != b.Source:
			c.failf(path, "%s: is session %q of %q, and was %q of %q", where, b.Session, b.Source, a.Session, a.Source)
		case a.Size == b.Size && a.ModTime == b.ModTime && a.Inode == b.Inode && !slices.EqualFunc(old.items, r.items, item.same):
			c.failf(path, "%s: Size, ModTime and Inode are what they were, so that it is not read again", where)
		}
		prompts := old.prompts()
		for _, p := range spread(prompts, 3) {
			c.position(where, old, r, p, strings.HasPrefix(now.text, before.text))
		}
	}
}

// position reads on, in a transcript as it is now, from a prompt that was found in it
// before. grown: nothing but more was written meanwhile.
func (c *grower) position(where string, old, now reading, p sources.Event, grown bool) {
	path := now.info.Path
	items, err := drain(now.of.Events(c.ctx, p.From), now.info.Size)
	switch {
	case errors.Is(err, sources.ErrRewritten) && len(items) > 0:
		c.failf(path, "%s: ErrRewritten behind %d events, it has to come first", where, len(items))
	case errors.Is(err, sources.ErrRewritten) && grown && c.inPlace:
		c.failf(path, "%s: ErrRewritten at prompt %s, though lines were only added", where, p.ID)
	case errors.Is(err, sources.ErrRewritten):
	case err != nil:
		c.failf(path, "%s: reading on from prompt %s: %w", where, p.ID, err)
	case p.From.Offset > now.info.Size:
		c.failf(path, "%s: goes on from prompt %s at %d, behind its end: want ErrRewritten", where, p.ID, p.From.Offset)
	case !samePlace(lastBefore(old.items, p.From), lastBefore(now.items, p.From)):
		c.failf(path, "%s: goes on from prompt %s at %d, though what stands before it is not what stood there: want ErrRewritten", where, p.ID, p.From.Offset)
	default:
		c.follows(where, now, p, items, grown)
	}
}

// follows compares what was read on from a prompt with what a read from the beginning
// says behind its place.
func (c *grower) follows(where string, now reading, p sources.Event, items []item, grown bool) {
	path := now.info.Path
	rest := now.items[behind(now.items, p.From):]
	if !slices.EqualFunc(items, rest, item.same) {
		c.failf(path, "%s: reading on from prompt %s at %d gives\n  %v\nand reading from the beginning\n  %v", where, p.ID, p.From.Offset, items, rest)
		return
	}
	for _, it := range rest {
		if e := it.event; grown && e.Kind == sources.Prompt && e.From.Offset == p.From.Offset && e.ID != p.ID {
			c.failf(path, "%s: prompt %s at %d is now called %s: the ID has to stay", where, p.ID, p.From.Offset, e.ID)
			return
		}
	}
}

// behind is how many of the items stand before a position.
func behind(items []item, from sources.Position) int {
	i := slices.IndexFunc(items, func(it item) bool {
		return it.skipped.Line > from.Line || it.skipped.Line == 0 && it.event.Span.Offset >= from.Offset
	})
	if i < 0 {
		return len(items)
	}
	return i
}

// lastBefore is the last event before a position, nil where there is none.
func lastBefore(items []item, from sources.Position) *sources.Event {
	for _, it := range slices.Backward(items[:behind(items, from)]) {
		if it.skipped.Line == 0 {
			return &it.event
		}
	}
	return nil
}

// samePlace reports whether two events, of which either may be nil, may be the same one.
func samePlace(a, b *sources.Event) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Kind == b.Kind && a.ID == b.ID && a.Text == b.Text
}

// unfinished checks that a line that is being written is left out, or read as it will be.
// The file holds it when the check is over.
func (c *grower) unfinished(now state) {
	start := lineStart(now.text)
	if !c.inPlace || start == len(now.text) {
		return
	}
	whole := c.growing.States[0]
	before, ended := c.put(now.text[:start]), c.put(whole[:lineEnd(whole, start)])
	c.put(now.text)
	for path, r := range now.read {
		if !sameTold(r.items, before.read[path].items) && !sameTold(r.items, ended.read[path].items) {
			c.failf(path, "%s, within a line: says\n  %v\nwhich is neither what stands before the line nor what it will say: it has to be left for the next time", c.where(now.text), r.items)
		}
	}
}

// sameTold compares two reads, but for how long a last line is.
func sameTold(a, b []item) bool {
	return slices.EqualFunc(a, b, func(a, b item) bool {
		a.event.Span.Length, b.event.Span.Length = 0, 0
		return a.same(b)
	})
}

// overwritten checks that text of the same length in its place is noticed.
func (c *grower) overwritten(before state) {
	if !c.inPlace {
		return
	}
	ends := map[string]uint64{}
	for path, r := range before.read {
		if e, ok := r.of.(sources.Ender); ok {
			end, err := e.End()
			again, _ := e.End()
			if err != nil || end != again {
				c.failf(path, "End is %x, then %x, error %v", end, again, err)
			}
			ends[path] = end
		}
	}
	text := rotated(before.text)
	if text == before.text {
		return
	}
	now := c.put(text)
	c.grown(before, now)
	for path, r := range before.read {
		if e, ok := r.of.(sources.Ender); ok {
			if end, err := e.End(); err == nil && end == ends[path] {
				c.failf(path, "End is what it was before the transcript was written over")
			}
		}
	}
}

// damaged checks text that is none in places: what is read of it still says what it may.
func (c *grower) damaged(text string) {
	if !c.inPlace {
		return
	}
	for path, r := range c.put(damaged(text)).read {
		c.places(r.info, r.items)
		c.meanings(path, r.items)
	}
}

// vanished checks a transcript that is gone, and comes back.
func (c *grower) vanished(before state) {
	if err := os.Remove(c.file); err != nil {
		c.failf(c.file, "%w", err)
	}
	c.absent("a transcript that is gone")
	for path, r := range before.read {
		items, err := drain(r.of.Events(c.ctx, sources.Position{}), r.info.Size)
		if errors.Is(err, sources.ErrRewritten) {
			c.failf(path, "gone: ErrRewritten at the beginning")
		}
		if err == nil && !slices.EqualFunc(items, r.items, item.same) {
			c.failf(path, "gone: reads as %d events without an error", len(items))
		}
	}
	if err := os.RemoveAll(c.root); err != nil {
		c.failf(c.file, "%w", err)
	}
	c.absent("a root that is gone")
	now := c.put(before.text)
	c.grown(before, now)
	for path, r := range before.read {
		if again, ok := now.read[path]; !ok || !slices.EqualFunc(again.items, r.items, item.same) {
			c.failf(path, "back again: %d events, and there were %d", len(again.items), len(r.items))
		}
	}
}

// absent checks that nothing is found, and no error.
func (c *grower) absent(what string) {
	for t, err := range c.growing.Source(c.root).Transcripts(c.ctx) {
		if err != nil {
			c.failf(c.file, "%s: %w", what, err)
			continue
		}
		c.failf(t.Info().Path, "%s: is found", what)
	}
}
