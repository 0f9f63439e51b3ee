package sourcetest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hansard-search/hansard/sources"
)

// Growing is a transcript that changes between reads, as those on disks do.
type Growing struct {
	Source func(root string) sources.Source // reads what is below a folder
	Path   string                           // of the transcript's file below that folder, with slashes
	// States are what the file holds at one time and the next, each readable. Of one
	// alone, text to which an agent adds lines, the others are made by cutting it; give
	// several where an agent writes all of a transcript anew.
	States []string
	Cuts   int // how many states are made of one; 0 means 64
}

// Grow reports each promise that CheckGrowing finds broken as an error of t.
func Grow(t *testing.T, g Growing) {
	t.Helper()
	for _, err := range CheckGrowing(t.Context(), t.TempDir(), g) {
		t.Error(err)
	}
}

// CheckGrowing checks what Check cannot, which reads transcripts that stay as they are: it
// writes the states of one to a folder within dir, which must be there, and reads it at each.
// The transcript grows, is cut back to what it was, is written over, vanishes and returns.
// It returns the broken promises:
//
//   - A position of one state is, in any other, a place to read on from or ErrRewritten. It
//     is a place where the event before it is still the same, and then what follows is what
//     a read from the beginning says of it. A transcript that only grew was not rewritten.
//   - A prompt keeps its ID while its transcript grows.
//   - A last line that is not finished yet is left out, and is no error.
//   - Path and Session of Info stay, and Size, ModTime or Inode change when events do;
//     the End of an Ender does.
//   - Bytes that are no text are no text of an event, and do not end a read.
//   - What is gone is not found, and is no error; what was found before it went does not
//     read as if it were empty.
func CheckGrowing(ctx context.Context, dir string, g Growing) []error {
	c := &grower{checker: checker{ctx: ctx}, growing: g, root: filepath.Join(dir, "root")}
	c.file = filepath.Join(c.root, filepath.FromSlash(g.Path))
	c.absent("a root that does not exist")
	states := g.States
	if len(states) == 1 {
		c.inPlace = true
		states = cuts(states[0], g.Cuts)
	}
	if len(states) == 0 {
		c.failf("", "no states")
		return c.broken
	}
	last := states[len(states)-1]
	whole := c.put(last)
	if len(whole.read) == 0 {
		c.failf(c.file, "the source finds no transcript")
	}
	before := whole
	for _, text := range states {
		now := c.put(text)
		c.unfinished(now)
		c.grown(before, now) // the first time, and each time below: cut back
		again := c.put(last)
		c.grown(now, again)
		c.grown(again, c.put(text))
		before = now
		if len(c.broken) > maxBroken {
			return c.broken // of one kind, mostly
		}
	}
	c.overwritten(c.put(last))
	c.damaged(last)
	c.vanished(c.put(last))
	return c.broken
}

// maxBroken is how many broken promises are enough to end with.
const maxBroken = 20

// grower checks a transcript that changes.
type grower struct {
	checker
	growing Growing
	root    string // that the source reads
	file    string
	inPlace bool // lines are added; else all is written anew, and renamed
	writes  int
}

// state is what the source says of the transcripts when the file holds text. Most
// formats have one in a file.
type state struct {
	text string
	read map[string]reading // by path
}

type reading struct {
	of    sources.Transcript
	info  sources.Info
	items []item
}

// prompts are those of the reading, in order.
func (r reading) prompts() (list []sources.Event) {
	for _, it := range r.items {
		if it.event.Kind == sources.Prompt {
			list = append(list, it.event)
		}
	}
	return list
}

// put makes text what the file holds, and reads it from the beginning.
func (c *grower) put(text string) state {
	s := state{text: text, read: map[string]reading{}}
	if err := c.write(text); err != nil {
		c.failf("", "writing a state: %w", err)
		return s
	}
	for t, err := range c.growing.Source(c.root).Transcripts(c.ctx) {
		if err != nil {
			c.failf(c.file, "%s: finding transcripts: %w", c.where(text), err)
			continue
		}
		r := reading{of: t, info: t.Info()}
		r.items, err = drain(t.Events(c.ctx, sources.Position{}), r.info.Size)
		if err != nil {
			c.failf(r.info.Path, "%s: reading: %w", c.where(text), err)
			continue
		}
		s.read[r.info.Path] = r
	}
	return s
}

// write writes as an agent does. Each write is a second later than the one before.
func (c *grower) write(text string) error {
	c.writes++
	at := time.Date(2026, 1, 1, 0, 0, c.writes, 0, time.UTC)
	path := c.file
	if !c.inPlace {
		path += ".new"
	}
	err := os.MkdirAll(filepath.Dir(path), 0o700)
	if err == nil {
		err = os.WriteFile(path, []byte(text), 0o600)
	}
	if err == nil && !c.inPlace {
		err = os.Rename(path, c.file)
	}
	return errors.Join(err, os.Chtimes(c.file, at, at))
}

// where says which state is meant, for people.
func (c *grower) where(text string) string {
	if len(c.growing.States) == 1 && strings.HasPrefix(c.growing.States[0], text) {
		return fmt.Sprintf("cut after %d bytes of %d", len(text), len(c.growing.States[0]))
	}
	for i, s := range c.growing.States {
		if s == text {
			return fmt.Sprintf("state %d", i)
		}
	}
	return "written over"
}
