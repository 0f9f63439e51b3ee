package corpus

import (
	"encoding/base64"
	"errors"
	"path/filepath"

	"github.com/hansard-search/hansard/corpus/internal/files"
	"github.com/hansard-search/hansard/corpus/internal/manifest"
	"github.com/hansard-search/hansard/corpus/internal/published"
	"github.com/hansard-search/hansard/corpus/internal/transcripts"
)

// commit publishes m: the rows that are staged, the folder's names, then the
// manifest. It reopens the indexer's view and removes what m replaced.
func (r *run) commit(m *manifest.Manifest) error {
	ix, number := r.ix, r.next.Load()
	m.Next, m.IndexedAt = number+1, r.started.UnixMilli()
	m.Sources = ix.countSources()
	rows := ix.table.Plan(number, pageRoom(m))
	ref, kept := rows.Ref, tableKept(m, rows.Ref)
	m.Transcripts = manifest.TranscriptsRef{Name: ref.Name, Length: ref.Length, Rows: ref.Rows, Late: []byte(ref.Late)}
	staged, err := m.Stage(ix.fsys, ix.cfg.Dir)
	if err != nil {
		return errPublish("the manifest", err)
	}
	if err := ix.settleFiles(m, rows, staged); err != nil {
		staged.Abort()
		return err
	}
	rows.Apply()
	r.report.BytesWritten += ref.Length - kept
	failed := staged.Publish()
	if failed != nil {
		failed = errPublish("the manifest", failed)
	}
	s, err := ix.loadWhole()
	if err != nil {
		return errors.Join(failed, err)
	}
	if s.Manifest.Counter != m.Counter {
		s.Release()
		return failed
	}
	// Where Publish failed after all, in its last step, readers see the new state
	// already: it is the one to go on from, and the error says that it may not last.
	r.next.Store(m.Next)
	r.goOn(s, failed == nil)
	return failed
}

// goOn makes s, which was just published, what the indexer goes on from, and removes
// what s replaced once it lasts.
func (r *run) goOn(s *published.Snapshot, lasts bool) {
	ix, before := r.ix, r.ix.snap
	ix.snap = s
	if before.Manifest.Counter == 0 {
		ix.fsys.Remove(filepath.Join(ix.cfg.Dir, published.Unpublished))
	}
	for _, e := range s.Manifest.Shards {
		if before.Entry(e.Name) == nil {
			r.report.BytesWritten += e.Size
		}
	}
	if lasts {
		ix.unlink(before.Manifest)
	}
	before.Release()
}

// settleFiles makes durable what m names, and m itself, which nobody reads before it
// is published: rows, shards and their names. The disk does all at once.
func (ix *Indexer) settleFiles(m *manifest.Manifest, rows *transcripts.Change, staged *manifest.Staged) error {
	shards := filepath.Join(ix.cfg.Dir, published.ShardsDir)
	steps := map[string]func() error{
		"the folder of shards":     func() error { return ix.fsys.SyncDir(shards) },
		"the table of transcripts": func() error { return rows.Write(ix.fsys, ix.cfg.Dir) },
		"the manifest":             staged.Settle,
	}
	params, err := ix.staleParams(m)
	if err != nil {
		return errPublish("the parameters", err)
	}
	if params != nil {
		steps["the parameters"] = func() error { return ix.writeParams(params) }
	}
	for _, s := range m.Shards {
		if ix.late[s.Name] {
			steps["shard "+s.Name] = func() error { return files.Sync(ix.fsys, filepath.Join(shards, s.Name), s.Size) }
		}
	}
	failed := make(chan error, len(steps))
	for what, step := range steps {
		go func() {
			err := step()
			if err != nil {
				err = errPublish(what, err)
			}
			failed <- err
		}()
	}
	for range steps {
		err = errors.Join(err, <-failed)
	}
	if err == nil {
		clear(ix.late)
	}
	return err
}

// pageRoom is how many bytes of rows fit on the manifest's last page, which is written
// whatever stands there.
func pageRoom(m *manifest.Manifest) int {
	const page, other = 4096, 32 // numbers that are longer than they were
	bare := *m
	bare.Transcripts.Late = nil
	b, err := bare.Encode()
	if err != nil {
		return 0
	}
	return base64.StdEncoding.DecodedLen(page - 1 - (len(b)+other)%page)
}

// tableKept is how much of the table's file was there before.
func tableKept(m *manifest.Manifest, ref transcripts.Ref) int64 {
	if m.Transcripts.Name == ref.Name {
		return m.Transcripts.Length
	}
	return 0
}

// countSources counts transcripts by kind, for status.
func (ix *Indexer) countSources() []manifest.SourceCount {
	at := make(map[string]int)
	counts := []manifest.SourceCount{}
	for source, row := range ix.table.Stamps() {
		i, ok := at[source]
		if !ok {
			i = len(counts)
			at[source] = i
			counts = append(counts, manifest.SourceCount{Name: source})
		}
		counts[i].Transcripts++
		if row.Flags&transcripts.Gone != 0 {
			counts[i].Gone++
		}
	}
	return counts
}
