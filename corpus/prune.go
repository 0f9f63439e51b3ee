package corpus

import (
	"cmp"
	"context"
	"slices"
	"time"
)

// A Pruning says which sessions Prune removes: those that every field that is
// set applies to. The zero Pruning removes none.
type Pruning struct {
	Before   time.Time // the session's newest turn ended before this moment
	Projects []string  // any of these, see MatchProject
	Sessions []string  // ids
	Lane     string    // one of Lanes; "": any
	// MaxBytes is what shards may take: the oldest sessions go, of those that the
	// other fields apply to, until about so much is left. 0: no such bound.
	MaxBytes int64
	DryRun   bool // change nothing, only tell
}

// Prune removes sessions from the corpus, and their texts from the disk. A turn
// that stands in another session too stays, with all its places. What is still
// in a transcript does not come back by itself, only when it is read from the
// beginning, as SyncOptions.Full does; Forget keeps it away for good.
func (ix *Indexer) Prune(ctx context.Context, p Pruning) (*Removal, error) {
	if err := ix.Flush(ctx); err != nil {
		return nil, err
	}
	all, err := ix.survey()
	if err != nil {
		return nil, err
	}
	if p.Sessions, err = ix.whole(p.Sessions, all); err != nil {
		return nil, err
	}
	var list []*surveyed
	for _, s := range all {
		if p.applies(s) {
			list = append(list, s)
		}
	}
	slices.SortFunc(list, olderFirst)
	if p.MaxBytes > 0 {
		list = oldestBeyond(list, sizeOf(ix.snap.Manifest.Shards)-p.MaxBytes)
	}
	return ix.removeListed(ctx, list, p.DryRun, nil)
}

// survey looks at every session of what is published.
func (ix *Indexer) survey() (all map[string]*surveyed, err error) {
	err = ix.snap.Protected(func() error { all, err = snapshot{ix.snap}.survey(); return err })
	return all, err
}

func (p *Pruning) applies(s *surveyed) bool {
	switch {
	case p.Before.IsZero() && len(p.Projects) == 0 && len(p.Sessions) == 0 && p.Lane == "" && p.MaxBytes <= 0:
		return false
	case !p.Before.IsZero() && !s.Newest.Before(p.Before):
		return false
	case p.Lane != "" && s.Lane != p.Lane:
		return false
	case len(p.Sessions) > 0 && !slices.Contains(p.Sessions, s.SessionID):
		return false
	}
	return len(p.Projects) == 0 || slices.ContainsFunc(p.Projects, func(want string) bool { return MatchProject(s.Project, want) })
}

// olderFirst is the order in which sessions are removed and listed.
func olderFirst(a, b *surveyed) int {
	return cmp.Or(a.Newest.Compare(b.Newest.Time), cmp.Compare(a.SessionID, b.SessionID))
}

// oldestBeyond are the first of list that together take about so many bytes.
func oldestBeyond(list []*surveyed, bytes int64) []*surveyed {
	n := 0
	for ; n < len(list) && bytes > 0; n++ {
		bytes -= list[n].bytes
	}
	return list[:n]
}

// removeListed removes the sessions, or tells what that would do. With prepare
// they are forgotten: it sets the tombstones just before publication.
func (ix *Indexer) removeListed(ctx context.Context, list []*surveyed, dry bool, prepare func(*removal)) (*Removal, error) {
	m := &removal{chosen: make(map[string]bool, len(list)), forget: prepare != nil}
	out := &Removal{Preset: ix.cfg.Name, DryRun: dry, Sessions: []RemovedSession{}}
	for _, s := range list {
		m.chosen[s.SessionID] = true
		out.Sessions = append(out.Sessions, s.RemovedSession)
		out.Bytes += s.bytes
	}
	if len(list) == 0 && prepare == nil {
		return out, nil
	}
	before := sizeOf(ix.snap.Manifest.Shards)
	var err error
	if out.Turns, err = ix.remove(ctx, m, dry, prepare); err != nil {
		return nil, err
	}
	if !dry {
		out.Bytes = max(0, before-sizeOf(ix.snap.Manifest.Shards))
	}
	return out, nil
}
