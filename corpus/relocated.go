package corpus

import (
	"slices"

	"github.com/hansard-search/hansard/corpus/internal/signal"
	"github.com/hansard-search/hansard/corpus/internal/stored"
	"github.com/hansard-search/hansard/corpus/internal/transcripts"
)

// A native names a session as its agent does.
type native struct{ source, session string }

func nativeOf(row *transcripts.Row) native { return native{row.Source, row.Session} }

// readInstead adds the transcripts to the jobs that stand where others of their
// session vanished in this run: what was copied, and then deleted at its first place,
// is still there, and the turns that were found in both name the first.
func (r *run) readInstead(jobs []job, all []walk) []job {
	left := make(map[native]bool, len(r.newlyGone))
	for _, row := range r.newlyGone {
		left[nativeOf(row)] = true
	}
	const other = transcripts.Gone | transcripts.StandIn | transcripts.OutOfScope
	due := make(map[string]*transcripts.Row)
	for row := range r.ix.table.All() {
		if row.Flags&other == 0 && left[nativeOf(row)] {
			due[row.Path] = row
		}
	}
	if len(due) == 0 {
		return jobs
	}
	for i := range jobs {
		if due[jobs[i].info.Path] != nil {
			jobs[i].whole = true
			delete(due, jobs[i].info.Path)
		}
	}
	for _, w := range all {
		for _, t := range w.found {
			info := t.Info()
			if row := due[info.Path]; row != nil && row.Source == info.Source {
				jobs = append(jobs, job{transcript: t, info: info, row: row, whole: true})
			}
		}
	}
	return jobs
}

// findRelocated finds the rows of transcripts that are gone where one that the run read
// from the beginning is of the same session and has as many turns, the last one among
// them: they were moved. What was read names the path where it is.
func (r *run) findRelocated() (moved []*transcripts.Row, err error) {
	if len(r.vanished) == 0 || len(r.readWhole) == 0 {
		return nil, nil
	}
	turns := make(map[native]int)
	for _, row := range r.readWhole {
		turns[nativeOf(row)] = max(turns[nativeOf(row)], row.Turns)
	}
	for row := range r.ix.table.Missed() {
		if row.Flags&transcripts.Gone == 0 || row.Flags&transcripts.StandIn != 0 || row.Turns > turns[nativeOf(row)] {
			continue
		}
		last, err := r.known(signal.Of(row.LastTurn))
		if err != nil {
			return nil, err
		}
		if last != nil && !slices.ContainsFunc(last.places, func(p stored.Place) bool { return p.Path == row.Path }) {
			moved = append(moved, row)
		}
	}
	return moved, nil
}

// unlist takes rows out of the table, which do not count as gone then.
func (r *run) unlist(rows []*transcripts.Row) {
	for _, row := range rows {
		r.ix.table.Delete(row.Source, row.Path)
		r.report.Transcripts.Gone--
	}
}
