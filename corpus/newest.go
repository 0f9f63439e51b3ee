package corpus

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/hansard-search/hansard/corpus/internal/transcripts"
)

// pickNewest decides which sessions are within max_sessions. When a session was
// last active is in its transcript, not in its file's stamp, so new transcripts
// are read once more for it; that is the price of the bound.
func (r *run) pickNewest(ctx context.Context, jobs []job) error {
	limit := r.ix.cfg.Bounds.MaxSessions
	if limit <= 0 {
		return nil
	}
	type session struct {
		path    string
		updated int64
	}
	var all []session
	jobbed := make(map[string]bool, len(jobs))
	for i := range jobs {
		j := &jobs[i]
		c, err := j.cut(ctx)
		if err != nil {
			continue // reading it will tell
		}
		jobbed[j.info.Path] = true
		updated := lastActive(millis(c.Session.Updated), j.info.ModTime)
		if c.Session.ID != "" && len(c.turns) > 0 && r.inBounds(c.turns[0].Lane, updated, c.Session.Project) {
			all = append(all, session{j.info.Path, updated})
		}
	}
	for row := range r.ix.table.All() {
		updated := lastActive(row.Updated, row.ModTime)
		if !jobbed[row.Path] && row.Turns > 0 && r.inBounds(row.Lane, updated, row.Project) && row.Flags&transcripts.Gone == 0 {
			all = append(all, session{row.Path, updated})
		}
	}
	slices.SortFunc(all, func(a, b session) int {
		return cmp.Or(cmp.Compare(b.updated, a.updated), strings.Compare(a.path, b.path))
	})
	r.newest = make(map[string]bool, limit)
	for _, s := range all[:min(limit, len(all))] {
		r.newest[s.path] = true
	}
	return nil
}
