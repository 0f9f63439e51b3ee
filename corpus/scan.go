package corpus

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/hansard-search/hansard/corpus/internal/transcripts"
	"github.com/hansard-search/hansard/segment"
	"github.com/hansard-search/hansard/sources"
)

// settle is how long after its last change a transcript's stat proves nothing:
// a second write within the resolution of the file system's clock may leave the
// same stat. Two seconds cover FAT and network disks.
const settle = 2 * time.Second

// A job is a transcript that has to be read in this run.
type job struct {
	transcript sources.Transcript
	info       sources.Info
	row        *transcripts.Row // nil for one never met
	whole      bool             // from the beginning, whatever the row says
	room       []segment.Turn   // to be used for its turns
}

// scan walks the sources and tells which transcripts have to be read. It opens
// none of them.
func (r *run) scan(ctx context.Context) ([]job, error) {
	var jobs []job
	var all []walk
	stands := false
	r.ix.table.BeginWalk()
	if r.walks == nil {
		r.walks = startWalks(ctx, r.ix.cfg)
	}
	for _, done := range r.walks.done {
		w := <-done
		all = append(all, w)
		for _, err := range w.failed {
			r.skip(skippedFrom(err))
		}
		r.report.Transcripts.Seen += len(w.found)
		for _, t := range w.found {
			info := t.Info()
			j, due, stood := r.look(t, info)
			if due {
				jobs = append(jobs, j)
			}
			stands = stands || info.StandIn || stood
		}
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	stood := r.findGone()
	if len(r.newlyGone) > 0 {
		jobs = r.readInstead(jobs, all)
	}
	if !stands && !stood {
		return jobs, nil
	}
	return r.standIns(jobs, all)
}

// look decides by stat alone whether a transcript has to be read. It tells also
// whether it was a stand-in when it was indexed.
func (r *run) look(t sources.Transcript, info sources.Info) (j job, due, stood bool) {
	known, ok := r.ix.table.Look(info.Source, info.Path)
	stood = known.Flags&transcripts.StandIn != 0
	if r.forgottenFile(info) {
		return job{}, false, stood
	}
	j = job{transcript: t, info: info}
	if !ok {
		return j, r.inBounds(info.Lane, info.ModTime/int64(time.Millisecond), ""), false
	}
	same := known.Size == info.Size && known.ModTime == info.ModTime && known.Inode == info.Inode &&
		known.Flags&(transcripts.Unreadable|transcripts.Gone) == 0
	if same && known.Params == r.key && known.Flags&(transcripts.Provisional|transcripts.OutOfScope) == 0 &&
		!r.opts.Full && len(r.opts.Reread) == 0 {
		return job{}, false, stood // most, and no row is made for them
	}
	due = r.lookCloser(&j, same)
	return j, due, stood
}

// lookCloser is look where the stamp of the row does not say all.
func (r *run) lookCloser(j *job, same bool) (due bool) {
	row, _ := r.ix.table.Get(j.info.Source, j.info.Path)
	j.row, j.whole = row, r.opts.Full || row.Params != r.key || slices.Contains(r.opts.Reread, row.Session)
	if same && row.Flags&transcripts.Provisional != 0 {
		same = r.settled(j.transcript, j.info, row)
	}
	if row.Flags&transcripts.OutOfScope != 0 {
		j.whole = true
		return !same || r.inBounds(row.Lane, lastActive(row.Updated, row.ModTime), row.Project)
	}
	return !same || j.whole
}

// settled proves, for a transcript that was written just before it was last
// looked at, that it is still the same. From when its stat can be trusted the row
// says so.
func (r *run) settled(t sources.Transcript, info sources.Info, row *transcripts.Row) bool {
	end, ok := endOf(t)
	if !ok || end != row.End {
		return false
	}
	if !r.recent(info.ModTime) {
		proven := *row
		proven.Flags &^= transcripts.Provisional
		proven.End = 0
		r.stage(&proven)
	}
	return true
}

// recent reports whether a stamp is so close to now that another write could
// leave the same.
func (r *run) recent(modTime int64) bool {
	age := r.started.Sub(time.Unix(0, modTime))
	return age.Abs() < settle
}

// endOf is the hash of a transcript's last bytes; ok is false for one that
// cannot tell.
func endOf(t sources.Transcript) (end uint64, ok bool) {
	e, ok := t.(sources.Ender)
	if !ok {
		return 0, false
	}
	end, err := e.End()
	return end, err == nil
}

// inBounds tells whether a session may be looked at. An empty project is one
// that is not known yet.
func (r *run) inBounds(lane sources.Lane, updated int64, project string) bool {
	b := r.ix.cfg.Bounds
	if !r.laneIn(lane) {
		return false
	}
	if !b.Since.IsZero() && updated < b.Since.UnixMilli() {
		return false
	}
	return project == "" || len(b.Projects) == 0 || slices.ContainsFunc(b.Projects, func(p string) bool { return MatchProject(project, p) })
}

// lastActive is when a session was last active, in milliseconds: by its transcript,
// and where that tells no time, by when the file was written, in nanoseconds.
func lastActive(updated, modTime int64) int64 {
	if updated != 0 {
		return updated
	}
	return modTime / int64(time.Millisecond)
}

func (r *run) laneIn(lane sources.Lane) bool {
	return lane == sources.Main || lane == "" || slices.Contains(r.ix.cfg.Bounds.Lanes, lane)
}

// findGone marks the rows whose transcript is not there any more. One that was
// merely not walked (another root, an unreadable folder) is not gone; of one of
// which nothing was indexed nothing is kept. It tells whether one of those that were
// not met stood in for a transcript.
func (r *run) findGone() (stood bool) {
	var empty []*transcripts.Row
	for row := range r.ix.table.Missed() {
		stood = stood || row.Flags&transcripts.StandIn != 0
		known := row.Flags&transcripts.Gone != 0
		if !known && (!r.reads(row.Source) || !absent(row.Path)) {
			continue
		}
		if row.Flags&transcripts.StandIn == 0 && (row.Turns == 0 || row.Flags&transcripts.OutOfScope != 0) {
			empty = append(empty, row)
			continue
		}
		if !known {
			gone := *row
			gone.Flags |= transcripts.Gone
			r.stage(&gone)
			r.newlyGone = append(r.newlyGone, &gone)
		}
		r.vanished[row.Path] = true
		r.report.Transcripts.Gone++
	}
	for _, row := range empty {
		r.ix.table.Delete(row.Source, row.Path)
	}
	r.putStaged()
	return stood
}

// reads reports whether one of the run's sources is of the given kind.
func (r *run) reads(kind string) bool {
	return slices.ContainsFunc(r.ix.cfg.Sources, func(s sources.Source) bool { return s.Name() == kind })
}

// absent reports whether nothing is at path, for certain.
func absent(path string) bool {
	_, err := os.Lstat(path)
	return errors.Is(err, fs.ErrNotExist)
}

func skippedFrom(err error) SkippedLine {
	var line *sources.Skipped
	if errors.As(err, &line) {
		return SkippedLine{Path: line.Path, Line: line.Line, Reason: line.Reason}
	}
	var path *fs.PathError
	if errors.As(err, &path) {
		return SkippedLine{Path: path.Path, Reason: path.Op + ": " + path.Err.Error()}
	}
	return SkippedLine{Reason: err.Error()}
}

// skippedShown bounds the list of skipped lines in a report.
const skippedShown = 100

func (r *run) skip(s SkippedLine) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.report.SkippedTotal++
	if len(r.report.Skipped) < skippedShown {
		r.report.Skipped = append(r.report.Skipped, s)
	}
}

// oldestFirst orders jobs so that a session comes before what was copied from
// it, which leaves the fewest documents to be written twice. It is an
// optimisation: any order gives the same index.
func oldestFirst(jobs []job) {
	slices.SortFunc(jobs, func(a, b job) int {
		if c := cmp.Compare(a.info.ModTime, b.info.ModTime); c != 0 {
			return c
		}
		return strings.Compare(filepath.Base(a.info.Path), filepath.Base(b.info.Path))
	})
}
