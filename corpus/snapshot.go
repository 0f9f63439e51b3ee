package corpus

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/hansard-search/hansard/corpus/internal/manifest"
	"github.com/hansard-search/hansard/corpus/internal/postings"
	"github.com/hansard-search/hansard/corpus/internal/shard"
	"github.com/hansard-search/hansard/corpus/internal/signal"
)

// shardsDir is the folder of the shards within a corpus's folder.
const shardsDir = "shards"

// shardExt ends the name of a shard on disk; its number comes before it.
const shardExt = ".shard"

// shardName takes the number of the next shard and makes its name.
func shardName(next *atomic.Uint64) string { return fmt.Sprintf("%06d%s", next.Add(1)-1, shardExt) }

// A handle is an open shard, shared by the snapshots that name it and closed
// with the last of them. A map outlives its file's name.
type handle struct {
	*shard.Reader
	name  string
	refs  atomic.Int32
	tools toolCache // for searches
	runs  stretchCache
	texts atomic.Uint32 // rows of which searches read how close words stand

	damaged atomic.Pointer[DamageError] // what reading found; see reading
}

func (h *handle) retain() *handle { h.refs.Add(1); return h }

func (h *handle) release() {
	if h.refs.Add(-1) == 0 {
		h.Reader.Close()
	}
}

// A view is a shard as one snapshot sees it: without the documents that were
// replaced or removed since it was written.
type view struct {
	*handle
	gone goneSets
	keys *[2]keySet // of what a builder wrote in this run; else nil
}

// goneSets are documents that are no longer part of the corpus, by kind; nil: none.
type goneSets [2]*postings.Set

func (g *goneSets) add(k shard.Kind, doc uint32) {
	if g[k] == nil {
		g[k] = postings.New()
	}
	g[k].Add(doc)
}

// with is g and, where there are more, those.
func (g goneSets) with(more *goneSets) goneSets {
	if more == nil {
		return g
	}
	return goneSets{postings.Or(g[0], more[0]), postings.Or(g[1], more[1])}
}

// live reports whether a document is still part of the corpus.
func (v *view) live(k shard.Kind, doc uint32) bool {
	return v.gone[k] == nil || !v.gone[k].Contains(doc)
}

// A docRef is the place of a document in a snapshot.
type docRef struct {
	view *view
	doc  uint32
}

// A snapshot is one published state of a corpus, held open. It is counted:
// whoever retains it releases it.
type snapshot struct {
	man     *manifest.Manifest
	views   []*view // oldest first
	damaged []error // shards that could not be opened; all else is searched
	refs    atomic.Int32

	numbers   sync.Once
	numbered  *numbering
	numberErr error
	words     boundWords

	kinds sync.Once
	laned []laneKind
}

func (s *snapshot) retain() *snapshot { s.refs.Add(1); return s }

func (s *snapshot) release() {
	if s != nil && s.refs.Add(-1) == 0 {
		for _, v := range s.views {
			v.release()
		}
	}
}

// loadAttempts bounds how often a reader starts over because the manifest was
// replaced while it opened what the old one named. Each start over means that a
// writer published, so losing this often in a row takes a writer that publishes
// faster than 40 files are opened.
const loadAttempts = 100

// loadSnapshot opens what the manifest of dir names, taking shards over from
// prev (which may be nil) where the names are the same. A shard that is missing
// although the manifest did not change is damage: it is left out and listed.
func loadSnapshot(dir string, prev *snapshot) (*snapshot, error) {
	var last string
	for range loadAttempts {
		m, err := readManifest(dir)
		if err != nil {
			return nil, err
		}
		s, missing := openShards(dir, m, prev)
		if isNewer(s.damaged) {
			s.release()
			return nil, fmt.Errorf("%s: %w", dir, ErrNewer)
		}
		if !missing || m.Hash() == last {
			return s, nil
		}
		s.release()
		last = m.Hash()
	}
	return nil, fmt.Errorf("%s is replaced faster than it can be opened", filepath.Join(dir, manifest.Name))
}

// isNewer finds a shard that is not damaged but of a later version: what it holds is
// not left out silently.
func isNewer(errs []error) bool {
	return slices.ContainsFunc(errs, func(err error) bool { return errors.Is(err, shard.ErrVersion) })
}

func readManifest(dir string) (*manifest.Manifest, error) {
	m, err := manifest.Read(dir)
	var damage *manifest.DamageError
	switch {
	case err == nil:
		return m, nil
	case errors.Is(err, manifest.ErrNone):
		return nil, missing(dir)
	case errors.Is(err, manifest.ErrNewer):
		return nil, fmt.Errorf("%s: %w", dir, ErrNewer)
	case errors.As(err, &damage):
		return nil, &DamageError{File: manifest.Name, Detail: damage.Reason, Err: err}
	}
	return nil, err
}

// unpublished is the name of a file that is there until the first state of an
// index is published. Shards without it and without a manifest are an index that
// lost its manifest; with it, they are what a killed first run left.
const unpublished = "UNPUBLISHED"

// missing is the error of a folder without a manifest.
func missing(dir string) error {
	shards, err := filepath.Glob(filepath.Join(dir, shardsDir, "*"+shardExt))
	if err == nil && len(shards) > 0 && absent(filepath.Join(dir, unpublished)) && absent(filepath.Join(dir, manifest.Name)) {
		return &DamageError{File: manifest.Name, Detail: "is missing, though there are shards"}
	}
	return fmt.Errorf("%s: %w", dir, ErrNoCorpus)
}

// openShards opens the shards that m names; missing tells whether a file was
// not there.
func openShards(dir string, m *manifest.Manifest, prev *snapshot) (s *snapshot, missing bool) {
	if prev != nil && prev.man.Index != m.Index {
		prev = nil // made anew meanwhile: the same names, other files
	}
	s = &snapshot{man: m}
	s.refs.Store(1)
	for i := range m.Shards {
		v, err := openView(dir, &m.Shards[i], prev)
		if err != nil {
			missing = missing || errors.Is(err, fs.ErrNotExist)
			s.damaged = append(s.damaged, err)
			continue
		}
		s.views = append(s.views, v)
	}
	return s, missing
}

func openView(dir string, e *manifest.Shard, prev *snapshot) (*view, error) {
	v := new(view)
	var err error
	if v.gone[shard.Turn], err = parseGone(e.GoneTurns); err != nil {
		return nil, &DamageError{File: manifest.Name, Detail: "gone turns of " + e.Name, Err: err}
	}
	if v.gone[shard.Session], err = parseGone(e.GoneSessions); err != nil {
		return nil, &DamageError{File: manifest.Name, Detail: "gone sessions of " + e.Name, Err: err}
	}
	if h := prev.handle(e.Name); h != nil {
		v.handle = h.retain()
		return v, nil
	}
	v.handle, err = openHandle(dir, e.Name, e.Size)
	if err != nil {
		return nil, err
	}
	return v, nil
}

func openHandle(dir, name string, size int64) (*handle, error) {
	path := filepath.Join(dir, shardsDir, name)
	info, err := os.Stat(path)
	rel := filepath.Join(shardsDir, name)
	if err != nil {
		return nil, &DamageError{File: rel, Detail: "cannot be read", Err: err}
	}
	if info.Size() != size {
		return nil, &DamageError{File: rel, Detail: fmt.Sprintf("has %d bytes, not %d", info.Size(), size)}
	}
	r, err := shard.Open(path)
	if err != nil {
		return nil, &DamageError{File: rel, Detail: "cannot be opened", Err: err}
	}
	h := &handle{Reader: r, name: name}
	h.refs.Store(1)
	return h, nil
}

func parseGone(b []byte) (*postings.Set, error) {
	if len(b) == 0 {
		return nil, nil
	}
	return postings.Parse(b)
}

// handle returns the open shard of that name, nil when s (or nil) has none.
func (s *snapshot) handle(name string) *handle {
	if s == nil {
		return nil
	}
	for _, v := range s.views {
		if v.name == name {
			return v.handle
		}
	}
	return nil
}

// find returns the live document with the given key; ok is false when there is
// none. Later shards are asked first: what is looked up is mostly recent.
func (s *snapshot) find(k shard.Kind, key signal.Hash) (ref docRef, ok bool, err error) {
	for i := len(s.views) - 1; i >= 0; i-- {
		v := s.views[i]
		doc, found, err := v.FindHash(k, key)
		if err != nil {
			return docRef{}, false, damage(v.name, err)
		}
		if found && v.live(k, doc) {
			return docRef{v, doc}, true, nil
		}
	}
	return docRef{}, false, nil
}

// turnMeta reads what a turn's document keeps beside its passages.
func (r docRef) turnMeta() (*turnMeta, error) {
	m, _, err := r.sizedMeta()
	return m, err
}

// sizedMeta is turnMeta, and of how many bytes it was made.
func (r docRef) sizedMeta() (m *turnMeta, size int, err error) {
	failed := r.view.ReadMeta(shard.Turn, r.doc, func(b []byte) {
		size = len(b)
		m, err = unpackTurn(b)
	})
	if failed != nil {
		return nil, 0, damage(r.view.name, failed)
	}
	return m, size, err
}

// sessionMeta reads what a session record keeps beside its passages.
func (r docRef) sessionMeta() (*sessionMeta, error) {
	b, err := r.view.Meta(shard.Session, r.doc)
	if err != nil {
		return nil, damage(r.view.name, err)
	}
	return unpackSession(b)
}

// damage makes an error of a shard's reader one that names the file.
func damage(name string, err error) error {
	if err == nil {
		return nil
	}
	var d *DamageError
	if errors.As(err, &d) {
		return err
	}
	return &DamageError{File: filepath.Join(shardsDir, name), Detail: "cannot be read", Err: err}
}
