package corpus

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/hansard-search/hansard/corpus/internal/files"
	"github.com/hansard-search/hansard/corpus/internal/lock"
	"github.com/hansard-search/hansard/corpus/internal/manifest"
	"github.com/hansard-search/hansard/corpus/internal/published"
	"github.com/hansard-search/hansard/corpus/internal/terms"
	"github.com/hansard-search/hansard/corpus/internal/transcripts"
	"github.com/hansard-search/hansard/strategies"
)

// An Indexer is the writer of a corpus. It holds the writer lock from
// OpenIndexer to Close. Its methods must not be called concurrently.
type Indexer struct {
	cfg   Config
	fsys  files.FS
	lock  *lock.Lock
	snap  *published.Snapshot // what is published
	table *transcripts.Table
	ahead *walks          // under way, for the next Sync; nil: it starts its own
	tail  *tail           // what Add took and Flush has not written yet
	late  map[string]bool // shards that commit makes durable

	params []byte // what PARAMS says; nil: nobody looked

	analyzers []*terms.Analyzer // that no run has

	broken error // what is published could not be opened again after a failed run
}

// OpenIndexer takes the writer lock of the corpus in cfg.Dir, making the folder
// when there is none, and clears away what a killed writer left behind. It fails
// with a *LockedError when another process keeps the lock for longer than
// cfg.Wait, with ErrNewer, or with a *DamageError, also where a single shard is
// damaged: a writer that went on without it would publish its loss. See Repair.
func OpenIndexer(ctx context.Context, cfg Config) (*Indexer, error) {
	return openIndexer(ctx, cfg, files.OS{})
}

func openIndexer(ctx context.Context, cfg Config, fsys files.FS) (*Indexer, error) {
	ix, err := lockNew(ctx, cfg, fsys)
	if err != nil {
		return nil, err
	}
	if err := ix.loadOrRelease(); err != nil {
		return nil, err
	}
	return ix, nil
}

func (c Config) withDefaults() Config {
	if c.Strategy == nil {
		c.Strategy = strategies.ClaudeTurn{}
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	return c
}

func lockError(err error) error {
	var held *lock.HeldError
	if errors.As(err, &held) {
		return &LockedError{PID: held.PID, Command: held.Command, Since: held.Since}
	}
	return fmt.Errorf("taking the writer lock: %w", err)
}

// load opens what is published, or starts an index.
func (ix *Indexer) load() error {
	s, err := ix.cfg.Reader.shared(ix.cfg.Dir)
	if errors.Is(err, ErrNoCorpus) {
		s = published.NewSnapshot(manifest.New(newIndexID()))
		err = files.WriteAtomic(ix.fsys, filepath.Join(ix.cfg.Dir, published.Unpublished), nil)
	}
	if err != nil {
		return err
	}
	if len(s.Damaged) > 0 {
		defer s.Release()
		return s.Damaged[0]
	}
	ix.snap = s
	ix.table = loadTable(ix.cfg.Dir, s.Manifest)
	ix.sweep()
	return nil
}

// newIndexID tells indexes apart, also two of which one was made of the other.
func newIndexID() string {
	id := make([]byte, 8)
	rand.Read(id)
	return hex.EncodeToString(id)
}

// reload goes back to what is published, after a run that failed: what it put
// into the table must not make the next run believe that it was indexed, and its
// files are orphans. Where that fails too the indexer can only be closed.
func (ix *Indexer) reload() error {
	before := ix.snap
	s, err := ix.loadWhole()
	if err != nil {
		return err
	}
	ix.snap = s
	before.Release()
	ix.table.Close()
	ix.table = loadTable(ix.cfg.Dir, s.Manifest)
	ix.sweep()
	return nil
}

// loadWhole opens what is published anew. Where that, or any shard of it, cannot
// be opened, nothing more can be written: the indexer is broken.
func (ix *Indexer) loadWhole() (*published.Snapshot, error) {
	s, err := published.Load(ix.cfg.Dir, ix.snap)
	if errors.Is(err, ErrNoCorpus) && ix.snap.Manifest.Counter == 0 {
		return ix.snap.Retain(), nil
	}
	if err == nil && len(s.Damaged) > 0 {
		err = s.Damaged[0]
		s.Release()
	}
	if err != nil {
		ix.broken = fmt.Errorf("opening what is published: %w", err)
		return nil, ix.broken
	}
	return s, nil
}

// usable is nil while the indexer can be used.
func (ix *Indexer) usable() error {
	if ix.lock == nil {
		return ErrClosed
	}
	return ix.broken
}

// analyzer lends an Analyzer: one of an earlier run knows the words.
func (ix *Indexer) analyzer() *terms.Analyzer {
	last := len(ix.analyzers) - 1
	if last < 0 {
		return new(terms.Analyzer)
	}
	a := ix.analyzers[last]
	ix.analyzers = ix.analyzers[:last]
	return a
}

// returnAnalyzers ends the run's builders and keeps as many of their Analyzers as
// the next run has workers.
func (r *run) returnAnalyzers() {
	for _, b := range r.builders {
		if len(r.ix.analyzers) < runtime.GOMAXPROCS(0) {
			r.ix.analyzers = append(r.ix.analyzers, b.author.analyzer)
		}
	}
	r.builders = nil
}

// loadTable reads the table of transcripts. It is a cache: when it is lost or
// damaged, transcripts are read again and found unchanged.
func loadTable(dir string, m *manifest.Manifest) *transcripts.Table {
	t, err := transcripts.Load(dir, tableRef(m))
	if err != nil {
		return &transcripts.Table{}
	}
	return t
}

// tableRef names the table of a published state.
func tableRef(m *manifest.Manifest) transcripts.Ref {
	t := m.Transcripts
	return transcripts.Ref{Name: t.Name, Length: t.Length, Rows: t.Rows, Late: string(t.Late)}
}

// sweep removes what the manifest does not name: files of a killed writer, and
// shards that were replaced while a system that cannot unlink open files held
// them. What cannot be removed now goes another time.
func (ix *Indexer) sweep() {
	named := map[string]bool{ix.snap.Manifest.Transcripts.Name: true}
	for _, s := range ix.snap.Manifest.Shards {
		named[s.Name] = true
	}
	clear := func(dir string, ours func(string) bool) {
		entries, err := os.ReadDir(dir)
		if err != nil {
			return
		}
		for _, e := range entries {
			if name := e.Name(); ours(name) && !named[name] {
				ix.fsys.Remove(filepath.Join(dir, name))
			}
		}
	}
	clear(filepath.Join(ix.cfg.Dir, published.ShardsDir), func(string) bool { return true })
	clear(ix.cfg.Dir, func(name string) bool {
		return strings.HasSuffix(name, files.TempSuffix) || strings.HasPrefix(name, transcripts.Prefix) ||
			name == published.Unpublished && ix.snap.Manifest.Counter > 0
	})
}

// Close writes what Add took, gives the lock back and releases the files.
func (ix *Indexer) Close() error {
	if ix.lock == nil {
		return nil
	}
	err := ix.broken
	if err == nil {
		err = ix.Flush(context.Background())
	}
	ix.snap.Release()
	ix.dropTail()
	ix.table.Close()
	err = errors.Join(err, ix.lock.Release())
	ix.lock = nil
	return err
}
