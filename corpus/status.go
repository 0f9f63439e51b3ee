package corpus

import (
	"context"
	"io/fs"
	"math"
	"os"
	"path/filepath"

	"github.com/hansard-search/hansard/corpus/internal/lock"
	"github.com/hansard-search/hansard/corpus/internal/manifest"
	"github.com/hansard-search/hansard/corpus/internal/published"
	"github.com/hansard-search/hansard/corpus/internal/shard"
	"github.com/hansard-search/hansard/corpus/internal/transcripts"
	"github.com/hansard-search/hansard/surfaces"
)

// Status describes the corpus: what it holds, how large it is, how fresh, and
// who is writing now.
func (c *Corpus) Status(ctx context.Context) (*Status, error) {
	return reading(c, func(s snapshot) (*Status, error) { return c.status(ctx, s) })
}

func (c *Corpus) status(ctx context.Context, s snapshot) (*Status, error) {
	m := s.Manifest
	st := &Status{
		Preset: c.Name, DataDir: c.dir, Shards: len(m.Shards), IndexedAt: fromMillis(m.IndexedAt),
		Surfaces: []SurfaceStatus{}, Sources: []SourceStatus{}, Redacted: m.Redacted, Damaged: s.Lacks(),
	}
	if st.Redacted == nil {
		st.Redacted = map[string]int{}
	}
	st.Turns, st.Records = liveCounts(m)
	st.Sessions = st.Records
	st.Documents.Live = st.Turns + st.Records
	for _, e := range m.Shards {
		st.Documents.Gone += goneLen(e.GoneTurns) + goneLen(e.GoneSessions)
	}
	s.surfaceStatus(st)
	if err := s.span(st); err != nil {
		return nil, err
	}
	c.sourceStatus(m, st)
	st.Bytes = c.sizes(m)
	if held, err := lock.Holder(filepath.Join(c.dir, lock.Name)); err == nil && held != nil {
		st.Writer = &WriterStatus{PID: held.PID, Command: held.Command, Since: Time{held.Since}}
	}
	return st, ctx.Err()
}

// Blank reports whether the corpus holds no turn, and there was no transcript to
// take any from. It looks at nothing but the manifest.
func (c *Corpus) Blank() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.cur == nil {
		return false
	}
	for _, s := range c.cur.Manifest.Sources {
		if s.Transcripts > 0 {
			return false
		}
	}
	turns, _ := liveCounts(c.cur.Manifest)
	return turns == 0
}

// surfaceStatus counts documents and terms. A term is counted in each shard
// that has it.
func (s snapshot) surfaceStatus(st *Status) {
	for _, name := range surfaces.All() {
		row := SurfaceStatus{Name: name.Name}
		for i := range s.Manifest.Shards {
			row.Documents += s.Manifest.Shards[i].Surfaces[name.Name].Docs
		}
		for _, v := range s.Views {
			for _, info := range v.Info().Surfaces {
				if info.Surface == name.Name {
					row.Terms += info.Terms
				}
			}
		}
		if row.Documents > 0 {
			st.Surfaces = append(st.Surfaces, row)
		}
	}
}

// span finds the oldest and the newest moment of all turns that tell one.
func (s snapshot) span(st *Status) error {
	oldest, newest := int64(math.MaxInt64), int64(0)
	for _, v := range s.Views {
		for doc := range v.LiveTurns(nil).All() {
			h, err := v.Head(shard.Turn, doc)
			if err != nil {
				return published.Damage(v.Name, err)
			}
			if h.Created > 0 {
				oldest = min(oldest, h.Created)
			}
			newest = max(newest, h.Updated)
		}
	}
	if newest > 0 && oldest <= newest {
		st.Oldest, st.Newest = fromMillis(oldest), fromMillis(newest)
	}
	return nil
}

// sourceStatus counts transcripts and those that are gone by root.
func (c *Corpus) sourceStatus(m *manifest.Manifest, st *Status) {
	for _, n := range m.Sources {
		row := SourceStatus{Name: n.Name, Transcripts: n.Transcripts, Gone: n.Gone}
		for _, root := range m.Params.Sources {
			if root.Kind == n.Name {
				row.Root = root.Root
			}
		}
		st.Sources = append(st.Sources, row)
	}
	table := loadTable(c.dir, m)
	if now, err := published.ReadManifest(c.dir); table.Len() == 0 && err == nil {
		table = loadTable(c.dir, now) // a writer replaced the other meanwhile
	}
	defer table.Close()
	for row := range table.All() {
		if row.Flags&transcripts.Gone != 0 {
			st.Missing += row.Turns
		}
	}
}

// sizes is what the files of the corpus take on disk.
func (c *Corpus) sizes(m *manifest.Manifest) (n ByteCounts) {
	n.Shards, n.Transcripts = sizeOf(m.Shards), m.Transcripts.Length
	if info, err := os.Stat(filepath.Join(c.dir, manifest.Name)); err == nil {
		n.Manifest = info.Size()
	}
	filepath.WalkDir(filepath.Join(c.dir, ledgerDir), func(_ string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			if info, err := e.Info(); err == nil {
				n.Ledger += allocated(info)
			}
		}
		return nil
	})
	return n
}
