package corpus

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/hansard-search/hansard/corpus/internal/manifest"
	"github.com/hansard-search/hansard/corpus/internal/published"
	"github.com/hansard-search/hansard/corpus/internal/search"
)

// A Corpus is a reader of an index. Any number of them, in any number of
// processes, may read while an Indexer writes; none ever waits for it. Each call
// sees what was published last. Methods may be called from any goroutine.
type Corpus struct {
	Name   string // preset, as answers print it; set it before the first call
	Sample bool   // the corpus holds the built-in samples; answers say so

	dir   string
	fixed bool // a writer's own view: never looks at the manifest again

	searcher search.Searcher
	shown    shownTurns

	mu    sync.Mutex
	cur   *published.Snapshot // nil once closed
	stamp fileStamp
}

// fileStamp tells whether a file was replaced.
type fileStamp struct {
	size, mtime int64
	inode       uint64
}

// Built reports whether there is an index in dir, or the remains of one that lost its
// manifest. It opens nothing.
func Built(dir string) bool {
	return !absent(filepath.Join(dir, manifest.Name)) || !errors.Is(published.Missing(dir), ErrNoCorpus)
}

// Open opens the index in dir for reading. It fails with ErrNoCorpus where
// there is none, with ErrNewer, or with a *DamageError when the manifest cannot
// be used. A damaged shard is left out and reported in each answer's scope.
func Open(dir string) (*Corpus, error) {
	stamp := stampOf(filepath.Join(dir, manifest.Name))
	s, err := published.Load(dir, nil)
	if err != nil {
		return nil, err
	}
	return &Corpus{dir: dir, cur: s, stamp: stamp}, nil
}

// Close releases the files. Calls under way finish first.
func (c *Corpus) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.cur.Release()
	c.cur = nil
	return nil
}

// Params returns the parameters under which the index was built.
func (c *Corpus) Params() Params {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.cur == nil {
		return Params{}
	}
	return paramsOf(c.cur.Manifest.Params)
}

// IndexedAt is when the index last changed; zero once the Corpus is closed.
func (c *Corpus) IndexedAt() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.cur == nil {
		return time.Time{}
	}
	return time.UnixMilli(c.cur.Manifest.IndexedAt)
}

// Epoch tells published states apart: it is another after each publication. It
// is "" where nothing can be read.
func (c *Corpus) Epoch() string {
	s, err := c.acquire()
	if err != nil {
		return ""
	}
	defer s.Release()
	return s.Manifest.Hash()
}

// A snapshot is a published state, held open, of which answers are made.
type snapshot struct{ *published.Snapshot }

// acquire returns the published state of this moment; the caller releases it.
// It costs one stat when nothing was published since.
func (c *Corpus) acquire() (s snapshot, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.cur == nil {
		return s, ErrClosed
	}
	if c.fixed {
		return snapshot{c.leaveOut()}, nil
	}
	stamp := stampOf(filepath.Join(c.dir, manifest.Name))
	if stamp != c.stamp {
		s, err := published.Load(c.dir, c.cur)
		if err != nil {
			return snapshot{}, err
		}
		c.cur.Release()
		c.cur, c.stamp = s, stamp
	}
	return snapshot{c.leaveOut()}, nil
}

// reading answers from what is published.
func reading[T any](c *Corpus, do func(snapshot) (T, error)) (v T, err error) {
	for again := true; again; {
		s, err := c.acquire()
		if err != nil {
			return v, err
		}
		err = s.Protected(func() (err error) { v, err = do(s); return err })
		again = s.Condemn(err)
		s.Release()
		if !again {
			return v, err
		}
	}
	return v, err
}

// leaveOut retains the state of this moment, without what is damaged. Holds mu.
func (c *Corpus) leaveOut() *published.Snapshot {
	s := c.cur.Sound()
	if s != c.cur {
		c.cur.Release()
		c.cur = s.Retain()
	}
	return s
}

func stampOf(path string) fileStamp {
	info, err := os.Stat(path)
	if err != nil {
		return fileStamp{}
	}
	return fileStamp{size: info.Size(), mtime: info.ModTime().UnixNano(), inode: inodeOf(info)}
}
