//go:build unix

package files_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/hansard-search/hansard/corpus/internal/files"
)

// The modes hold under any umask. The umask is the process's, so nothing here
// runs in parallel.
func TestModes(t *testing.T) {
	for _, mask := range []int{0, 0o777} {
		dir := filepath.Join(t.TempDir(), "a")
		old := syscall.Umask(mask)
		err := files.OS{}.Mkdir(dir)
		if err == nil {
			err = files.WriteAtomic(files.OS{}, filepath.Join(dir, "F"), []byte("x"))
		}
		syscall.Umask(old)
		if err != nil {
			t.Fatal(err)
		}
		for path, want := range map[string]fs.FileMode{dir: 0o700, filepath.Join(dir, "F"): 0o600} {
			info, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			if info.Mode().Perm() != want {
				t.Errorf("umask %o: %s has mode %o, want %o", mask, path, info.Mode().Perm(), want)
			}
		}
	}
}
