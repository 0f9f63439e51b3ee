package corpus

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/hansard-search/hansard/sources"
)

// TestLargeTurn: of a prompt of many megabytes nothing is lost, and few copies are
// made, with a secret in it or without.
func TestLargeTurn(t *testing.T) {
	const size, most = 24 << 20, 9
	text := strings.Repeat("why does the gopher's build fail in config.ts again? \n", size/54) + "the last zymurgy"
	for name, secret := range map[string]string{"clean": "", "with a secret": " ghp_0123456789abcdefghijABCDEFGHIJ012345 "} {
		root := t.TempDir()
		dir := filepath.Join(root, "project")
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		line, err := json.Marshal(map[string]any{
			"type": "user", "uuid": "u1", "sessionId": "s1", "cwd": "/home/u/api", "timestamp": "2026-10-01T09:00:00.000Z",
			"message": map[string]string{"role": "user", "content": secret + text},
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "s1.jsonl"), append(line, '\n'), 0o600); err != nil {
			t.Fatal(err)
		}
		b := newBench(t)
		b.cfg.Sources = []sources.Source{sources.Claude{Root: root}}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		b.sync()
		runtime.ReadMemStats(&after)
		took := (after.TotalAlloc - before.TotalAlloc) / size
		if took > most {
			t.Errorf("%s: %d times its size of memory", name, took)
		}
		checkCorpus(t, b.dir)
		c := b.open()
		a, err := c.Search(t.Context(), Query{Text: `"last zymurgy"`})
		if err != nil || len(a.Results) != 1 {
			t.Fatalf("%s: %v, %+v", name, err, a)
		}
		r, err := c.Turn(t.Context(), "u1")
		if err != nil || !strings.HasSuffix(r.Prompt, text) || strings.Contains(r.Prompt, "ghp_") {
			t.Errorf("%s: %v, %d bytes of %d", name, err, len(r.Prompt), len(text))
		}
		c.Close()
	}
}
