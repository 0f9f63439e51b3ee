package corpus

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/hansard-search/hansard/corpus/internal/files"
	"github.com/hansard-search/hansard/corpus/internal/manifest"
	"github.com/hansard-search/hansard/corpus/internal/published"
	"github.com/hansard-search/hansard/corpus/internal/shard"
	"github.com/hansard-search/hansard/corpus/internal/signal"
)

// Repaired is what Repair did.
type Repaired struct {
	Preset   string    `json:"preset"`
	OK       bool      `json:"ok"`       // nothing was damaged, and nothing was changed
	Problems []Problem `json:"problems"` // that were found
	Turns    int       `json:"turns"`    // in the corpus now
	Saved    int       `json:"saved"`    // of them, taken out of damaged files
	Lost     int       `json:"lost"`     // that cannot be read any more; the next Sync brings back those whose transcript is there
	Rebuilt  bool      `json:"rebuilt"`  // the manifest was made anew from the shards
	Default  bool      `json:"-"`        // and nothing tells its parameters
}

// Repair makes a damaged corpus whole again. Of damaged shards it keeps every
// document that can still be read; a lost manifest it makes anew from the shards,
// the newest document of each turn counting. The caches are dropped, so that the
// next Sync looks at every transcript and brings back what was lost, as far as
// it is there. A sound corpus is left alone. It takes the writer lock, and fails
// as OpenIndexer does, but for damage.
//
// What the manifest alone knew is gone with it: which documents were taken out and
// never replaced.
func Repair(ctx context.Context, cfg Config) (*Repaired, error) {
	return repair(ctx, cfg, files.OS{})
}

func repair(ctx context.Context, cfg Config, fsys files.FS) (*Repaired, error) {
	if absent(cfg.Dir) {
		return nil, fmt.Errorf("%s: %w", cfg.Dir, ErrNoCorpus)
	}
	ix, err := lockThere(ctx, cfg, fsys)
	if err != nil {
		return nil, err
	}
	defer ix.Close()
	return ix.repair(ctx)
}

func (ix *Indexer) repair(ctx context.Context) (*Repaired, error) {
	rep := &Repaired{Preset: ix.cfg.Name, Problems: []Problem{}}
	m, err := published.ReadManifest(ix.cfg.Dir)
	var broken *DamageError
	switch {
	case errors.As(err, &broken):
		rep.Rebuilt = true
		rep.Problems = append(rep.Problems, Problem{File: manifest.Name, Kind: "damaged", Detail: broken.Error()})
		m, rep.Default, err = manifestOf(ix.cfg.Dir)
	case err == nil && !rep.Rebuilt:
		if rep.Problems, err = checkDir(ctx, ix.cfg.Dir); err == nil && len(rep.Problems) == 0 {
			rep.OK = true
			rep.Turns, _ = liveCounts(m)
			return rep, nil
		}
	}
	if err != nil {
		return nil, err
	}
	ix.snap, _ = published.OpenShards(ix.cfg.Dir, m, nil)
	if err := onlyDamage(ix.snap.Damaged); err != nil {
		return nil, err
	}
	r := &repairer{run: ix.begin(SyncOptions{}), rep: rep}
	err = r.protected(func() error { return r.all(ctx) })
	r.end()
	if err != nil {
		return nil, fmt.Errorf("repairing: %w", err)
	}
	ix.sweep()
	rep.Turns, _ = liveCounts(ix.snap.Manifest)
	return rep, nil
}

// checkDir checks what is published.
func checkDir(ctx context.Context, dir string) ([]Problem, error) {
	c, err := Open(dir)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	rep, err := c.Check(ctx)
	if err != nil {
		return nil, err
	}
	return rep.Problems, nil
}

// onlyDamage is an error for shards that cannot be opened although they may
// well be whole: to drop them would lose them.
func onlyDamage(errs []error) error {
	for _, err := range errs {
		var d *DamageError
		switch {
		case errors.As(err, &d) && (d.Err == nil || errors.Is(err, shard.ErrDamaged) || errors.Is(err, fs.ErrNotExist)):
		case errors.As(err, &d) && d.File == manifest.Name:
		default:
			return err
		}
	}
	return nil
}

// manifestOf makes a manifest of the shards that are there, all their documents
// live. Its parameters are the usual ones where nothing tells what they were.
func manifestOf(dir string) (m *manifest.Manifest, usual bool, err error) {
	m = manifest.New(newIndexID())
	params, told, err := readParams(dir)
	if err != nil {
		return nil, false, err
	}
	m.Params = params
	entries, err := os.ReadDir(filepath.Join(dir, published.ShardsDir))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, false, err
	}
	for _, e := range entries { // by name: the oldest first
		n, err := strconv.ParseUint(strings.TrimSuffix(e.Name(), published.ShardExt), 10, 64)
		if err != nil || !strings.HasSuffix(e.Name(), published.ShardExt) {
			continue
		}
		info, err := e.Info()
		if err != nil {
			return nil, false, err
		}
		m.Next = max(m.Next, n+1)
		m.Shards = append(m.Shards, manifest.Shard{Name: e.Name(), Size: info.Size()})
	}
	m.Tombstones = readTombstones(dir)
	return m, !told, nil
}

// A repairer publishes what can be read of an index.
type repairer struct {
	*run
	rep   *Repaired
	sound []*published.View
	saver *builder
}

func (r *repairer) all(ctx context.Context) error {
	if r.rep.Rebuilt {
		r.newestWins()
	}
	r.saver = r.newBuilder()
	for _, v := range r.base.Views {
		if err := ctx.Err(); err != nil {
			return err
		}
		whole := true
		v.Verify(func(p shard.Problem) { whole = false })
		if whole {
			r.sound = append(r.sound, v)
		} else if err := r.save(v); err != nil {
			return err
		}
	}
	for i := range r.base.Manifest.Shards {
		if e := &r.base.Manifest.Shards[i]; r.base.Handle(e.Name) == nil {
			r.rep.Lost += e.Turns - goneLen(e.GoneTurns)
		}
	}
	return r.publish()
}

// newestWins retires all documents of a turn or session but one: that with most
// places, as none is ever lost, else the newest.
func (r *repairer) newestWins() {
	type winner struct {
		ref    published.Ref
		places int
	}
	for _, k := range []shard.Kind{shard.Turn, shard.Session} {
		best := make(map[signal.Hash]winner)
		for _, v := range r.base.Views {
			for doc := range uint32(v.Len(k)) {
				one := winner{ref: published.Ref{View: v, Doc: doc}}
				key, places, ok := keyOf(k, one.ref)
				if !ok {
					continue // save will meet it too
				}
				one.places = places
				if was, ok := best[key]; ok {
					if one.places < was.places {
						one, was = was, one
					}
					r.retire(k, key, &sighting{ref: was.ref})
				}
				best[key] = one
			}
		}
	}
}

// publish publishes the sound shards and what was saved, as a new index: no
// reader and no ledger may take anything over from the old one.
func (r *repairer) publish() error {
	ix := r.ix
	if err := ix.removeLedger(); err != nil {
		return err
	}
	err := r.seal(r.saver)
	if err == nil {
		err = r.renewRecords()
	}
	if err == nil {
		err = r.seal(r.saver)
	}
	if err != nil {
		return err
	}
	r.man.Shards = nil
	for _, v := range slices.Concat(r.sound, r.sealed) {
		e, err := newEntry(v.Handle, r.goneOf(v))
		if err != nil {
			return err
		}
		if e != nil {
			r.man.Shards = append(r.man.Shards, *e)
		}
	}
	r.man.Index = newIndexID()
	r.countRedacted()
	return r.commit(r.man)
}
