package manifest_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/hansard-search/hansard/corpus/internal/files"
	"github.com/hansard-search/hansard/corpus/internal/manifest"
	"github.com/hansard-search/hansard/surfaces"
)

var unhashed = cmp.Options{cmpopts.IgnoreUnexported(manifest.Manifest{}), cmpopts.EquateEmpty()}

// large is a manifest as a big corpus has it: the most shards there may be,
// every surface, gone sets of some hundred bytes.
func large(shards int) *manifest.Manifest {
	m := manifest.New("c0ffee").Successor()
	m.IndexedAt = 1790000000123
	m.Next = 99
	m.Transcripts = manifest.TranscriptsRef{Name: "TRANSCRIPTS.98", Length: 1 << 20, Rows: 2000}
	m.Params = manifest.Params{
		Strategy: "claude-turn/1", Since: "90d", Projects: []string{"/home/u/api <&> co"}, Include: []string{"full"},
		Sources: []manifest.Root{{Kind: "claude", Root: "/home/u/.claude/projects"}}, Redaction: "redact/1", Terms: "terms/1",
	}
	m.Sources = []manifest.SourceCount{{Name: "claude", Transcripts: 2000, Gone: 3}}
	m.Redacted = map[string]int{"aws-key": 2}
	m.Tombstones = []string{"00112233445566778899aabbccddeeff"}
	for i := range shards {
		s := manifest.Shard{
			Name: fmt.Sprintf("%06d.shard", i), Size: 5120000, Turns: 25000, Sessions: 900,
			GoneTurns: []byte(strings.Repeat("gone\x00\xff", 50)), GoneSessions: []byte{1, 2, 3},
			Surfaces: map[surfaces.Name]manifest.SurfaceStats{},
		}
		for _, v := range surfaces.All() {
			s.Surfaces[v.Name] = manifest.SurfaceStats{Docs: 25000, Length: 1234567}
		}
		m.Shards = append(m.Shards, s)
	}
	return m
}

func publish(m *manifest.Manifest, fsys files.FS, dir string) error {
	s, err := m.Stage(fsys, dir)
	if err != nil {
		return err
	}
	return s.Publish()
}

func TestRoundTrip(t *testing.T) {
	for _, m := range []*manifest.Manifest{manifest.New("a").Successor(), large(1), large(40)} {
		dir := t.TempDir()
		if err := publish(m, files.OS{}, dir); err != nil {
			t.Fatal(err)
		}
		got, err := manifest.Read(dir)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(m, got, unhashed); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
		if got.Hash() == "" || got.Hash() != m.Hash() {
			t.Errorf("hash read %q, published %q", got.Hash(), m.Hash())
		}
	}
}

func TestReadWithoutManifest(t *testing.T) {
	if _, err := manifest.Read(t.TempDir()); !errors.Is(err, manifest.ErrNone) {
		t.Errorf("got %v, want ErrNone", err)
	}
	if _, err := manifest.Read(filepath.Join(t.TempDir(), "absent")); !errors.Is(err, manifest.ErrNone) {
		t.Errorf("got %v, want ErrNone", err)
	}
}

// Every change of a byte is found, and is no panic.
func TestEveryFlippedBitIsDamage(t *testing.T) {
	m := large(2)
	b, err := m.Encode()
	if err != nil {
		t.Fatal(err)
	}
	for i := range b {
		for _, bit := range []byte{1, 0x10, 0x80} {
			bad := append([]byte(nil), b...)
			bad[i] ^= bit
			var damage *manifest.DamageError
			_, err := manifest.Decode("MANIFEST", bad)
			if !errors.As(err, &damage) && !errors.Is(err, manifest.ErrNewer) {
				t.Fatalf("byte %d, bit %x: error %v", i, bit, err)
			}
		}
		var damage *manifest.DamageError
		if _, err := manifest.Decode("MANIFEST", b[:i]); !errors.As(err, &damage) {
			t.Fatalf("cut at %d: error %v", i, err)
		}
	}
}

func TestNewerFormatIsNotDamage(t *testing.T) {
	for _, file := range []string{"hansard 2 0000000000000000\n", "hansard 900 ?\nanything"} {
		if _, err := manifest.Decode("MANIFEST", []byte(file)); !errors.Is(err, manifest.ErrNewer) {
			t.Errorf("%q: got %v, want ErrNewer", file, err)
		}
	}
}

func TestNamesStayInTheFolder(t *testing.T) {
	for _, name := range []string{"", "..", ".", "../up.shard", `a\b`, "/abs"} {
		m := large(1)
		m.Shards[0].Name = name
		b, err := m.Encode()
		if err != nil {
			t.Fatal(err)
		}
		var damage *manifest.DamageError
		if _, err := manifest.Decode("MANIFEST", b); !errors.As(err, &damage) {
			t.Errorf("%q: got %v, want damage", name, err)
		}
	}
}

func TestSuccessor(t *testing.T) {
	dir := t.TempDir()
	m := large(3)
	if err := publish(m, files.OS{}, dir); err != nil {
		t.Fatal(err)
	}
	want, err := manifest.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	n := m.Successor()
	if n.Counter != m.Counter+1 || n.Previous != m.Hash() || n.Hash() != "" {
		t.Errorf("successor has counter %d, previous %q, hash %q", n.Counter, n.Previous, n.Hash())
	}
	n.Shards[0].Surfaces[surfaces.UserPrompt] = manifest.SurfaceStats{}
	n.Shards = n.Shards[1:]
	n.Shards[0].Name = "other"
	n.Sources[0].Gone = 77
	n.Redacted["jwt"] = 1
	n.Tombstones[0] = "x"
	n.Params.Projects[0], n.Params.Include[0], n.Params.Sources[0].Kind = "x", "x", "x"
	if diff := cmp.Diff(want, m, unhashed); diff != "" {
		t.Errorf("changing the successor changed its past:\n%s", diff)
	}
}

// A publish that breaks leaves one of the two states.
func TestPublishAtEveryFault(t *testing.T) {
	for at := 1; ; at++ {
		dir := t.TempDir()
		old := large(1)
		if err := publish(old, files.OS{}, dir); err != nil {
			t.Fatal(err)
		}
		faulty := &files.Faulty{At: at, Kill: true, Power: true}
		next := old.Successor()
		err := publish(next, faulty, dir)
		if !faulty.Failed() {
			if err != nil {
				t.Fatal(err)
			}
			break
		}
		if err == nil {
			t.Errorf("step %d failed and Publish did not say so", at)
		}
		got, err := manifest.Read(dir)
		if err != nil {
			t.Fatalf("step %d: %v", at, err)
		}
		if got.Counter != old.Counter && got.Counter != next.Counter {
			t.Errorf("step %d: counter %d", at, got.Counter)
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, shards := range []int{0, 1} {
		b, err := large(shards).Encode()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
		f.Add(b[:len(b)/2])
	}
	f.Add([]byte("hansard 1 0000000000000000\n{}\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		// Behind a right checksum too, or little but the checksum is tried.
		for _, file := range [][]byte{b, manifest.Sealed(b)} {
			m, err := manifest.Decode("MANIFEST", file)
			if err != nil {
				continue
			}
			again, err := m.Encode()
			if err != nil {
				t.Fatal(err)
			}
			n, err := manifest.Decode("MANIFEST", again)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(m, n, unhashed); diff != "" {
				t.Fatalf("decoded, encoded and decoded again:\n%s", diff)
			}
		}
	})
}

func BenchmarkRead(b *testing.B) {
	dir := b.TempDir()
	if err := publish(large(40), files.OS{}, dir); err != nil {
		b.Fatal(err)
	}
	info, err := os.Stat(filepath.Join(dir, manifest.Name))
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(info.Size())
	for b.Loop() {
		if _, err := manifest.Read(dir); err != nil {
			b.Fatal(err)
		}
	}
}
