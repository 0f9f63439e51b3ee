package sources

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A folder lists what package os finds in it, however much that is.
func TestFolderListsAll(t *testing.T) {
	for _, n := range []int{0, 1, 700} {
		dir := t.TempDir()
		for i := range n {
			name := filepath.Join(dir, fmt.Sprintf("%d-%s", i, strings.Repeat("ü", i%100)))
			err := os.WriteFile(name, nil, 0o600)
			if i%7 == 0 && err == nil {
				err = os.Mkdir(name+".d", 0o700)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if n > 1 {
			_ = os.Symlink("0-", filepath.Join(dir, "link")) // where there are links
		}
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		var want []item
		for _, e := range entries {
			want = append(want, item{e.Name(), e.Type()})
		}
		f, err := openFolder(dir)
		if err != nil {
			t.Fatal(err)
		}
		got, err := f.list()
		f.close()
		if err != nil {
			t.Fatal(err)
		}
		slices.SortFunc(got, func(a, b item) int { return strings.Compare(a.name, b.name) })
		if !slices.Equal(got, want) {
			t.Errorf("of %d:\n%v\nnot\n%v", n, got, want)
		}
	}
}
