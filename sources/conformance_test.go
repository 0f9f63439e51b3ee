package sources_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/hansard-search/hansard/sources"
	"github.com/hansard-search/hansard/sources/sourcetest"
)

func TestPiKeepsThePromises(t *testing.T) {
	sourcetest.Run(t, sources.Pi{Root: "../testdata/pi"}, sourcetest.Options{Prompts: 13})
	sourcetest.Run(t, sources.Pi{Root: "../testdata/pi-migrated", Caps: sources.Caps{Call: -1, Result: 100}}, sourcetest.Options{Prompts: 4})
	if dir := os.Getenv("HANSARD_REAL_CORPUS"); dir != "" {
		sourcetest.Run(t, sources.Pi{Root: filepath.Join(dir, "sessions")}, sourcetest.Options{Prompts: 143, Resumes: 4})
	}
}

func TestClaudeKeepsThePromises(t *testing.T) {
	root, err := filepath.Abs("../samples/claude/projects")
	if err != nil {
		t.Fatal(err)
	}
	sourcetest.Run(t, sources.Claude{Root: root}, sourcetest.Options{Prompts: 21})
	if dir := os.Getenv("HANSARD_REAL_CORPUS"); dir != "" && !testing.Short() {
		sourcetest.Run(t, sources.Claude{Root: filepath.Join(dir, "claude", "projects")}, sourcetest.Options{Prompts: 500, Resumes: 3})
	}
}

func TestCodexKeepsThePromises(t *testing.T) {
	sourcetest.Run(t, sources.Codex{Root: "../testdata/codex/sessions"}, sourcetest.Options{Prompts: 12})
	sourcetest.Run(t, sources.Codex{Root: "../testdata/codex/sessions", Caps: sources.Caps{Call: -1, Result: 100}}, sourcetest.Options{Prompts: 12})
}

func TestHistoryKeepsThePromises(t *testing.T) {
	sourcetest.Run(t, sources.History{Dir: "../testdata/history"}, sourcetest.Options{Prompts: 3})
}

func TestNotesKeepThePromises(t *testing.T) {
	dir, err := filepath.Abs("../testdata/notes")
	if err != nil {
		t.Fatal(err)
	}
	sourcetest.Run(t, sources.Notes{Folders: []sources.NotesFolder{{Dir: dir, Project: "/home/ines/kiln"}}}, sourcetest.Options{Prompts: 4})
}

func TestMemoryKeepsThePromises(t *testing.T) {
	m := &sources.Memory{Kind: "desk"}
	at := time.Date(2026, 9, 1, 10, 0, 0, 0, time.UTC)
	m.AppendRecords("s1",
		sources.Record{ID: "1", Prompt: "where is the key?", Answer: "Under the mat.", Time: at},
		sources.Record{ID: "2", Prompt: "which mat?", Time: at.Add(time.Minute)},
	)
	m.Append(sources.Info{Session: "s2", Path: "/notes/s2", Lane: sources.Cron},
		sources.Event{Kind: sources.Start, ID: "s2", Cwd: "/w"},
		sources.Event{Kind: sources.Prompt, ID: "3", Text: "nightly report"},
		sources.Event{Kind: sources.ToolCall, Tool: sources.Tool{Name: "bash", Command: "report"}},
	)
	m.Append(sources.Info{Session: "s3"})
	sourcetest.Run(t, m, sourcetest.Options{Prompts: 3})
}

// addSeeds adds the files that match as seeds.
func addSeeds(f *testing.F, pattern string) {
	f.Helper()
	paths, err := filepath.Glob(pattern)
	if err != nil || len(paths) == 0 {
		f.Fatal("no seeds: ", err)
	}
	for _, p := range paths {
		b, err := os.ReadFile(p)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
}

// Whatever the bytes are, reading them keeps the promises.
func FuzzCodex(f *testing.F) {
	addSeeds(f, "../testdata/codex/sessions/*/*/*/*.jsonl")
	f.Add([]byte(`{"id":"x"}{"type":"message","role":"user","content":"a"}{"type":"function_call","arguments":"{","call_id":1}` + "\n" + `{"type":"event_msg","payload":{"type":"task_complete","last_agent_message":"b"}}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		root := t.TempDir()
		if err := os.WriteFile(filepath.Join(root, "rollout-s.jsonl"), b, 0o600); err != nil {
			t.Fatal(err)
		}
		sourcetest.Run(t, sources.Codex{Root: root}, sourcetest.Options{Resumes: 3})
	})
}

// Whatever the bytes are, reading them keeps the promises.
func FuzzPi(f *testing.F) {
	head := `{"type":"session","version":3,"id":"s","timestamp":"2026-09-01T10:00:00Z","cwd":"/w"}` + "\n"
	f.Add([]byte(head))
	f.Add([]byte(head + `{"type":"message","id":"a","timestamp":1,"message":{"role":"user","content":["x",{"type":"text","text":"hi"}]}}{"type":"message"` + "\n{}\n"))
	f.Add([]byte(head + `{"type":"message","message":{"role":"user","content":"a","timestamp":-1e300}}` + "\n" + `{"type":"message","message":{"role":"assistant","content":[{"type":"toolCall","arguments":[]}],"stopReason":7}}`))
	f.Add([]byte(head + `{"type":"message","id":"a","message":{"role":"user","content":"x","timestamp":1}}` + "\n" +
		`{"type":"label","id":"b","parentId":"z"} {"type":"label","id":"c","parentId":"b"} {"type":"message","id":"d","parentId":"c","message":{"role":"user","content":"y","timestamp":2}}`))
	addSeeds(f, "../testdata/pi*/*/*.jsonl")
	f.Fuzz(func(t *testing.T, b []byte) {
		root := t.TempDir()
		if err := os.WriteFile(filepath.Join(root, "s.jsonl"), b, 0o600); err != nil {
			t.Fatal(err)
		}
		sourcetest.Run(t, sources.Pi{Root: root}, sourcetest.Options{Resumes: 3})
	})
}

func TestNovaKeepsThePromises(t *testing.T) {
	dir := t.TempDir()
	if err := writeNova(dir); err != nil {
		t.Fatal(err)
	}
	sourcetest.Run(t, nova{root: dir}, sourcetest.Options{Prompts: 2})
}
