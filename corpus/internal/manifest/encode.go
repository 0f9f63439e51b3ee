package manifest

import "github.com/hansard-search/hansard/corpus/internal/files"

// Format is the version of the folder's formats that this program writes.
const Format = 1

// Read reads the manifest of the corpus in the folder dir. It fails with
// ErrNone, a *DamageError, an error that wraps ErrNewer, or one of the system.
func Read(dir string) (*Manifest, error) { return nil, ErrNone }

// Decode reads what Encode wrote; path is for errors.
func Decode(path string, b []byte) (*Manifest, error) { return nil, ErrNone }

// Encode returns the bytes of the file.
func (m *Manifest) Encode() ([]byte, error) { return nil, nil }

// Successor returns a copy to change and publish next: Counter is one more,
// Previous is m's Hash. Byte slices (gone sets) are shared: replace, never change them.
func (m *Manifest) Successor() *Manifest { return nil }

// Publish makes m the manifest of the folder dir, durably, and sets its Hash.
// Whatever m names must be durable before.
func (m *Manifest) Publish(fsys files.FS, dir string) error { return nil }
