package corpus

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/hansard-search/hansard/corpus/internal/stored"
	"github.com/hansard-search/hansard/corpus/internal/transcripts"
	"github.com/hansard-search/hansard/segment"
	"github.com/hansard-search/hansard/sources"
)

// cutting is a transcript as it was read: its turns from where reading began.
type cutting struct {
	turns []segment.Turn
	segment.Result
	whole bool  // read from the beginning
	bytes int64 // read
}

// cut reads a transcript from where the row says, and from the beginning when
// it was rewritten, or when what follows refers to what stands before.
func (j *job) cut(ctx context.Context) (*cutting, error) {
	start := segment.Begin(j.info)
	if known, ok := j.known(); ok {
		start = known
		if j.whole {
			start = segment.Whole(j.info, known)
		}
	}
	c, err := j.cutFrom(ctx, start)
	switch {
	case errors.Is(err, sources.ErrRewritten):
		return j.cutFrom(ctx, segment.Begin(j.info))
	case err != nil || !c.NeedsWhole:
		return c, err
	}
	again, err := j.cutFrom(ctx, segment.Whole(j.info, start))
	if err == nil {
		again.bytes += c.bytes
	}
	return again, err
}

// known is where reading on begins; ok is false for a transcript that was not
// read before, or not as far as a turn.
func (j *job) known() (start segment.Start, ok bool) {
	if j.row == nil || len(j.row.State) == 0 {
		return start, false
	}
	start, err := startOf(j.row)
	return start, err == nil
}

// cutFrom cuts from start. Turns that turned out to be off the path after they
// were cut are cut once more, marked.
func (j *job) cutFrom(ctx context.Context, start segment.Start) (*cutting, error) {
	c := &cutting{turns: j.room, whole: start.From == (sources.Position{})}
	for {
		c.turns = c.turns[:0]
		c.bytes += max(0, j.info.Size-start.From.Offset)
		var err error
		c.Result, err = segment.Cut(start, j.transcript.Events(ctx, start.From), func(t segment.Turn) bool {
			c.turns = append(c.turns, t)
			return true
		})
		if err != nil {
			return nil, err
		}
		if len(c.Abandoned) == 0 || slices.Equal(c.Abandoned, start.Abandoned) {
			return c, nil
		}
		start.Abandoned = c.Abandoned
	}
}

// read takes one transcript into the corpus. A transcript that cannot be read
// is counted as skipped and tried again next time; what was indexed of it stays.
func (r *run) read(ctx context.Context, b *builder, j *job) error {
	j.room = b.room
	c, err := j.cut(ctx)
	j.room = nil
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		r.skip(unreadable(j.info.Path, err))
		r.stage(r.unreadableRow(j))
		return nil
	}
	defer b.keepRoom(c.turns)
	r.reportRead(c)
	c.Session.Project = b.author.redactor.Text(c.Session.Project)
	if r.forgottenSession(&c.Session, j.info.Session) {
		return nil
	}
	row, err := r.row(j, c)
	if err != nil {
		return err
	}
	if err := r.retract(c.Session.ID, c.Retracted, len(c.turns) == 0); err != nil {
		return fmt.Errorf("%s: %w", j.info.Path, err)
	}
	if row.Flags&transcripts.OutOfScope == 0 {
		if err := r.putTurns(b, c, row); err != nil {
			return fmt.Errorf("%s: %w", j.info.Path, err)
		}
	}
	if j.info.Edited && c.whole {
		if err := r.dropStale(c.Session.ID, row.Path, idsOf(c.turns)); err != nil {
			return fmt.Errorf("%s: %w", j.info.Path, err)
		}
	}
	r.stage(row)
	if c.whole && len(r.vanished) > 0 {
		r.mu.Lock()
		r.readWhole = append(r.readWhole, row)
		r.mu.Unlock()
	}
	return nil
}

// reportRead adds to the report how much was read, and which lines were skipped.
func (r *run) reportRead(c *cutting) {
	for _, s := range c.Skipped {
		r.skip(SkippedLine{Path: s.Path, Line: s.Line, Reason: s.Reason})
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.report.SkippedTotal += c.SkippedTotal - len(c.Skipped)
	r.report.BytesRead += c.bytes
}

// putTurns takes the turns of a transcript and its session's record in.
func (r *run) putTurns(b *builder, c *cutting, row *transcripts.Row) error {
	for i := range c.turns {
		t := &c.turns[i]
		if !r.laneIn(t.Lane) {
			continue
		}
		d := b.author.draft(t, stored.Place{
			Session: c.Session.ID, Path: row.Path, Began: millis(c.Session.Created), First: t.First,
			Messages: len(t.Messages), Complete: t.State == segment.Final,
		})
		if err := r.put(b, d); err != nil {
			return err
		}
		row.LastTurn, row.LastHash, row.LastEntry = t.ID, d.hash, t.LastID
	}
	if row.Turns == 0 {
		return nil // a session exists when it has a turn
	}
	c.Session.Parent = row.Parent
	return r.putRecord(b, c.Session, row.Path)
}

// countIn counts the turns of lanes that are indexed.
func (r *run) countIn(turns []segment.Turn) (n int) {
	for i := range turns {
		if r.laneIn(turns[i].Lane) {
			n++
		}
	}
	return n
}

// row makes the table's row of a transcript that was just read.
func (r *run) row(j *job, c *cutting) (*transcripts.Row, error) {
	s := c.Session
	row := r.statRow(j)
	row.Session, row.Parent, row.Lane = s.ID, s.Parent, s.Lane
	if j.row != nil {
		row.Parent = cmp.Or(row.Parent, j.row.Parent) // see link
	}
	row.Project, row.Links = s.Project, s.Links
	row.Created, row.Updated = millis(s.Created), millis(s.Updated)
	row.Turns = r.countIn(c.turns)
	if !c.whole && j.row != nil && len(c.turns) > 0 {
		row.Turns += j.row.Turns - r.countIn(c.turns[:1]) // which was read again
	}
	if r.outside(j, row) {
		row.Flags |= transcripts.OutOfScope
		return row, nil
	}
	state, from, err := stateOf(c.Next, row)
	if err != nil {
		return nil, fmt.Errorf("%s: keeping the place to read on: %w", j.info.Path, err)
	}
	row.From, row.State = from, state
	return row, nil
}

// outside reports whether a transcript, now that it was read, is out of bounds.
// One that was indexed before stays in: nothing leaves because it aged.
func (r *run) outside(j *job, row *transcripts.Row) bool {
	if j.row != nil && j.row.Flags&transcripts.OutOfScope == 0 && len(j.row.State) > 0 {
		return false
	}
	if !r.inBounds(sources.Main, lastActive(row.Updated, row.ModTime), row.Project) {
		return true
	}
	return r.newest != nil && !r.newest[row.Path]
}

// statRow is a row with what the stat of the transcript says.
func (r *run) statRow(j *job) *transcripts.Row {
	row := &transcripts.Row{
		Source: j.info.Source, Path: j.info.Path, Size: j.info.Size, ModTime: j.info.ModTime,
		Inode: j.info.Inode, Params: r.key, Lane: j.info.Lane, Session: j.info.Session,
	}
	if j.info.StandIn {
		row.Flags |= transcripts.StandIn
	}
	if r.recent(j.info.ModTime) {
		row.Flags |= transcripts.Provisional
		row.End, _ = endOf(j.transcript)
	}
	return row
}

// unreadableRow keeps what was known and notes that the transcript has to be
// tried again.
func (r *run) unreadableRow(j *job) *transcripts.Row {
	row := r.statRow(j)
	if j.row != nil {
		old := *j.row
		row = &old
	}
	row.Flags |= transcripts.Unreadable
	return row
}

func unreadable(path string, err error) SkippedLine {
	s := skippedFrom(err)
	s.Path = cmp.Or(s.Path, path)
	return s
}
