package sources_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hansard-search/hansard/sources"
)

func put(t testing.TB, path, text string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// found is what Claude finds below a root: path, session, parent and lane.
func found(t testing.TB, root string) (all []string) {
	t.Helper()
	for tr, err := range (sources.Claude{Root: root}).Transcripts(context.Background()) {
		if err != nil {
			t.Fatal(err)
		}
		in := tr.Info()
		rel, err := filepath.Rel(root, in.Path)
		if err != nil || in.Source != "claude" || in.ModTime == 0 || in.Inode == 0 {
			t.Errorf("%+v: %v", in, err)
		}
		all = append(all, fmt.Sprintf("%s %s<%s %s %d", filepath.ToSlash(rel), in.Session, in.Parent, in.Lane, in.Size))
	}
	slices.Sort(all)
	return all
}

func TestClaudeFinds(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{
		"-p/s1.jsonl", "-p/agent-a1.jsonl", "-p/s1/subagents/agent-a2.jsonl", "-p/s1/subagents/agent-a2.meta.json", "-p/s1/subagents/workflows/wf_1/agent-a3.jsonl",
		"-p/s1/subagents/workflows/wf_1/journal.jsonl", "-p/s1/tool-results/x.txt", "-p/s1/tool-results/x.jsonl", "-p/memory/m.jsonl", "-p/sessions-index.json", "-p/notes.txt",
		"-p/s2.jsonl/subagents/agent-a4.jsonl", "-q/s3.jsonl", "-q/s4/subagents/agent-a5.jsonl",
	} {
		put(t, filepath.Join(root, name), "{}\n")
	}
	want := []string{
		"-p/agent-a1.jsonl agent-a1< subagent 3", "-p/s1.jsonl s1< main 3", "-p/s1/subagents/agent-a2.jsonl agent-a2<s1 subagent 3",
		"-p/s1/subagents/workflows/wf_1/agent-a3.jsonl agent-a3<s1 subagent 3", "-q/s3.jsonl s3< main 3", "-q/s4/subagents/agent-a5.jsonl agent-a5<s4 subagent 3",
	}
	if d := cmp.Diff(want, found(t, root)); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(want[1:2], found(t, filepath.Join(root, "-p"))[1:2]); d == "" {
		t.Error("paths below a project as root should be shorter")
	}
	if got := found(t, filepath.Join(root, "nothing")); got != nil {
		t.Error(got)
	}
	if got := found(t, ""); got != nil {
		t.Error(got)
	}
	for range (sources.Claude{Root: root}).Transcripts(context.Background()) {
		break // must not hang nor leak
	}
}

func TestClaudeFollowsOneLink(t *testing.T) {
	dir := t.TempDir()
	root := filepath.Join(dir, "projects")
	put(t, filepath.Join(root, "-p", "s1.jsonl"), "{}\n")
	put(t, filepath.Join(dir, "else", "s2.jsonl"), "{}\n")
	for link, to := range map[string]string{
		filepath.Join(root, "-loop"):             root,
		filepath.Join(root, "-p", "s1"):          filepath.Join(root, "-p"),
		filepath.Join(root, "-q"):                filepath.Join(dir, "else"),
		filepath.Join(root, "-p", "s3.jsonl"):    filepath.Join(dir, "else", "s2.jsonl"),
		filepath.Join(dir, "else", "s4.jsonl"):   filepath.Join(dir, "else", "s2.jsonl"),
		filepath.Join(root, "-p", "s5.jsonl"):    filepath.Join(dir, "nowhere"),
		filepath.Join(root, "-p", "zero.jsonl"):  os.DevNull,
		filepath.Join(root, "-p", "subagents"):   filepath.Join(root, "-p", "subagents"),
		filepath.Join(dir, "else", "s6", "loop"): filepath.Join(dir, "else"),
	} {
		if err := os.MkdirAll(filepath.Dir(link), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(to, link); err != nil {
			t.Skip(err)
		}
	}
	want := []string{"-p/s1.jsonl s1< main 3", "-p/s3.jsonl s3< main 3", "-q/s2.jsonl s2< main 3"}
	if d := cmp.Diff(want, found(t, root)); d != "" {
		t.Error(d)
	}
}

// transcript is the one at that path.
func transcript(t testing.TB, root, path string, caps sources.Caps) sources.Transcript {
	t.Helper()
	for tr, err := range (sources.Claude{Root: root, Caps: caps}).Transcripts(context.Background()) {
		if err != nil {
			t.Fatal(err)
		}
		if tr.Info().Path == path {
			return tr
		}
	}
	t.Fatal("not found:", path)
	return nil
}

// events reads a text as a main transcript.
func events(t testing.TB, text string, caps sources.Caps) (all []sources.Event) {
	t.Helper()
	root := t.TempDir()
	path := put(t, filepath.Join(root, "-p", "s1.jsonl"), text)
	for e, err := range transcript(t, root, path, caps).Events(context.Background(), sources.Position{}) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, e)
	}
	return all
}

func TestClaudeEvent(t *testing.T) {
	text := `{"type":"assistant","uuid":"a1","parentUuid":"p1","timestamp":"2026-01-31T10:00:05.123456Z","cwd":"/home/u/api","gitBranch":"main",` +
		`"message":{"id":"g1","model":"m1","stop_reason":"tool_use","usage":{"input_tokens":1,"output_tokens":2,"cache_read_input_tokens":3,"cache_creation_input_tokens":4},` +
		`"content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"So."},{"type":"tool_use","id":"t1","name":"Edit","input":{"old_string":"a","file_path":"/x.go","new_string":"b","replace_all":false}}]}}` + "\n"
	base := sources.Event{
		ID: "a1", Parent: "p1", Group: "g1", Time: time.Date(2026, 1, 31, 10, 0, 5, 123456000, time.UTC), Cwd: "/home/u/api", Branch: "main", Model: "m1", Stop: "tool_use",
		Usage: sources.Usage{Input: 1, Output: 2, CacheRead: 3, CacheWrite: 4}, Span: sources.Span{Length: int64(len(text) - 1)},
	}
	thought, said, called := base, base, base
	thought.Kind = sources.Thinking
	said.Kind, said.Text, said.Flags = sources.AssistantText, "So.", sources.Continues
	called.Kind, called.Tool = sources.ToolCall, sources.Tool{ID: "t1", Name: "Edit", Path: "/x.go", Text: "tool: Edit\npath: /x.go\nold: a\nnew: b"}
	if d := cmp.Diff([]sources.Event{thought, said, called}, events(t, text, sources.Caps{})); d != "" {
		t.Error(d)
	}
}

func call(t testing.TB, caps sources.Caps, name, input string) sources.Tool {
	t.Helper()
	all := events(t, `{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t","name":"`+name+`","input":`+input+`}]}}`, caps)
	if len(all) != 1 {
		t.Fatal(all)
	}
	return all[0].Tool
}

func TestClaudeToolText(t *testing.T) {
	for _, test := range []struct{ name, input, want string }{
		{"Write", `{"file_path":"/a","content":"x\ny"}`, "tool: Write\npath: /a\ncontent: x\ny"},
		{"Bash", `{"description":"list","command":"ls -l"}`, "tool: Bash\ncommand: ls -l\ndescription: list"},
		{"mcp__fs__write", `{"file_content":"x","filePath":"/a"}`, "tool: mcp__fs__write\npath: /a\ncontent: x"},
		{"mcp__fs__edit", `{"path":"/a","newText":"2","oldText":"1"}`, "tool: mcp__fs__edit\npath: /a\nold: 1\nnew: 2"},
		{"mcp__sh__run", `{"cmd":"ls -l"}`, "tool: mcp__sh__run\ncommand: ls -l"},
		{"MultiEdit", `{"file_path":"/a","edits":[{"old_string":"1","new_string":"2"},{"old_string":"3","new_string":"4"}]}`, "tool: MultiEdit\npath: /a\nold: 1\nnew: 2\nold: 3\nnew: 4"},
		{"Grep", `{"pattern":"x","path":"/src","-n":true}`, "tool: Grep\npath: /src\npattern: x"},
		{"Odd", `"text"`, "tool: Odd"},
	} {
		if got := call(t, sources.Caps{}, test.name, test.input); got.Text != test.want {
			t.Errorf("%s: %q, want %q", test.name, got.Text, test.want)
		}
	}
	long := `{"file_path":"/a","content":"begin` + strings.Repeat(`é\n`, 50000) + `end"}`
	for _, limit := range []int{0, 100, 20, 5} {
		got := call(t, sources.Caps{Call: limit}, "Write", long).Text
		if limit == 0 {
			limit = 1024
		}
		if len(got) > limit || len(got) < limit-8 || !strings.HasPrefix("tool: Write\npath: /a\ncontent: begin", got[:min(len(got), 30)]) {
			t.Errorf("%d bytes: %d %q", limit, len(got), got)
		}
		if limit >= 100 && !strings.HasSuffix(got, "é\nend") {
			t.Errorf("%d bytes without the end: %q", limit, got)
		}
	}
	if got := call(t, sources.Caps{Call: -1}, "Write", long); got.Text != "" || got.Path != "/a" {
		t.Errorf("%+v", got)
	}
}

func TestClaudeResultsOnRequest(t *testing.T) {
	text := `{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t1","is_error":true,"content":[{"type":"text","text":"0123456789"}]}]}}`
	for limit, want := range map[int]string{0: "", -1: "", 5: "01234", 99: "0123456789"} {
		e := events(t, text, sources.Caps{Result: limit})[0]
		if e.Kind != sources.ToolResult || e.Text != want || e.Tool.ID != "t1" || e.Flags != sources.Error {
			t.Errorf("%d: %+v", limit, e)
		}
	}
}

func TestClaudeLane(t *testing.T) {
	for _, test := range []struct {
		more string
		want sources.Lane
	}{
		{`"entrypoint":"cli","promptSource":"typed"`, ""},
		{`"entrypoint":"sdk-py"`, sources.Headless},
		{`"promptSource":"sdk"`, sources.Headless},
		{`"entrypoint":"cli","promptSource":"sdk-url"`, sources.Headless},
		{`"entrypoint":"claude-desktop","promptSource":"sdk","origin":{"kind":"human"}`, ""},
	} {
		e := events(t, `{"type":"user",`+test.more+`,"message":{"content":"why"}}`, sources.Caps{})
		if len(e) != 1 || e[0].Kind != sources.Prompt || e[0].Lane != test.want {
			t.Errorf("%s: %+v", test.more, e)
		}
	}
}

func TestClaudeParentFromLines(t *testing.T) {
	root := t.TempDir()
	path := put(t, filepath.Join(root, "-p", "agent-a1.jsonl"), `{"type":"user","isSidechain":true,"uuid":"p1","sessionId":"s1","message":{"content":"Warmup"}}`+"\n")
	var got []sources.Event
	for e, err := range transcript(t, root, path, sources.Caps{}).Events(context.Background(), sources.Position{}) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, e)
	}
	if len(got) != 2 || got[0].Kind != sources.Start || got[0].ID != "agent-a1" || got[0].Parent != "s1" || got[1].Kind != sources.Prompt {
		t.Errorf("%+v", got)
	}
	e := events(t, `{"type":"user","uuid":"p1","forkedFrom":{"sessionId":"s0","messageUuid":"x"},"message":{"content":"why"}}`, sources.Caps{})
	if len(e) != 2 || e[0].Kind != sources.Start || e[0].Parent != "s0" {
		t.Errorf("%+v", e)
	}
}

// TestClaudeNoID: turns of which no line says an id are told apart all the same.
func TestClaudeNoID(t *testing.T) {
	at := `"timestamp":"2026-01-31T10:00:05.123Z"`
	for _, line := range []string{
		`{"type":"user",` + at + `,"message":{"content":"why"}}`,
		`{"type":"user",` + at + `,"message":{"content":"<command-name>/review</command-name><command-args>why</command-args>"}}`,
	} {
		e := events(t, line, sources.Caps{})
		last := e[len(e)-1]
		if last.Kind != sources.Prompt || !strings.HasPrefix(last.ID, "1769853605123-") {
			t.Errorf("%s: %+v", line, e)
		}
	}
}

func TestClaudeRewritten(t *testing.T) {
	root := t.TempDir()
	line := func(s string) string {
		return `{"type":"user","uuid":"` + s + `","message":{"content":"` + s + `"}}` + "\n"
	}
	path := put(t, filepath.Join(root, "-p", "s1.jsonl"), line("one")+line("two"))
	read := func(from sources.Position) (prompts []sources.Event, err error) {
		for e, err := range transcript(t, root, path, sources.Caps{}).Events(context.Background(), from) {
			if err != nil {
				return prompts, err
			}
			prompts = append(prompts, e)
		}
		return prompts, nil
	}
	all, err := read(sources.Position{})
	if err != nil || len(all) != 2 {
		t.Fatal(all, err)
	}
	from := all[1].From
	again, err := read(from)
	if err != nil || cmp.Diff(all[1:], again) != "" {
		t.Errorf("read on: %v %s", err, cmp.Diff(all[1:], again))
	}
	for name, text := range map[string]string{"other": line("won") + line("two"), "shorter": line("one")[:9], "empty": ""} {
		put(t, path, text)
		if got, err := read(from); !errors.Is(err, sources.ErrRewritten) || len(got) != 0 {
			t.Errorf("%s: %v, %d events", name, err, len(got))
		}
	}
	tr := transcript(t, root, path, sources.Caps{})
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	for _, err := range tr.Events(context.Background(), sources.Position{}) {
		if !errors.Is(err, fs.ErrNotExist) {
			t.Error(err)
		}
	}
}

func TestClaudeStopsWhenAsked(t *testing.T) {
	root := t.TempDir()
	path := put(t, filepath.Join(root, "-p", "s1.jsonl"), strings.Repeat("{\"type\":\"user\",\"message\":{\"content\":\"why\"}}\n", 9))
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	n := 0
	for _, err := range transcript(t, root, path, sources.Caps{}).Events(ctx, sources.Position{}) {
		if n++; n == 3 {
			cancel()
		}
		if n == 4 && !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}
	if n != 4 {
		t.Errorf("%d events", n)
	}
}

// FuzzClaudeLine: whatever stands on lines, reading goes on to the end, every
// error is about one line, spans are in the file, and what encoding/json accepts
// is not skipped.
func FuzzClaudeLine(f *testing.F) {
	for _, s := range []string{
		`{"type":"user","uuid":"p1","message":{"content":"why"}}`, `{"type":"user","message":{"content":[{"type":"tool_result","is_error":true,"content":"the user said: no"},{"type":"text","text":"x"}]}}`,
		`{"type":"assistant","message":{"id":"g","model":"<synthetic>","content":[{"type":"text","text":"API Error"}]}}`, `{"type":"queue-operation","operation":"enqueue","content":"x"}`,
		`{"type":"queue-operation","operation":"remove","content":["x"]}`, `{"type":"user","message":{"content":"<command-name>/x</command-name><command-args>y</command-args>"}}`,
		`{"type":"system","subtype":"local_command","content":"<command-name>/x</command-name>"}`, `{"type":"attachment","attachment":{"type":"queued_command","prompt":[{"type":"image"}]}}`,
		`{"type":"summary","summary":"s","leafUuid":"p1"}`, `{"type":"assistant","message":{"content":[{"type":"tool_use","name":"E","input":{"edits":[{"edits":[{"old_string":"x"}]}]}}]}}`,
		`{"type":`, "7", `{"timestamp":"2026-02-30T00:00:00.000Z","type":"user","message":{"content":"<system-reminder></system-reminder>"}}`, `{"a":1}{"type":"user"`,
	} {
		f.Add([]byte(s), []byte(`{"type":"assistant","message":{"content":"So."}}`))
	}
	root := f.TempDir()
	path := put(f, filepath.Join(root, "-p", "s1.jsonl"), "")
	f.Fuzz(func(t *testing.T, one, two []byte) {
		text := string(one) + "\n" + string(two) + "\n"
		put(t, path, text)
		skipped := map[int]bool{}
		for e, err := range transcript(t, root, path, sources.Caps{Result: 9}).Events(context.Background(), sources.Position{}) {
			var s *sources.Skipped
			if errors.As(err, &s) {
				skipped[s.Line] = true
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			if e.Span.Offset < 0 || e.Span.Offset+e.Span.Length > int64(len(text)) || e.Kind == sources.Prompt && (e.Text == "" || e.From.Offset != e.Span.Offset) {
				t.Fatalf("%+v", e)
			}
		}
		for i, l := range strings.Split(text, "\n") {
			var o map[string]json.RawMessage
			if err := json.Unmarshal([]byte(l), &o); err == nil && o != nil && skipped[i+1] {
				t.Fatalf("line %d was skipped: %q", i+1, l)
			}
		}
	})
}
