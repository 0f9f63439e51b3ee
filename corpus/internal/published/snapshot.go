// Package published opens what is published of a corpus, for readers and for the
// writer: the manifest, the shards that it names, and what of their documents is gone.
//
// A state that is open stays as it is, whatever is published meanwhile. What reading
// it finds damaged is told as an error that names the file; the package neither looks
// for what is newer nor decides what to do without a shard. It does not know queries,
// scores or answers, and writes no file.
package published

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"

	"github.com/hansard-search/hansard/corpus/internal/manifest"
	"github.com/hansard-search/hansard/corpus/internal/postings"
	"github.com/hansard-search/hansard/corpus/internal/shard"
	"github.com/hansard-search/hansard/corpus/internal/signal"
)

// ShardsDir is the folder of the shards within a corpus's folder.
const ShardsDir = "shards"

// ShardExt ends the name of a shard on disk; its number comes before it.
const ShardExt = ".shard"

// ShardName takes the number of the next shard and makes its name.
func ShardName(next *atomic.Uint64) string { return fmt.Sprintf("%06d%s", next.Add(1)-1, ShardExt) }

// A Snapshot is one published state of a corpus, held open. It is counted:
// whoever retains it releases it.
type Snapshot struct {
	Manifest *manifest.Manifest
	Views    []*View // oldest first
	Damaged  []error // shards that could not be opened; all else is searched
	Memo     Memo    // of searches
	refs     atomic.Int32
}

// NewSnapshot is a state without shards, retained once.
func NewSnapshot(m *manifest.Manifest) *Snapshot {
	s := &Snapshot{Manifest: m}
	s.refs.Store(1)
	return s
}

// Retain keeps s open for one more, who releases it.
func (s *Snapshot) Retain() *Snapshot { s.refs.Add(1); return s }

// Release closes the shards with the last who retained s, which may be nil.
func (s *Snapshot) Release() {
	if s != nil && s.refs.Add(-1) == 0 {
		for _, v := range s.Views {
			v.Release()
		}
	}
}

// loadAttempts bounds how often a reader starts over because the manifest was
// replaced while it opened what the old one named. Each start over means that a
// writer published, so losing this often in a row takes a writer that publishes
// faster than 40 files are opened.
const loadAttempts = 100

// Load opens what the manifest of dir names, taking shards over from
// prev (which may be nil) where the names are the same. A shard that is missing
// although the manifest did not change is damage: it is left out and listed. It fails
// with ErrNoCorpus, with ErrNewer, or with a *DamageError where the manifest cannot be
// used. The caller releases what it returns.
func Load(dir string, prev *Snapshot) (*Snapshot, error) {
	var last string
	for range loadAttempts {
		m, err := ReadManifest(dir)
		if err != nil {
			return nil, err
		}
		s, missing := OpenShards(dir, m, prev)
		if isNewer(s.Damaged) {
			s.Release()
			return nil, fmt.Errorf("%s: %w", dir, ErrNewer)
		}
		if !missing || m.Hash() == last {
			return s, nil
		}
		s.Release()
		last = m.Hash()
	}
	return nil, fmt.Errorf("%s is replaced faster than it can be opened", filepath.Join(dir, manifest.Name))
}

// isNewer finds a shard that is not damaged but of a later version: what it holds is
// not left out silently.
func isNewer(errs []error) bool {
	return slices.ContainsFunc(errs, func(err error) bool { return errors.Is(err, shard.ErrVersion) })
}

// ReadManifest reads the manifest of dir. It fails as Load does.
func ReadManifest(dir string) (*manifest.Manifest, error) {
	m, err := manifest.Read(dir)
	var damage *manifest.DamageError
	switch {
	case err == nil:
		return m, nil
	case errors.Is(err, manifest.ErrNone):
		return nil, Missing(dir)
	case errors.Is(err, manifest.ErrNewer):
		return nil, fmt.Errorf("%s: %w", dir, ErrNewer)
	case errors.As(err, &damage):
		return nil, &DamageError{File: manifest.Name, Detail: damage.Reason, Err: err}
	}
	return nil, err
}

// Unpublished is the name of a file that is there until the first state of an
// index is published. Shards without it and without a manifest are an index that
// lost its manifest; with it, they are what a killed first run left.
const Unpublished = "UNPUBLISHED"

// Missing is the error of a folder without a manifest.
func Missing(dir string) error {
	shards, err := filepath.Glob(filepath.Join(dir, ShardsDir, "*"+ShardExt))
	if err == nil && len(shards) > 0 && isAbsent(filepath.Join(dir, Unpublished)) && isAbsent(filepath.Join(dir, manifest.Name)) {
		return &DamageError{File: manifest.Name, Detail: "is missing, though there are shards"}
	}
	return fmt.Errorf("%s: %w", dir, ErrNoCorpus)
}

// OpenShards opens the shards that m names, as Load does; missing tells whether a file
// was not there.
func OpenShards(dir string, m *manifest.Manifest, prev *Snapshot) (s *Snapshot, missing bool) {
	if prev != nil && prev.Manifest.Index != m.Index {
		prev = nil // made anew meanwhile: the same names, other files
	}
	s = NewSnapshot(m)
	for i := range m.Shards {
		v, err := openView(dir, &m.Shards[i], prev)
		if err != nil {
			missing = missing || errors.Is(err, fs.ErrNotExist)
			s.Damaged = append(s.Damaged, err)
			continue
		}
		s.Views = append(s.Views, v)
	}
	return s, missing
}

func openView(dir string, e *manifest.Shard, prev *Snapshot) (*View, error) {
	v := new(View)
	var err error
	if v.Gone[shard.Turn], err = ParseGone(e.GoneTurns); err != nil {
		return nil, &DamageError{File: manifest.Name, Detail: "gone turns of " + e.Name, Err: err}
	}
	if v.Gone[shard.Session], err = ParseGone(e.GoneSessions); err != nil {
		return nil, &DamageError{File: manifest.Name, Detail: "gone sessions of " + e.Name, Err: err}
	}
	if h := prev.Handle(e.Name); h != nil {
		v.Handle = h.Retain()
		return v, nil
	}
	v.Handle, err = OpenHandle(dir, e.Name, e.Size)
	if err != nil {
		return nil, err
	}
	return v, nil
}

// OpenHandle opens the shard of that name and size below dir. The caller releases it.
func OpenHandle(dir, name string, size int64) (*Handle, error) {
	path := filepath.Join(dir, ShardsDir, name)
	info, err := os.Stat(path)
	rel := filepath.Join(ShardsDir, name)
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
	return NewHandle(r, name), nil
}

// ParseGone reads a set of documents from the manifest; none are nil.
func ParseGone(b []byte) (*postings.Set, error) {
	if len(b) == 0 {
		return nil, nil
	}
	return postings.Parse(b)
}

// Handle returns the open shard of that name, not retained, nil when s (or nil) has
// none.
func (s *Snapshot) Handle(name string) *Handle {
	if s == nil {
		return nil
	}
	for _, v := range s.Views {
		if v.Name == name {
			return v.Handle
		}
	}
	return nil
}

// Entry returns a copy of the manifest's line of a shard, nil where it has none.
func (s *Snapshot) Entry(name string) *manifest.Shard {
	for i := range s.Manifest.Shards {
		if s.Manifest.Shards[i].Name == name {
			e := s.Manifest.Shards[i]
			return &e
		}
	}
	return nil
}

// Find returns the live document with the given key; ok is false when there is
// none. Later shards are asked first: what is looked up is mostly recent.
func (s *Snapshot) Find(k shard.Kind, key signal.Hash) (ref Ref, ok bool, err error) {
	for i := len(s.Views) - 1; i >= 0; i-- {
		v := s.Views[i]
		doc, found, err := v.FindHash(k, key)
		if err != nil {
			return Ref{}, false, Damage(v.Name, err)
		}
		if found && v.Live(k, doc) {
			return Ref{v, doc}, true, nil
		}
	}
	return Ref{}, false, nil
}

// isAbsent reports whether nothing is at path, for certain.
func isAbsent(path string) bool {
	_, err := os.Lstat(path)
	return errors.Is(err, fs.ErrNotExist)
}
