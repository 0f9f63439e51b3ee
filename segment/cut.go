package segment

import (
	"errors"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/hansard-search/hansard/sources"
)

const (
	// MaxSkipped bounds Result.Skipped; a damaged transcript needs no longer list.
	MaxSkipped = 100
	// maxLeaves bounds Start.Leaves: old transcripts begin with some names of
	// other sessions, never with hundreds that could still turn out to be theirs.
	maxLeaves = 64
	// maxLinks bounds Session.Links: a session is compacted a few times.
	maxLinks = 64
)

// Cut cuts events, which must begin at start.From, into turns. Each turn is
// handed to emit when it is finished, in line order, on the caller's goroutine;
// emit owns it and returns false to stop. The error is the first error of events
// that is not a *sources.Skipped; the turn it broke off is not emitted, and the
// Result then holds only what was finished. Memory is bounded by the longest turn
// and, with a few bytes each, the number of entries.
func Cut(start Start, events iter.Seq2[sources.Event, error], emit func(Turn) bool) (Result, error) {
	c := newCutter(start, emit)
	for e, err := range events {
		if err == nil {
			c.event(&e)
		} else if err = c.skip(err); err != nil {
			return c.result(), err
		}
		if c.stopped {
			return c.result(), nil
		}
	}
	c.end()
	return c.result(), nil
}

// cutter is the state of one Cut.
type cutter struct {
	resumed bool
	last    string // Start.Last
	stands  bool   // an event of its id was met
	emit    func(Turn) bool
	session Session
	lane    sources.Lane
	seen    []uint64       // append only: snapshots share it
	counts  map[uint64]int // of seen
	leaves  []Leaf
	first   int

	turn *builder // the one that is being built: &made, or nil
	made builder
	here Start // where it begins
	done Start // where the last emitted one begins
	path path
	res  Result

	lastID  string // of the chain, to register each entry once
	stopped bool
}

func newCutter(start Start, emit func(Turn) bool) *cutter {
	c := &cutter{
		resumed: start.From.Offset > 0, last: start.Last, emit: emit, session: start.Session, lane: start.Lane,
		seen: start.Seen[:len(start.Seen):len(start.Seen)], counts: map[uint64]int{},
		leaves: append([]Leaf(nil), start.Leaves...), first: start.First,
		done: start, path: newPath(start.Abandoned),
	}
	c.session.Summaries = start.Session.Summaries[:len(start.Session.Summaries):len(start.Session.Summaries)]
	c.session.Links = start.Session.Links[:len(start.Session.Links):len(start.Session.Links)]
	for _, h := range c.seen {
		c.counts[h]++
	}
	return c
}

// skip counts what was passed over, and returns any other error.
func (c *cutter) skip(err error) error {
	var s *sources.Skipped
	if !errors.As(err, &s) {
		return err
	}
	c.res.SkippedTotal++
	if len(c.res.Skipped) < MaxSkipped {
		c.res.Skipped = append(c.res.Skipped, s)
	}
	return nil
}

// whole gives up: only a reading from the beginning can tell.
func (c *cutter) whole() { c.res.NeedsWhole, c.stopped = true, true }

// event takes one event in.
func (c *cutter) event(e *sources.Event) {
	c.stands = c.stands || e.ID != "" && strings.HasPrefix(c.last, e.ID) && isNumbered(c.last[len(e.ID):])
	if e.Flags&sources.Sidechain != 0 {
		c.entry(e)
		c.note(e)
		return
	}
	if e.Kind == sources.Prompt {
		c.prompt(e)
		return
	}
	c.entry(e)
	c.note(e)
	switch e.Kind {
	case sources.Start:
		c.opening(e)
	case sources.Title:
		c.title(e)
	case sources.Summary:
		c.summary(e)
	case sources.Compaction:
		c.compaction(e)
	}
	if c.turn != nil {
		c.turn.add(e)
	}
}

// entry registers a link of the chain as the current turn's.
func (c *cutter) entry(e *sources.Event) {
	id := e.ChainID()
	if id == "" || id == c.lastID {
		return
	}
	c.lastID = id
	c.path.own(id)
	if len(c.leaves) > 0 {
		c.met(hash(id))
	}
	if c.turn != nil {
		c.turn.t.LastID = id
	}
}

// note keeps what an event says of the session as a whole.
func (c *cutter) note(e *sources.Event) {
	if c.session.Project == "" {
		c.session.Project = e.Cwd
	}
	if e.Kind == sources.Other || e.Kind == sources.Title || e.Time.IsZero() {
		return
	}
	widen(&c.session.Created, &c.session.Updated, e.Time)
}

func (c *cutter) opening(e *sources.Event) {
	if e.ID != "" {
		c.session.ID = e.ID
	}
	if c.session.Parent == "" {
		c.session.Parent = e.Parent
	}
}

// prompt ends a turn and begins the next.
func (c *cutter) prompt(e *sources.Event) {
	if c.turn != nil && c.turn.again(e) {
		c.entry(e)
		return // the same line twice
	}
	h := hash(e.ID)
	id := e.ID
	if n := c.counts[h]; n > 0 {
		id = numbered(id, n+1)
	}
	if c.resumed && len(c.path.ids) == 0 && id != c.last {
		c.whole() // what follows belongs to the turn before Start.From
		return
	}
	up, known := c.path.parent(e.Parent)
	if !known && c.resumed && c.turn != nil {
		c.whole()
		return
	}
	if c.turn != nil && !c.finish(e.Text) {
		return
	}
	c.here = Start{
		From: e.From, Lane: c.lane, Session: c.session, Last: id, First: c.first,
		Seen: c.seen[:len(c.seen):len(c.seen)], Leaves: append([]Leaf(nil), c.leaves...),
	}
	if len(c.seen) == 0 {
		c.session.Lane = c.laneOf(e)
	}
	c.counts[h]++
	c.seen = append(c.seen, h)
	c.path.begin(id, up)
	c.note(e)
	c.turn = &c.made
	c.turn.begin(Turn{
		ID: id, Source: c.session.Source, Session: c.session.ID, Path: c.session.Path, Lane: c.laneOf(e),
		Project: c.session.Project, Cwd: e.Cwd, Branch: branch(e.Branch), First: c.first, From: e.From,
		Generated: e.Flags&sources.Generated != 0, Abandoned: c.path.known[id],
	}, e)
	c.entry(e)
}

func (c *cutter) laneOf(e *sources.Event) sources.Lane {
	if e.Lane != "" {
		return e.Lane
	}
	return c.lane
}

// finish emits the turn that is being built; next is the prompt after it.
func (c *cutter) finish(next string) bool {
	t := c.turn.build(next)
	c.turn = nil
	c.first += len(t.Messages)
	c.done = c.here
	c.res.Turns++
	if !c.emit(t) {
		c.stopped = true
		return false
	}
	return true
}

// end finishes the last turn.
func (c *cutter) end() {
	if c.turn != nil && !c.finish("") {
		return
	}
	switch {
	case c.last == "" || slices.Contains(c.path.ids, c.last):
	case c.resumed:
		c.whole()
	case c.stands:
		c.res.Retracted = c.last
	}
}

func (c *cutter) result() Result {
	c.res.Session = c.session
	c.res.Session.UnknownSummaries += len(c.leaves)
	c.res.Next = c.done
	summaries := slices.Clone(c.done.Session.Summaries)
	for i := range summaries {
		summaries[i].Text = ""
	}
	c.res.Next.Session.Summaries = summaries
	c.res.Abandoned = c.path.abandoned()
	return c.res
}

// numbered is the id of a turn whose native id was used before.
func numbered(id string, n int) string { return id + ":" + strconv.Itoa(n) }

// isNumbered reports whether rest is what numbered adds to an id, or nothing.
func isNumbered(rest string) bool { return rest == "" || rest[0] == ':' }

// branch is "" where the program says that there is none.
func branch(name string) string {
	if name == "HEAD" {
		return ""
	}
	return name
}
