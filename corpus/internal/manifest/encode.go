package manifest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/hansard-search/hansard/corpus/internal/files"
	"github.com/hansard-search/hansard/corpus/internal/signal"
)

// The file is lines of UTF-8 text, each ended by a newline:
//
//	hansard 1 1f0c5a3b9d2e4f60    the word, Format, and in hexadecimal Sum64 of all bytes after this line
//	{"format":1,"index":...}      the Manifest as JSON, without its shards
//	{"name":"000012.shard",...}   one Shard as JSON a line, oldest first
//
// JSON, so that a person can read what an index consists of; a line a shard,
// so that two states can be compared with diff. Unknown fields are ignored: a
// version that only adds fields keeps Format. The first line keeps its shape
// for ever, so that every version can tell a newer index from a damaged one.

// Format is the version of the folder's formats that this program reads and
// writes. History: 1, the first.
const Format = 1

const word = "hansard"

// Read reads the manifest of the corpus in the folder dir. It fails with an
// error that wraps ErrNone or ErrNewer, a *DamageError, or one of the system.
func Read(dir string) (*Manifest, error) {
	path := filepath.Join(dir, Name)
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w", dir, ErrNone)
	}
	if err != nil {
		return nil, err
	}
	return Decode(path, b)
}

// Decode reads what Encode wrote; path is for errors only. It fails as Read does.
func Decode(path string, b []byte) (*Manifest, error) {
	first, body, _ := bytes.Cut(b, []byte{'\n'})
	fields := strings.Split(string(first), " ")
	if len(fields) != 3 || fields[0] != word {
		return nil, &DamageError{path, "not a manifest"}
	}
	format, err := strconv.Atoi(fields[1])
	switch {
	case err != nil || format < 1:
		return nil, &DamageError{path, "no format version"}
	case format > Format:
		return nil, fmt.Errorf("%s: %w: format %d, this program knows %d", path, ErrNewer, format, Format)
	case fields[2] != checksum(body):
		return nil, &DamageError{path, "checksum differs"}
	}
	m := &Manifest{hash: signal.Of(string(b)).String()}
	if err := m.decode(body); err != nil {
		return nil, &DamageError{path, err.Error()}
	}
	return m, nil
}

func (m *Manifest) decode(body []byte) error {
	head, rest, _ := bytes.Cut(body, []byte{'\n'})
	if err := json.Unmarshal(head, m); err != nil {
		return err
	}
	if err := fileName(m.Transcripts.Name); err != nil && m.Transcripts.Name != "" {
		return err
	}
	m.Shards = make([]Shard, 0, bytes.Count(rest, []byte{'\n'}))
	for line := range bytes.Lines(rest) {
		s, ok := quickShard(string(line))
		if !ok {
			s = Shard{}
			if err := json.Unmarshal(line, &s); err != nil {
				return fmt.Errorf("shard %d: %w", len(m.Shards), err)
			}
		}
		if err := fileName(s.Name); err != nil {
			return fmt.Errorf("shard %d: %w", len(m.Shards), err)
		}
		m.Shards = append(m.Shards, s)
	}
	return nil
}

// fileName refuses a name that would lead out of the corpus's folder.
func fileName(name string) error {
	if name == "" || name == "." || name == ".." || strings.ContainsAny(name, `/\`) {
		return fmt.Errorf("%q is not the name of a file", name)
	}
	return nil
}

func checksum(b []byte) string { return fmt.Sprintf("%016x", signal.Sum64(b)) }

// Encode returns the bytes of the file.
func (m *Manifest) Encode() ([]byte, error) {
	var body bytes.Buffer
	enc := json.NewEncoder(&body)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(m); err != nil {
		return nil, err
	}
	for i := range m.Shards {
		if err := enc.Encode(&m.Shards[i]); err != nil {
			return nil, err
		}
	}
	first := fmt.Sprintf("%s %d %s\n", word, Format, checksum(body.Bytes()))
	return append([]byte(first), body.Bytes()...), nil
}

// Successor returns a copy to change and publish next: Counter is one more and
// Previous is m's Hash. Lists and maps may be changed without changing m; the
// bytes of gone sets are shared: replace them, never write into them.
func (m *Manifest) Successor() *Manifest {
	n := *m
	n.Format, n.Counter, n.Previous, n.hash = Format, m.Counter+1, m.hash, ""
	n.Sources = slices.Clone(m.Sources)
	n.Redacted = maps.Clone(m.Redacted)
	n.Tombstones = slices.Clone(m.Tombstones)
	n.Params.Projects = slices.Clone(m.Params.Projects)
	n.Params.Include = slices.Clone(m.Params.Include)
	n.Params.Sources = slices.Clone(m.Params.Sources)
	n.Shards = slices.Clone(m.Shards)
	for i := range n.Shards {
		n.Shards[i].Surfaces = maps.Clone(n.Shards[i].Surfaces)
	}
	return &n
}

// A Staged is a manifest that is written and not yet published. End it with Publish
// or Abort.
type Staged struct {
	of   *Manifest
	hash string
	file *files.Pending
}

// Stage begins to publish m. Whatever it names must be durable before Publish.
func (m *Manifest) Stage(fsys files.FS, dir string) (*Staged, error) {
	b, err := m.Encode()
	if err != nil {
		return nil, err
	}
	f, err := files.Create(fsys, filepath.Join(dir, Name))
	if err == nil {
		if _, err = f.Write(b); err != nil {
			f.Abort()
		}
	}
	if err != nil {
		return nil, fmt.Errorf("publish index: %w", err)
	}
	return &Staged{m, signal.Of(string(b)).String(), f}, nil
}

// Settle makes what was written durable, which can be done together with what the
// manifest names.
func (s *Staged) Settle() error { return s.file.Settle() }

// Abort gives the manifest up. It does nothing after Publish.
func (s *Staged) Abort() { s.file.Abort() }

// Publish makes what is staged the manifest of its folder, durably, and sets the
// Hash. After an error the folder may hold either state: Read tells which.
func (s *Staged) Publish() error {
	if err := s.file.Commit(); err != nil {
		s.file.Abort()
		return fmt.Errorf("publish index: %w", err)
	}
	s.of.hash = s.hash
	return nil
}
