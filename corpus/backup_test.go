package corpus

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/hansard-search/hansard/corpus/internal/published"
)

// TestBackupAndRestore takes a backup in each form, changes the corpus, and puts
// the backup back under an open reader.
func TestBackupAndRestore(t *testing.T) {
	for _, name := range []string{"folder", "file.tar", "file.tar.gz"} {
		b := damagedBench(t)
		want := dumpOrNone(t, b.dir)
		to := filepath.Join(t.TempDir(), name)
		c := b.open()
		rep, err := c.Backup(t.Context(), to)
		if err != nil || rep.Turns != 259 {
			t.Fatalf("%s: %+v %v", name, rep, err)
		}
		if _, err := c.Backup(t.Context(), to); name == "folder" && !errors.Is(err, os.ErrExist) {
			t.Errorf("a second backup to the same folder: %v", err)
		}
		b.src.AppendRecords("s1", pair("later", "after the backup", "yes", 2000))
		b.sync()
		if rep, err = Restore(t.Context(), b.cfg, to); err != nil || rep.Turns != 259 {
			t.Fatalf("%s: %+v %v", name, rep, err)
		}
		if got := dump(t, c); got != want {
			t.Errorf("%s: an open reader sees\n%s\nwant\n%s", name, got, want)
		}
		checkCorpus(t, b.dir)
		noOrphans(t, b.dir, name)
		if rep := b.sync(); rep.Added != 1 || rep.Changed != 0 {
			t.Errorf("%s: the run after: %+v", name, rep)
		}
		// Into an empty folder, and over a damaged corpus.
		fresh := b.cfg
		fresh.Dir = filepath.Join(t.TempDir(), "fresh")
		for range 2 {
			if _, err := Restore(t.Context(), fresh, to); err != nil {
				t.Fatal(err)
			}
			if got := dumpOrNone(t, fresh.Dir); got != want {
				t.Errorf("%s: restored:\n%s\nwant:\n%s", name, got, want)
			}
			if err := os.WriteFile(filepath.Join(fresh.Dir, "MANIFEST"), []byte("nonsense"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestDamagedBackupIsRefused: nothing changes, and no file is left over.
func TestDamagedBackupIsRefused(t *testing.T) {
	b := damagedBench(t)
	to := filepath.Join(t.TempDir(), "backup")
	if _, err := b.open().Backup(t.Context(), to); err != nil {
		t.Fatal(err)
	}
	want := dumpOrNone(t, b.dir)
	for _, f := range indexFiles(t, to) {
		whole, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		bad := append([]byte(nil), whole...)
		bad[len(bad)/2] ^= 1
		if err := os.WriteFile(f, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		table := filepath.Base(f) != "MANIFEST" && filepath.Ext(f) != published.ShardExt
		if _, err := Restore(t.Context(), b.cfg, to); err == nil && !table {
			t.Errorf("%s: restored", f)
		}
		if got := dumpOrNone(t, b.dir); got != want {
			t.Errorf("%s: the corpus is now\n%s\nwas\n%s", f, got, want)
		}
		noOrphans(t, b.dir, f)
		if err := os.WriteFile(f, whole, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Restore(t.Context(), b.cfg, t.TempDir()); err == nil {
		t.Error("an empty folder was restored")
	}
}

// TestRestoreBringsNothingForgottenBack, from a backup that was taken before.
func TestRestoreBringsNothingForgottenBack(t *testing.T) {
	b := newBench(t)
	b.src.AppendRecords("s1", pair("t1", "plughword", "yes", 0))
	b.src.AppendRecords("s2", pair("t2", "second", "yes", 1))
	b.sync()
	to := filepath.Join(t.TempDir(), "b.tar")
	if _, err := b.open().Backup(t.Context(), to); err != nil {
		t.Fatal(err)
	}
	if _, err := b.forget(Forgetting{Sessions: []string{"s1"}}); err != nil {
		t.Fatal(err)
	}
	if rep, err := Restore(t.Context(), b.cfg, to); err != nil || rep.Turns != 1 {
		t.Errorf("%+v %v", rep, err)
	}
	if found := holding(t, b.dir, "plughword"); len(found) > 0 {
		t.Errorf("the backup brought it back: %v", found)
	}
}
