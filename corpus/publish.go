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
	"github.com/hansard-search/hansard/corpus/internal/published"
	"github.com/hansard-search/hansard/corpus/internal/rank"
	"github.com/hansard-search/hansard/corpus/internal/shard"
	"github.com/hansard-search/hansard/surfaces"
)

// publish makes the run's result the corpus: shards and the table, and the manifest
// that names both, which gets its name once all are durable, then the ledger. Killed
// at any point before the manifest's rename, the run never happened; after it, only
// the ledger lags.
func (r *run) publish(ctx context.Context) error {
	moved, err := r.findRelocated()
	if err != nil {
		return err
	}
	if err := r.sealAll(); err != nil {
		return err
	}
	if err := r.moveTurns(); err != nil {
		return err
	}
	r.putStaged()
	r.unlist(moved)
	if err := r.link(); err != nil {
		return err
	}
	if err := r.fold(); err != nil {
		return err
	}
	changed := len(r.man.Tombstones) > len(r.base.Manifest.Tombstones) || r.ix.table.Staged() > 0 || len(r.sealed) > 0 || len(r.gone) > 0
	if !changed && r.ix.sameParams(r.man) && r.base.Manifest.Counter > 0 {
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
	a, b := ix.snap.Manifest.Params, m.Params
	return a.Strategy == b.Strategy && a.Config == b.Config && a.Since == b.Since && a.MaxSessions == b.MaxSessions &&
		a.Redaction == b.Redaction && a.Terms == b.Terms && slices.Equal(a.Include, b.Include) &&
		slices.Equal(a.Projects, b.Projects) && slices.Equal(a.Sources, b.Sources)
}

// writeManifest publishes the run's shards, gone documents and rows, and makes
// the result the indexer's own view.
func (r *run) writeManifest() error {
	kept := slices.DeleteFunc(slices.Clone(r.base.Views), func(v *published.View) bool { return slices.Contains(r.folded, v) })
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
func (r *run) entriesOf(views []*published.View) ([]manifest.Shard, error) {
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
func (r *run) entryOf(v *published.View) (*manifest.Shard, error) {
	old := r.base.Entry(v.Name)
	if old == nil {
		return newEntry(v.Handle, r.goneOf(v))
	}
	if r.gone[v] == nil {
		return old, nil
	}
	return narrowed(v, old, r.gone[v])
}

// narrowed is the line of a published shard without the documents that are gone
// since. It looks at those alone: a shard may hold a million.
func narrowed(v *published.View, old *manifest.Shard, more *published.Gone) (*manifest.Shard, error) {
	e := *old
	gone := v.Gone.With(more)
	if gone[0].Len() == e.Turns && gone[1].Len() == e.Sessions {
		return nil, nil
	}
	e.GoneTurns, e.GoneSessions = goneBytes(gone[0]), goneBytes(gone[1])
	e.Surfaces = maps.Clone(old.Surfaces)
	for name, stats := range e.Surfaces {
		codes := v.Codes(name)
		for doc := range postings.AndNot(more[kindOf(name)], v.Gone[kindOf(name)]).All() {
			c, err := codes.At(doc)
			if err != nil {
				return nil, published.Damage(v.Name, err)
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
func newEntry(h *published.Handle, gone published.Gone) (*manifest.Shard, error) {
	info := h.Info()
	e := &manifest.Shard{Name: h.Name, Size: info.Size, Turns: info.Turns, Sessions: info.Sessions}
	if gone[0].Len() == info.Turns && gone[1].Len() == info.Sessions {
		return nil, nil
	}
	e.GoneTurns, e.GoneSessions = goneBytes(gone[0]), goneBytes(gone[1])
	e.Surfaces = make(map[surfaces.Name]manifest.SurfaceStats, len(info.Surfaces))
	for _, s := range info.Surfaces {
		stats, err := liveStats(h.Reader, s.Surface, gone)
		if err != nil {
			return nil, published.Damage(h.Name, err)
		}
		e.Surfaces[s.Surface] = stats
	}
	return e, nil
}

// liveStats counts the live documents of a surface and sums their lengths, as
// their codes give them, which is how scores see them.
func liveStats(r *shard.Reader, name surfaces.Name, gone published.Gone) (manifest.SurfaceStats, error) {
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
	now := ix.snap.Manifest
	for _, s := range before.Shards {
		if ix.snap.Entry(s.Name) == nil {
			ix.fsys.Remove(filepath.Join(ix.cfg.Dir, published.ShardsDir, s.Name))
		}
	}
	if t := before.Transcripts.Name; t != "" && t != now.Transcripts.Name {
		ix.fsys.Remove(filepath.Join(ix.cfg.Dir, t))
	}
}

// discard removes the file of a shard that was not published: its run failed, or
// nothing in it is live.
func (ix *Indexer) discard(h *published.Handle) {
	if ix.broken == nil && strings.HasSuffix(h.Name, published.ShardExt) && ix.snap.Entry(h.Name) == nil {
		ix.fsys.Remove(filepath.Join(ix.cfg.Dir, published.ShardsDir, h.Name))
	}
}

// errPublish names the step that failed; nothing was published then.
func errPublish(step string, err error) error { return fmt.Errorf("publishing: %s: %w", step, err) }
