package sources

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const codexFixtures = "../testdata/codex/sessions"

// codexRead reads the rollout whose session id ends in suffix.
func codexRead(t *testing.T, suffix string) []Event {
	t.Helper()
	for tr, err := range (Codex{Root: codexFixtures, Caps: Caps{Result: 100}}).Transcripts(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(tr.Info().Session, suffix) {
			return piAll(t, tr, Position{})
		}
	}
	t.Fatalf("no session ...%s", suffix)
	return nil
}

// asked is the ids of the prompts, by their words.
func asked(events []Event) map[string]string {
	ids := map[string]string{}
	for _, e := range events {
		if e.Kind == Prompt {
			ids[e.Text] = e.ID
		}
	}
	return ids
}

func TestCodexEvents(t *testing.T) {
	events := codexRead(t, "00a1")
	if d := cmp.Diff([]string{
		"start",
		"prompt The lamp turns too fast. Slow it down to",
		"thinking",
		"text!32 I look for the period first.",
		"call tool: exec_command",
		"result src/lamp.rs:3: let period = 5;",
		"thinking",
		"steering and write it down in docs too",
		"call tool: apply_patch",
		`result {"output":"Success"}`,
		"text The lamp now turns every twelve seconds;",
		"thinking",
		"end",
		"prompt Does the horn still work?",
		"call tool: shell",
		"interrupt",
		"compaction",
		"summary The lamp was slowed down to twelve secon",
		"title Lamp period",
		"prompt Try the horn again.",
		"text The horn works.",
		"end",
	}, sketch(events)); d != "" {
		t.Error(d)
	}
	start, prompt := events[0], events[1]
	if start.Cwd != "/home/iris/lighthouse" || start.Branch != "lamp" || start.Parent != "" {
		t.Errorf("start: %+v", start)
	}
	if prompt.ID != "01a2b000-1111-7aaa-8bbb-00000000c001" || prompt.Branch != "lamp" || prompt.Lane != "" {
		t.Errorf("prompt: %+v", prompt)
	}
	if c := events[4].Tool; c.Command != "rg -n period src" || c.Name != "exec_command" {
		t.Errorf("command: %+v", c)
	}
	patch := events[8].Tool
	if patch.Path != "src/lamp.rs" || !slices.Equal(patch.More, []string{"docs/lamp.md"}) || !strings.Contains(patch.Text, "content: *** Begin Patch") {
		t.Errorf("patch: %+v", patch)
	}
	if events[6].Usage != (Usage{Input: 300, Output: 40, CacheRead: 600}) || events[6].Group != events[4].Group || events[6].Model != "gpt-5-codex" {
		t.Errorf("usage: %+v", events[6])
	}
}

// A copy in a fork has the id of its original, whatever its time says.
func TestCodexForks(t *testing.T) {
	for _, test := range []struct{ parent, fork, own string }{{"00a1", "00f1", "What about the foghorn in winter?"}, {"00b1", "00b2", "in metres?"}} {
		events := codexRead(t, test.fork)
		if events[0].Kind != Start || !strings.HasSuffix(events[0].Parent, test.parent) || !strings.HasSuffix(events[0].ID, test.fork) {
			t.Errorf("start of the fork: %+v", events[0])
		}
		was, is := asked(codexRead(t, test.parent)), asked(events)
		copied := 0
		for text, id := range is {
			if was[text] != "" {
				copied++
				if was[text] != id {
					t.Errorf("%s: %q has id %s, its copy %s", test.parent, text, was[text], id)
				}
			}
		}
		if want := len(is) - 1; copied != want || is[test.own] == "" || slices.Contains([]string{was["Try the horn again."], was["and the old one?"]}, is[test.own]) {
			t.Errorf("%s: %d copies, want %d; all: %v", test.fork, copied, want, is)
		}
	}
}

func TestCodexFirstVersions(t *testing.T) {
	events := codexRead(t, "00e1")
	if d := cmp.Diff([]string{
		"start", "prompt name the three buoys", "thinking", "call tool: shell", "result a b c", "text Ada, Bell and Cay.",
	}, sketch(events)); d != "" {
		t.Error(d)
	}
	if p := events[1]; p.Time.IsZero() || p.ID == "" || events[3].Tool.Command != "ls buoys" {
		t.Errorf("%+v", events)
	}
}

func TestCodexLanes(t *testing.T) {
	events := codexRead(t, "0051")
	if events[1].Lane != Subagent || !strings.HasSuffix(events[0].Parent, "00f1") {
		t.Errorf("a sub-agent's session: %+v", events[:2])
	}
	path := filepath.Join(t.TempDir(), "sessions", "rollout-x.jsonl")
	for meta, want := range map[string]Lane{
		`"source":"exec"`: Headless, `"originator":"codex_exec"`: Headless, `"source":"mcp"`: Headless, `"source":"vscode"`: "", `"source":{"subagent":"review"}`: Subagent,
	} {
		text := `{"timestamp":"2026-01-01T00:00:00Z","type":"session_meta","payload":{"id":"x",` + meta + "}}\n" +
			`{"timestamp":"2026-01-01T00:00:01Z","type":"event_msg","payload":{"type":"user_message","message":"hi"}}`
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		for tr := range (Codex{Root: filepath.Dir(path)}).Transcripts(t.Context()) {
			if got := piAll(t, tr, Position{}); len(got) != 2 || got[1].Lane != want {
				t.Errorf("%s: %+v, want lane %q", meta, got, want)
			}
		}
	}
}
