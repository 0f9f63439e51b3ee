package corpus

import (
	"context"
	"fmt"
	"slices"

	"github.com/hansard-search/hansard/corpus/internal/shard"
	"github.com/hansard-search/hansard/corpus/internal/transcripts"
	"github.com/hansard-search/hansard/sources"
)

// A Forgetting says what Forget removes for good.
type Forgetting struct {
	Sessions []string // ids, or prefixes of at least 8 characters that only one has
	Projects []string // every session of these and every later one, see MatchProject
}

// Forget removes sessions and their sub-agents for good: when it returns, no
// file of the corpus holds what they said, and a tombstone, which is a hash, keeps
// them from coming back, also from a backup. A turn that was copied into another
// session stays in that one only; where its text was taken from a forgotten session
// it is read again from the other, at the next Sync. Transcripts are not touched. It
// fails with ErrNotFound for a session or project that nobody knows.
//
// A process that reads at this moment keeps what it has open until its next
// question, and no file system promises to overwrite what it frees.
func (ix *Indexer) Forget(ctx context.Context, f Forgetting) (*Removal, error) {
	if err := ix.Flush(ctx); err != nil {
		return nil, err
	}
	all, err := ix.survey()
	if err != nil {
		return nil, err
	}
	ix.surveyRows(all)
	chosen, stones, err := ix.choose(f, all)
	if err != nil {
		return nil, err
	}
	list := withAgents(all, chosen)
	for _, s := range list {
		stones = append(stones, sessionTomb(s.SessionID))
	}
	return ix.erase(ctx, list, stones)
}

// surveyRows adds the sessions of transcripts of which nothing is indexed.
func (ix *Indexer) surveyRows(all map[string]*surveyed) {
	for row := range ix.table.All() {
		if row.Session != "" && all[row.Session] == nil {
			all[row.Session] = &surveyed{parent: parentID(row.Parent), RemovedSession: RemovedSession{
				SessionID: row.Session, Project: row.Project, Lane: string(row.Lane), Newest: fromMillis(row.Updated)}}
		}
	}
}

// choose finds what f names.
func (ix *Indexer) choose(f Forgetting, all map[string]*surveyed) (chosen map[string]bool, stones []string, err error) {
	chosen = make(map[string]bool)
	ids, err := ix.whole(f.Sessions, all)
	if err != nil {
		return nil, nil, err
	}
	for _, id := range ids {
		chosen[id] = true
	}
	for _, want := range f.Projects {
		found := false
		for id, s := range all {
			if s.Project != "" && MatchProject(s.Project, want) {
				chosen[id], found = true, true
				stones = append(stones, projectTomb(s.Project))
			}
		}
		if !found {
			return nil, nil, fmt.Errorf("project %q: %w", want, ErrNotFound)
		}
	}
	return chosen, stones, nil
}

// whole makes ids of the prefixes in a list.
func (ix *Indexer) whole(ids []string, all map[string]*surveyed) ([]string, error) {
	ids = slices.Clone(ids)
	for i, id := range ids {
		if all[id] != nil {
			continue
		}
		full, err := snapshot{ix.snap}.resolve(shard.Session, id)
		if err != nil {
			return nil, err
		}
		ids[i] = full
	}
	return ids, nil
}

// erase removes the listed sessions and sets the tombstones.
func (ix *Indexer) erase(ctx context.Context, list []*surveyed, stones []string) (*Removal, error) {
	slices.Sort(stones)
	all := slices.Concat(ix.snap.Manifest.Tombstones, slices.Compact(stones))
	slices.Sort(all)
	all = slices.Compact(all)
	if err := ix.writeTombstones(all); err != nil {
		return nil, fmt.Errorf("writing tombstones: %w", err)
	}
	return ix.removeListed(ctx, list, false, func(m *removal) {
		m.man.Tombstones = all
		m.forgetRows()
	})
}

// forgetRows takes what was forgotten out of the table of transcripts, and has
// the transcripts read again from which copied turns are to be taken.
func (m *removal) forgetRows() {
	table := m.ix.table
	var gone []*transcripts.Row
	for row := range table.All() {
		switch {
		case m.chosen[row.Session], row.Lane == sources.Subagent && m.chosen[parentID(row.Parent)]:
			gone = append(gone, row)
		case m.again[row.Path]:
			fresh := *row
			fresh.Params, fresh.State = "", nil // read under no known parameters: from the beginning
			table.Put(&fresh)
		}
	}
	for _, row := range gone {
		table.Delete(row.Source, row.Path)
	}
	table.Compact()
}
