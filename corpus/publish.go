package corpus

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hansard-search/hansard/corpus/internal/manifest"
	"github.com/hansard-search/hansard/corpus/internal/postings"
	"github.com/hansard-search/hansard/corpus/internal/rank"
	"github.com/hansard-search/hansard/corpus/internal/shard"
	"github.com/hansard-search/hansard/surfaces"
)

// publish makes the run's result the corpus: shards and the table, and the manifest
// that names both, which gets its name once all are durable, then the ledger. Killed
// at any point before the manifest's rename, the run never happened; after it, only
// the ledger lags.
func (r *run) publish(ctx context.Context) error {
	if err := r.sealAll(); err != nil {
		return err
	}
	if err := r.moveTurns(); err != nil {
		return err
	}
	r.putStaged()
	r.dropMoved()
	if err := r.link(); err != nil {
		return err
	}
	if err := r.fold(); err != nil {
		return err
	}
	changed := len(r.man.Tombstones) > len(r.base.man.Tombstones) || r.ix.table.Staged() > 0 || len(r.sealed) > 0 || len(r.gone) > 0
	if !changed && r.ix.sameParams(r.man) && r.base.man.Counter > 0 {
		return r.mergeDue(ctx)
	}
	if err := r.writeManifest(); err != nil {
		return err
	}
	r.writeLedger()
	r.forgetSealed()
	return r.mergeDue(ctx)
}

// sameParams reports whether m was made under the published parameters.
func (ix *Indexer) sameParams(m *manifest.Manifest) bool {
	a, b := ix.snap.man.Params, m.Params
	return a.Strategy == b.Strategy && a.Config == b.Config && a.Since == b.Since && a.MaxSessions == b.MaxSessions &&
		a.Redaction == b.Redaction && a.Terms == b.Terms && slices.Equal(a.Include, b.Include) &&
		slices.Equal(a.Projects, b.Projects) && slices.Equal(a.Sources, b.Sources)
}

// writeManifest publishes the run's shards, gone documents and rows, and makes
// the result the indexer's own view.
func (r *run) writeManifest() error {
	kept := slices.DeleteFunc(slices.Clone(r.base.views), func(v *view) bool { return slices.Contains(r.folded, v) })
	entries, err := r.entriesOf(kept)
	if err != nil {
		return err
	}
	added, err := r.entriesOf(r.sealed)
	if err != nil {
		return err
	}
	r.man.Shards = slices.Concat(entries, added)
	r.countRedacted()
	return r.commit(r.man)
}

// entriesOf makes the manifest's lines of the shards in views, with what the
// run took out of them. A shard without live documents is left out.
func (r *run) entriesOf(views []*view) ([]manifest.Shard, error) {
	var entries []manifest.Shard
	for _, v := range views {
		e, err := r.entryOf(v)
		if err != nil {
			return nil, err
		}
		if e != nil {
			entries = append(entries, *e)
		}
	}
	return entries, nil
}

// entryOf makes the manifest's line of one view, nil when nothing in it lives.
func (r *run) entryOf(v *view) (*manifest.Shard, error) {
	old := r.base.entry(v.name)
	if old == nil {
		return newEntry(v.handle, r.goneOf(v))
	}
	if r.gone[v] == nil {
		return old, nil
	}
	return narrowed(v, old, r.gone[v])
}

// narrowed is the line of a published shard without the documents that are gone
// since. It looks at those alone: a shard may hold a million.
func narrowed(v *view, old *manifest.Shard, more *goneSets) (*manifest.Shard, error) {
	e := *old
	gone := v.gone.with(more)
	if gone[0].Len() == e.Turns && gone[1].Len() == e.Sessions {
		return nil, nil
	}
	e.GoneTurns, e.GoneSessions = goneBytes(gone[0]), goneBytes(gone[1])
	e.Surfaces = maps.Clone(old.Surfaces)
	for name, stats := range e.Surfaces {
		codes := v.Codes(name)
		for doc := range postings.AndNot(more[kindOf(name)], v.gone[kindOf(name)]).All() {
			c, err := codes.At(doc)
			if err != nil {
				return nil, damage(v.name, err)
			}
			if c != 0 {
				stats.Docs--
				stats.Length -= int64(rank.LengthOf(c))
			}
		}
		e.Surfaces[name] = stats
	}
	return &e, nil
}

func goneBytes(s *postings.Set) []byte {
	if s.Len() == 0 {
		return nil
	}
	return s.Bytes()
}

// kindOf is the kind of documents that have a surface.
func kindOf(name surfaces.Name) shard.Kind {
	if s, _ := surfaces.Lookup(name); s.Session {
		return shard.Session
	}
	return shard.Turn
}

// newEntry makes the line of a shard, nil when all of its documents are gone.
func newEntry(h *handle, gone goneSets) (*manifest.Shard, error) {
	info := h.Info()
	e := &manifest.Shard{Name: h.name, Size: info.Size, Turns: info.Turns, Sessions: info.Sessions}
	if gone[0].Len() == info.Turns && gone[1].Len() == info.Sessions {
		return nil, nil
	}
	e.GoneTurns, e.GoneSessions = goneBytes(gone[0]), goneBytes(gone[1])
	e.Surfaces = make(map[surfaces.Name]manifest.SurfaceStats, len(info.Surfaces))
	for _, s := range info.Surfaces {
		stats, err := liveStats(h.Reader, s.Surface, gone)
		if err != nil {
			return nil, damage(h.name, err)
		}
		e.Surfaces[s.Surface] = stats
	}
	return e, nil
}

// liveStats counts the live documents of a surface and sums their lengths, as
// their codes give them, which is how scores see them.
func liveStats(r *shard.Reader, name surfaces.Name, gone goneSets) (manifest.SurfaceStats, error) {
	k := kindOf(name)
	var st manifest.SurfaceStats
	codes := r.Codes(name)
	n := uint32(r.Len(k))
	for block := uint32(0); block<<shard.BlockShift < n; block++ {
		row, err := codes.Block(block)
		if err != nil {
			return st, err
		}
		for i, c := range row {
			if c != 0 && !gone[k].Contains(block<<shard.BlockShift+uint32(i)) {
				st.Docs++
				st.Length += int64(rank.LengthOf(c))
			}
		}
	}
	return st, nil
}

// entry returns the published line of a shard.
func (s *snapshot) entry(name string) *manifest.Shard {
	for i := range s.man.Shards {
		if s.man.Shards[i].Name == name {
			e := s.man.Shards[i]
			return &e
		}
	}
	return nil
}

// countRedacted adds what the run's authors redacted to the counts in its manifest.
func (r *run) countRedacted() {
	for _, b := range r.builders {
		for kind, n := range b.author.redactor.Counts() {
			if r.man.Redacted == nil {
				r.man.Redacted = make(map[string]int)
			}
			r.man.Redacted[kind] += n
		}
	}
}

// unlink removes shards and tables that the published manifest does not name
// any more. A reader that has them mapped keeps them until it lets go.
func (ix *Indexer) unlink(before *manifest.Manifest) {
	now := ix.snap.man
	for _, s := range before.Shards {
		if ix.snap.entry(s.Name) == nil {
			ix.fsys.Remove(filepath.Join(ix.cfg.Dir, shardsDir, s.Name))
		}
	}
	if t := before.Transcripts.Name; t != "" && t != now.Transcripts.Name {
		ix.fsys.Remove(filepath.Join(ix.cfg.Dir, t))
	}
}

// discard removes the file of a shard that was not published: its run failed, or
// nothing in it is live.
func (ix *Indexer) discard(h *handle) {
	if ix.broken == nil && strings.HasSuffix(h.name, shardExt) && ix.snap.entry(h.name) == nil {
		ix.fsys.Remove(filepath.Join(ix.cfg.Dir, shardsDir, h.name))
	}
}

// errPublish names the step that failed; nothing was published then.
func errPublish(step string, err error) error { return fmt.Errorf("publishing: %s: %w", step, err) }
