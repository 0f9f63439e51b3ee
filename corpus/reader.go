package corpus

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/hansard-search/hansard/corpus/internal/manifest"
)

// A Corpus is a reader of an index. Any number of them, in any number of
// processes, may read while an Indexer writes; none ever waits for it. Each call
// sees what was published last. Methods may be called from any goroutine.
type Corpus struct {
	Name   string // preset, as answers print it; set it before the first call
	Sample bool   // the corpus holds the built-in samples; answers say so

	dir   string
	fixed bool // a writer's own view: never looks at the manifest again

	pools searchPools
	depth int    // of the second stage of searches; 0: rank.Depth
	scale *scale // nil: usual; for tests

	mu    sync.Mutex
	cur   *snapshot // nil once closed
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
	return !absent(filepath.Join(dir, manifest.Name)) || !errors.Is(missing(dir), ErrNoCorpus)
}

// Open opens the index in dir for reading. It fails with ErrNoCorpus where
// there is none, with ErrNewer, or with a *DamageError when the manifest cannot
// be used. A damaged shard is left out and reported in each answer's scope.
func Open(dir string) (*Corpus, error) {
	stamp := stampOf(filepath.Join(dir, manifest.Name))
	s, err := loadSnapshot(dir, nil)
	if err != nil {
		return nil, err
	}
	return &Corpus{dir: dir, cur: s, stamp: stamp}, nil
}

// Close releases the files. Calls under way finish first.
func (c *Corpus) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.cur.release()
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
	return paramsOf(c.cur.man.Params)
}

// IndexedAt is when the index last changed; zero once the Corpus is closed.
func (c *Corpus) IndexedAt() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.cur == nil {
		return time.Time{}
	}
	return time.UnixMilli(c.cur.man.IndexedAt)
}

// Epoch tells published states apart: it is another after each publication. It
// is "" where nothing can be read.
func (c *Corpus) Epoch() string {
	s, err := c.acquire()
	if err != nil {
		return ""
	}
	defer s.release()
	return s.man.Hash()
}

// acquire returns the published state of this moment; the caller releases it.
// It costs one stat when nothing was published since.
func (c *Corpus) acquire() (*snapshot, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.cur == nil {
		return nil, ErrClosed
	}
	if c.fixed {
		return c.leaveOut(), nil
	}
	stamp := stampOf(filepath.Join(c.dir, manifest.Name))
	if stamp != c.stamp {
		s, err := loadSnapshot(c.dir, c.cur)
		if err != nil {
			return nil, err
		}
		c.cur.release()
		c.cur, c.stamp = s, stamp
	}
	return c.leaveOut(), nil
}

// leaveOut retains the state of this moment, without what is damaged. Holds mu.
func (c *Corpus) leaveOut() *snapshot {
	s := c.cur.sound()
	if s != c.cur {
		c.cur.release()
		c.cur = s.retain()
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
