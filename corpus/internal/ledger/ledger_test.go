package ledger_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/hansard-search/hansard/corpus/internal/ledger"
	"github.com/hansard-search/hansard/corpus/internal/signal"
)

func hash(i int) signal.Hash { return signal.Of(fmt.Sprint(i)) }

func entries(from, to, salt int) []ledger.Entry {
	var list []ledger.Entry
	for i := from; i < to; i++ {
		list = append(list, ledger.Entry{Turn: hash(i), Content: hash(i + salt)})
	}
	return list
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func mustOpen(t testing.TB, dir string) *ledger.Ledger {
	t.Helper()
	l, err := ledger.Open(dir)
	must(t, err)
	return l
}

func TestLedger(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "ledger")
	s := mustOpen(t, dir)
	expect := func(turn int, want signal.Hash) {
		t.Helper()
		got, ok, err := s.Get(hash(turn))
		if err != nil || got != want || ok == want.IsZero() {
			t.Errorf("turn %d: got %s, %v, %v; want %s", turn, got, ok, err, want)
		}
	}
	expect(1, signal.Hash{})
	if seen, err := s.Seen(); err != nil || seen != nil {
		t.Errorf("a new ledger has seen %q, %v", seen, err)
	}
	must(t, s.Put(nil))
	must(t, s.Put(entries(0, 100, 1000)))
	must(t, s.Put([]ledger.Entry{{Turn: hash(7)}, {Turn: hash(8), Content: hash(1)}, {Turn: hash(8), Content: hash(2)}, {Turn: hash(500)}}))
	must(t, s.SetSeen([]string{"epoch/1", "000001.shard"}))
	for range 2 {
		expect(6, hash(1006))
		expect(7, signal.Hash{})
		expect(8, hash(2))
		expect(500, signal.Hash{})
		expect(99, hash(1099))
		expect(0, hash(1000))
		if seen, err := s.Seen(); err != nil || !slices.Equal(seen, []string{"epoch/1", "000001.shard"}) {
			t.Errorf("seen %q, %v", seen, err)
		}
		must(t, s.Close())
		if s = mustOpen(t, dir); s.Recreated {
			t.Error("a sound folder was made anew")
		}
	}
	must(t, s.Reset())
	expect(6, signal.Hash{})
	if seen, err := s.Seen(); err != nil || seen != nil {
		t.Errorf("a reset ledger has seen %q, %v", seen, err)
	}
	must(t, s.Put(entries(3, 4, 9)))
	expect(3, hash(12))
	must(t, s.Close())
}

func TestSecondOpenIsRefused(t *testing.T) {
	dir := t.TempDir()
	l := mustOpen(t, dir)
	must(t, l.Put(entries(0, 1, 1)))
	if _, err := ledger.Open(dir); !errors.Is(err, ledger.ErrInUse) {
		t.Errorf("opened twice: %v", err)
	}
	if _, ok, err := l.Get(hash(0)); err != nil || !ok {
		t.Errorf("the refused attempt harmed the ledger: %v, %v", ok, err)
	}
	must(t, l.Close())
}

// Any damage, and a process killed with the ledger open, cost the content and
// no more: Badger itself would end the process at some of these.
func TestDamagedFolderIsMadeAnew(t *testing.T) {
	master := t.TempDir()
	l := mustOpen(t, master)
	must(t, l.Put(entries(0, 100, 1)))
	must(t, l.SetSeen([]string{"x"}))
	must(t, l.Close())
	all, err := filepath.Glob(filepath.Join(master, "*"))
	must(t, err)
	harms := map[string]func(path string) error{
		"removed": os.Remove,
		"emptied": func(path string) error { return os.WriteFile(path, nil, 0o600) },
		"cut":     func(path string) error { return changed(path, func(b []byte) []byte { return b[:len(b)*2/3] }) },
		"longer":  func(path string) error { return changed(path, func(b []byte) []byte { return append(b, 0) }) },
		"flipped": func(path string) error {
			return changed(path, func(b []byte) []byte { b[len(b)/2] ^= 4; return b })
		},
	}
	tried := 0
	for _, path := range all {
		name := filepath.Base(path)
		if info, err := os.Stat(path); err != nil || info.Size() == 0 || name == "OWNER" {
			continue // who had it open last is a note for people: nothing depends on it
		}
		for what, harm := range harms {
			t.Run(name+" "+what, func(t *testing.T) {
				dir := filepath.Join(t.TempDir(), "ledger")
				must(t, os.CopyFS(dir, os.DirFS(master)))
				must(t, harm(filepath.Join(dir, name)))
				l := mustOpen(t, dir)
				if !l.Recreated {
					t.Error("not recreated")
				}
				if seen, err := l.Seen(); err != nil || seen != nil {
					t.Errorf("seen %q, %v", seen, err)
				}
				must(t, l.Put(entries(0, 10, 1)))
				must(t, l.Close())
				l = mustOpen(t, dir)
				if _, ok, err := l.Get(hash(5)); l.Recreated || !ok || err != nil {
					t.Errorf("second opening: recreated %v, found %v, %v", l.Recreated, ok, err)
				}
				must(t, l.Close())
			})
			tried++
		}
	}
	if tried < 20 {
		t.Errorf("only %d damages tried in %v", tried, all)
	}
}

func changed(path string, change func([]byte) []byte) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return os.WriteFile(path, change(b), 0o600)
}

// A copy of the folder while it is open is what a killed process leaves.
func TestKilledWithTheLedgerOpen(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a")
	l := mustOpen(t, dir)
	must(t, l.Put(entries(0, 100, 1)))
	copied := filepath.Join(t.TempDir(), "b")
	must(t, os.CopyFS(copied, os.DirFS(dir)))
	must(t, l.Close())
	l = mustOpen(t, copied)
	if !l.Recreated {
		t.Error("not recreated")
	}
	must(t, l.Close())
}

func BenchmarkOpenGetClose(b *testing.B) {
	dir := b.TempDir()
	l := mustOpen(b, dir)
	must(b, l.Put(entries(0, 100000, 1)))
	must(b, l.Close())
	for b.Loop() {
		l := mustOpen(b, dir)
		if _, ok, err := l.Get(hash(5)); !ok || err != nil {
			b.Fatal(ok, err)
		}
		must(b, l.Close())
	}
}
