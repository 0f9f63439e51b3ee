package files_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/hansard-search/hansard/corpus/internal/files"
)

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

func TestWriteAtomicReplaces(t *testing.T) {
	path := filepath.Join(t.TempDir(), "F")
	for _, content := range []string{"one", "", "three, longer"} {
		if err := files.WriteAtomic(files.OS{}, path, []byte(content)); err != nil {
			t.Fatal(err)
		}
		if got := read(t, path); got != content {
			t.Errorf("got %q, want %q", got, content)
		}
	}
	if got := names(t, filepath.Dir(path)); len(got) != 1 {
		t.Errorf("left over: %v", got)
	}
}

func TestAppendCuts(t *testing.T) {
	path := filepath.Join(t.TempDir(), "F")
	if err := files.WriteAtomic(files.OS{}, path, []byte("hello, torn rest")); err != nil {
		t.Fatal(err)
	}
	f, err := files.OS{}.Append(path, 5)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write([]byte(" world")); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if got := read(t, path); got != "hello world" {
		t.Errorf("got %q", got)
	}
	if _, err := (files.OS{}).Append(path, 100); err == nil {
		t.Error("a file that is too short was appended to")
	}
	if _, err := (files.OS{}).Append(path+"x", 0); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v, want fs.ErrNotExist", err)
	}
}

// Whatever step breaks, and however, the file holds the old content or the
// new; and when WriteAtomic says that it went well, the new.
func TestWriteAtomicAtEveryFault(t *testing.T) {
	old, fresh := strings.Repeat("old", 100), strings.Repeat("fresh", 200)
	for _, mode := range []struct {
		name        string
		kill, power bool
	}{{"error", false, false}, {"kill", true, false}, {"power", true, true}} {
		for at := 1; ; at++ {
			path := filepath.Join(t.TempDir(), "F")
			if err := files.WriteAtomic(files.OS{}, path, []byte(old)); err != nil {
				t.Fatal(err)
			}
			faulty := &files.Faulty{At: at, Kill: mode.kill, Power: mode.power, Err: syscall.ENOSPC}
			err := files.WriteAtomic(faulty, path, []byte(fresh))
			if !faulty.Failed() {
				if err != nil || at < 6 {
					t.Fatalf("%s: %d steps, error %v", mode.name, at-1, err)
				}
				break
			}
			if !errors.Is(err, syscall.ENOSPC) {
				t.Errorf("%s %d: error %v", mode.name, at, err)
			}
			if got := read(t, path); got != old && got != fresh {
				t.Errorf("%s %d: the file holds %d bytes of neither", mode.name, at, len(got))
			}
			if got := names(t, filepath.Dir(path)); !mode.kill && len(got) != 1 {
				t.Errorf("%s %d: left over: %v", mode.name, at, got)
			}
		}
	}
}

// Without the sync a power loss must be visible, or the test above proves nothing.
func TestPowerLossTakesWhatWasNotSynced(t *testing.T) {
	path := filepath.Join(t.TempDir(), "F")
	faulty := &files.Faulty{At: 1, Only: files.StepSyncDir, Kill: true, Power: true}
	f, err := faulty.Create(path + ".tmp")
	if err != nil {
		t.Fatal(err)
	}
	for i := range 2 {
		if _, err := f.Write([]byte("12345")); err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			if err := f.Sync(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := faulty.Rename(path+".tmp", path); err != nil {
		t.Fatal(err)
	}
	if err := faulty.SyncDir(filepath.Dir(path)); !errors.Is(err, files.ErrFault) {
		t.Errorf("got %v", err)
	}
	if err := f.Close(); !errors.Is(err, files.ErrFault) {
		t.Errorf("after the kill Close gave %v", err)
	}
	if got := read(t, path); got != "12345" {
		t.Errorf("got %q", got)
	}
}

func TestFaultyCountsOnlyWhatItIsToldTo(t *testing.T) {
	faulty := &files.Faulty{At: 2, Only: files.StepRename}
	path := filepath.Join(t.TempDir(), "F")
	for i, want := range []bool{true, false, true} {
		err := files.WriteAtomic(faulty, path, []byte("x"))
		if (err == nil) != want {
			t.Errorf("write %d: error %v", i, err)
		}
	}
	if faulty.Steps() != 3 {
		t.Errorf("%d renames counted, want 3", faulty.Steps())
	}
}

func TestAbort(t *testing.T) {
	path := filepath.Join(t.TempDir(), "F")
	p, err := files.Create(files.OS{}, path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Write([]byte("half")); err != nil {
		t.Fatal(err)
	}
	p.Abort()
	p.Abort()
	if got := names(t, filepath.Dir(path)); len(got) != 0 {
		t.Errorf("left over: %v", got)
	}
}

// A file that is opened again is as durable as it was, until it is synced.
func TestSync(t *testing.T) {
	for _, synced := range []bool{false, true} {
		path := filepath.Join(t.TempDir(), "F")
		faulty := &files.Faulty{At: 1, Only: files.StepSyncDir, Kill: true, Power: true}
		f, err := faulty.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write([]byte("12345")); err != nil {
			t.Fatal(err)
		}
		f.Close()
		if synced {
			err = files.Sync(faulty, path, 5)
		} else if f, err = faulty.Append(path, 5); err == nil {
			err = f.Close()
		}
		if err != nil {
			t.Fatal(err)
		}
		faulty.SyncDir(filepath.Dir(path))
		if got, want := read(t, path), map[bool]string{true: "12345"}[synced]; got != want {
			t.Errorf("synced %v: got %q", synced, got)
		}
	}
}

// What is settled has no name before Commit, and can be given up.
func TestSettle(t *testing.T) {
	for _, commit := range []bool{false, true} {
		path := filepath.Join(t.TempDir(), "F")
		faulty := &files.Faulty{}
		p, err := files.Create(faulty, path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err = p.Write([]byte("whole")); err == nil {
			err = p.Settle()
		}
		if err != nil {
			t.Fatal(err)
		}
		if got := names(t, filepath.Dir(path)); len(got) != 1 || got[0] != "F"+files.TempSuffix {
			t.Errorf("settled: %v", got)
		}
		var want []string
		if commit {
			if err := p.Commit(); err != nil {
				t.Fatal(err)
			}
			want = []string{"F"}
		}
		p.Abort()
		if got := names(t, filepath.Dir(path)); !slices.Equal(got, want) {
			t.Errorf("committed %v: %v", commit, got)
		}
	}
}
