package corpus

import (
	"os"
	"path/filepath"
	"testing"
)

// TestCommandAtTheEndIsTakenBack: a command with arguments at the end of a
// growing transcript looks like a prompt until its echo shows that the agent's
// program answered it itself.
func TestCommandAtTheEndIsTakenBack(t *testing.T) {
	root := t.TempDir()
	path := filepath.Join(root, "-home-u-api", "6f1a0c52-3a1e-4a53-9d0e-0b1c2d3e4f50.jsonl")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	grow := func(line string) {
		f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if _, err := f.WriteString(line + "\n"); err != nil {
			t.Fatal(err)
		}
	}
	b := onDisk(t, root)
	grow(`{"type":"user","uuid":"u1","parentUuid":null,"sessionId":"6f1a0c52-3a1e-4a53-9d0e-0b1c2d3e4f50","timestamp":"2026-10-01T09:00:00.000Z","cwd":"/home/u/api","message":{"role":"user","content":"<command-name>/tidy</command-name><command-args>the imports</command-args>"}}`)
	if rep := b.sync(); rep.Added != 1 {
		t.Fatalf("the command: %+v", rep)
	}
	grow(`{"type":"user","uuid":"u2","parentUuid":"u1","sessionId":"6f1a0c52-3a1e-4a53-9d0e-0b1c2d3e4f50","timestamp":"2026-10-01T09:00:01.000Z","cwd":"/home/u/api","message":{"role":"user","content":"<local-command-stdout>tidied</local-command-stdout>"}}`)
	if rep := b.sync(); rep.Removed != 1 || rep.Turns != 0 || rep.Sessions != 0 {
		t.Errorf("its echo: %+v", rep)
	}
}
