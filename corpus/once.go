package corpus

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/hansard-search/hansard/corpus/internal/files"
	"github.com/hansard-search/hansard/corpus/internal/lock"
	"github.com/hansard-search/hansard/corpus/internal/published"
	"github.com/hansard-search/hansard/corpus/internal/transcripts"
	"github.com/hansard-search/hansard/sources"
)

// Sync is OpenIndexer, one Indexer.Sync, and Close. It walks the sources while
// it opens the index, which takes about as long.
func Sync(ctx context.Context, cfg Config, opts SyncOptions) (*Report, error) {
	ix, err := lockNew(ctx, cfg, files.OS{})
	if err != nil {
		return nil, err
	}
	walking, stop := context.WithCancel(ctx)
	defer stop()
	ix.ahead = startWalks(walking, ix.cfg)
	if err := ix.loadOrRelease(); err != nil {
		return nil, err
	}
	report, err := ix.Sync(ctx, opts)
	return report, errors.Join(err, ix.Close())
}

// lockNew is lockThere for a corpus whose folder is made where there is none.
func lockNew(ctx context.Context, cfg Config, fsys files.FS) (*Indexer, error) {
	if cfg.Dir == "" {
		return nil, errors.New("no folder for the corpus: set Config.Dir")
	}
	for _, dir := range []string{filepath.Join(cfg.Dir, published.ShardsDir), cfg.Dir} {
		if err := fsys.Mkdir(dir); err != nil {
			return nil, fmt.Errorf("making the corpus's folder: %w", err)
		}
	}
	return lockThere(ctx, cfg, fsys)
}

// lockThere takes the lock of the corpus in cfg.Dir; nothing is loaded yet.
func lockThere(ctx context.Context, cfg Config, fsys files.FS) (*Indexer, error) {
	cfg = cfg.withDefaults()
	l, err := lock.Acquire(ctx, filepath.Join(cfg.Dir, lock.Name), cfg.Wait, cfg.Holder, cfg.Now())
	if err != nil {
		return nil, lockError(err)
	}
	return &Indexer{cfg: cfg, fsys: fsys, lock: l, late: map[string]bool{}, table: &transcripts.Table{}}, nil
}

// loadOrRelease gives the lock back where nothing can be loaded.
func (ix *Indexer) loadOrRelease() error {
	err := ix.load()
	if err != nil {
		ix.lock.Release()
	}
	return err
}

// walks are the sources being walked, side by side: they wait for the system,
// not for each other.
type walks struct {
	began time.Time
	done  []chan walk // each gives one, in the order of the sources
}

// A walk is what one of them found.
type walk struct {
	found  []sources.Transcript
	failed []error
}

func startWalks(ctx context.Context, cfg Config) *walks {
	w := &walks{cfg.Now(), make([]chan walk, len(cfg.Sources))}
	for i, src := range cfg.Sources {
		w.done[i] = make(chan walk, 1) // nobody may come for it
		go func() { w.done[i] <- walkOf(ctx, src) }()
	}
	return w
}

func walkOf(ctx context.Context, src sources.Source) (w walk) {
	for t, err := range src.Transcripts(ctx) {
		if ctx.Err() != nil {
			break
		}
		if err != nil {
			w.failed = append(w.failed, err)
			continue
		}
		w.found = append(w.found, t)
	}
	return w
}

// shared opens what is published in dir, and takes what the reader c, which may
// be nil, has open of it.
func (c *Corpus) shared(dir string) (*published.Snapshot, error) {
	if c == nil {
		return published.Load(dir, nil)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return published.Load(dir, c.cur)
}
