//go:build unix

package ledger_test

import (
	"io/fs"
	"path/filepath"
	"syscall"
	"testing"
)

// The umask is the process's, so nothing here runs in parallel.
func TestModes(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "ledger")
	defer syscall.Umask(syscall.Umask(0))
	for range 2 {
		l := mustOpen(t, dir)
		must(t, l.Put(entries(0, 10, 1)))
		must(t, l.SetSeen([]string{"x"}))
		must(t, l.Close())
	}
	seen := 0
	must(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		want := fs.FileMode(0o600)
		if d.IsDir() {
			want = 0o700
		}
		if info.Mode().Perm() != want {
			t.Errorf("%s has mode %o", path, info.Mode().Perm())
		}
		seen++
		return nil
	}))
	if seen < 4 {
		t.Errorf("%d files looked at", seen)
	}
}
