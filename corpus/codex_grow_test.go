package corpus

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hansard-search/hansard/sources"
)

// Rollouts that grow line by line, a fork among them, give the index that is
// built of them at once.
func TestCodexGrows(t *testing.T) {
	const from = "../testdata/codex/sessions"
	export := func(b *bench) (list []string) {
		c := b.open()
		for r, err := range c.Export(t.Context(), Filter{}) {
			if err != nil {
				t.Fatal(err)
			}
			text, err := json.Marshal(r)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, string(text))
		}
		return list
	}
	root := filepath.Join(t.TempDir(), "sessions")
	corpus := func() *bench {
		b := newBench(t)
		b.cfg.Sources = []sources.Source{sources.Codex{Root: root}}
		b.cfg.Bounds.Lanes = []sources.Lane{sources.Subagent}
		return b
	}
	grown := corpus()
	err := filepath.WalkDir(from, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		to := filepath.Join(root, filepath.Base(path))
		if err := os.MkdirAll(root, 0o700); err != nil {
			return err
		}
		so := []byte{}
		for line := range bytes.Lines(text) {
			so = append(so, line...)
			if err := os.WriteFile(to, so, 0o600); err != nil {
				return err
			}
			grown.sync()
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	once := corpus()
	if rep := once.sync(); rep.Turns != 8 {
		t.Errorf("%d turns: a copy is no turn of its own", rep.Turns)
	}
	if d := cmp.Diff(export(once), export(grown)); d != "" {
		t.Errorf("built at once (-) and step by step (+):\n%s", d)
	}
}
