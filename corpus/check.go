package corpus

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/hansard-search/hansard/corpus/internal/manifest"
	"github.com/hansard-search/hansard/corpus/internal/published"
	"github.com/hansard-search/hansard/corpus/internal/shard"
	"github.com/hansard-search/hansard/corpus/internal/signal"
	"github.com/hansard-search/hansard/corpus/internal/transcripts"
)

// repairHint is the command that mends what Check finds.
const repairHint = "hansard repair"

// Check verifies every checksum of the published index and what must hold
// between its parts: each live turn is live once and has a session record, the
// manifest's statistics are those of the live documents, the table can be read.
func (c *Corpus) Check(ctx context.Context) (*CheckReport, error) {
	s, err := c.acquire()
	if err != nil {
		return nil, err
	}
	defer s.Release()
	k := &checker{snapshot: s, rep: &CheckReport{Problems: []Problem{}}}
	for _, err := range s.Damaged {
		k.damage(err)
	}
	seen := [2]map[signal.Hash]string{{}, {}}
	for _, v := range s.Views {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := s.Protected(func() error { k.shard(v, seen); return nil }); err != nil {
			k.damage(err)
		}
	}
	if err := s.Protected(func() error { k.sessions(seen); return nil }); err != nil {
		k.damage(err)
	}
	k.table(c.dir)
	k.rep.OK = len(k.rep.Problems) == 0
	return k.rep, nil
}

type checker struct {
	snapshot
	rep *CheckReport
}

func (k *checker) problem(file, kind, format string, args ...any) {
	k.rep.Problems = append(k.rep.Problems, Problem{File: file, Kind: kind, Detail: fmt.Sprintf(format, args...), Repair: repairHint})
}

func (k *checker) damage(err error) {
	var d *DamageError
	if errors.As(err, &d) {
		k.problem(d.File, "damaged", "%v", err)
		return
	}
	k.problem(manifest.Name, "damaged", "%v", err)
}

// shard verifies one shard and its line in the manifest.
func (k *checker) shard(v *published.View, seen [2]map[signal.Hash]string) {
	file := filepath.Join(published.ShardsDir, v.Name)
	k.rep.Checked.Shards++
	v.Verify(func(p shard.Problem) { k.problem(file, "checksum", "%s: %s", p.Part, p.Detail) })
	for _, info := range v.Info().Surfaces {
		k.rep.Checked.Postings += info.Terms
	}
	for _, kind := range []shard.Kind{shard.Turn, shard.Session} {
		for doc := range uint32(v.Len(kind)) {
			k.rep.Checked.Documents++
			if v.Live(kind, doc) {
				k.document(v, kind, doc, seen[kind])
			}
		}
	}
	line := k.Entry(v.Name)
	want, err := newEntry(v.Handle, v.Gone)
	if err != nil {
		k.damage(err)
		return
	}
	if want == nil {
		k.problem(manifest.Name, "statistics", "%s has no live document", v.Name)
		return
	}
	for name, stats := range want.Surfaces {
		if line.Surfaces[name] != stats {
			k.problem(manifest.Name, "statistics", "%s %s: %v, counted %v", v.Name, name, line.Surfaces[name], stats)
		}
	}
}

// document verifies one live document.
func (k *checker) document(v *published.View, kind shard.Kind, doc uint32, seen map[signal.Hash]string) {
	file := filepath.Join(published.ShardsDir, v.Name)
	h, err := v.Head(kind, doc)
	if err != nil {
		k.problem(file, "document", "%v", err)
		return
	}
	if other, twice := seen[h.Key]; twice {
		k.problem(file, "duplicate", "document %d of kind %d is live in %s too", doc, kind, other)
	}
	seen[h.Key] = v.Name
	if kind == shard.Session {
		if _, err := (published.Ref{View: v, Doc: doc}).Session(); err != nil {
			k.problem(file, "document", "session %d: %v", doc, err)
		}
		return
	}
	m, err := published.Ref{View: v, Doc: doc}.Turn()
	if err != nil {
		k.problem(file, "document", "turn %d: %v", doc, err)
		return
	}
	if signal.Of(m.ID) != h.Key {
		k.problem(file, "document", "turn %d is %s, its row says otherwise", doc, m.ID)
	}
}

// sessions verifies that every session of a live turn has its record.
func (k *checker) sessions(seen [2]map[signal.Hash]string) {
	for _, v := range k.Views {
		missing := make(map[uint32]bool)
		for doc := range v.LiveTurns(nil).All() {
			h, err := v.Head(shard.Turn, doc)
			if err != nil {
				return // said already
			}
			id, err := v.SessionHash(h.Session)
			if _, ok := seen[shard.Session][id]; err == nil && !ok && !missing[h.Session] && len(k.Damaged) == 0 {
				missing[h.Session] = true
				key, _ := v.SessionKey(h.Session)
				k.problem(filepath.Join(published.ShardsDir, v.Name), "session", "session %s has turns and no record", key)
			}
		}
	}
}

// table verifies the table of transcripts. A writer that published meanwhile may
// have removed it: then there is nothing to say about it.
func (k *checker) table(dir string) {
	ref := tableRef(k.Manifest)
	err := transcripts.Check(dir, ref)
	if err == nil {
		return
	}
	if m, merr := published.ReadManifest(dir); merr == nil && m.Hash() != k.Manifest.Hash() {
		return
	}
	k.problem(ref.Name, "damaged", "%v", err)
}
