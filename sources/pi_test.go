package sources

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// piRead reads the one transcript below root whose session id ends in suffix.
func piRead(t *testing.T, root, suffix string) (Info, []Event) {
	t.Helper()
	for tr, err := range (Pi{Root: root}).Transcripts(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(tr.Info().Session, suffix) {
			return tr.Info(), piAll(t, tr, Position{})
		}
	}
	t.Fatalf("no session ...%s below %s", suffix, root)
	return Info{}, nil
}

func piAll(t *testing.T, tr Transcript, from Position) (events []Event) {
	t.Helper()
	for e, err := range tr.Events(t.Context(), from) {
		if err != nil {
			t.Fatal(err)
		}
		events = append(events, e)
	}
	return events
}

var kindNames = [...]string{"other", "start", "prompt", "steering", "text", "thinking", "call", "result", "notification",
	"interrupt", "failure", "end", "compaction", "title", "summary"}

// sketch is one line an event: its kind, flags, and the first words.
func sketch(events []Event) (lines []string) {
	for _, e := range events {
		if e.Kind == Other {
			continue
		}
		text, _, _ := strings.Cut(e.Tool.Text+e.Text, "\n")
		if len(text) > 40 {
			text = text[:40]
		}
		s := kindNames[e.Kind]
		if e.Flags != 0 {
			s += fmt.Sprintf("!%d", e.Flags)
		}
		lines = append(lines, strings.TrimSpace(s+" "+text))
	}
	return lines
}

func TestPiVersions(t *testing.T) {
	tests := []struct {
		name, session string
		want          []string
	}{
		{"version 1", "8a7d11", []string{
			"start",
			"prompt the moisture sensor reports 0 for every", "text I will look at how readings are parsed.", "call tool: read", "result",
			"call tool: bash", "result", "text Firmware 2.4 separates the fields with a", "end",
			"prompt yes, do that", "call tool: edit", "result", "text Both separators are accepted now, and a", "interrupt",
			"prompt keep the zero out of the database as wel", "failure 529 overloaded_error: Overloaded",
			"text A reading that cannot be parsed is dropp", "end", "result $ npm test -- sensor",
			"compaction", "summary ## Goal",
			"prompt add a test for a line without any separa", "text Added `parse.test.ts`: a line without a", "end",
		}},
		{"version 2", "7f9021", []string{
			"start", "prompt which beds are watered twice on Mondays?", "notification [calendar] Monday is a public holiday.",
			"thinking", "call tool: bash", "result",
			"text Beds 3 and 7: lines 14 and 41 of `beds.y", "end",
			"prompt [image]", "text The picture shows bed 7 under water. I w", "end",
		}},
		{"version 3", "d4c001", []string{
			"start", "prompt rewrite the scheduler so that it can ski", "text I would ask the forecast once a day and", "end",
			"title Rain and the scheduler",
			"prompt use a cron job", "call tool: write", "result", "text The cron job writes the forecast to `/va", "end",
			fmt.Sprintf("summary!%d Tried a cron job that stores the forecas", OfBranch),
			"prompt no cron in the container, do it inside t", "call tool: edit", fmt.Sprintf("result!%d", Error),
			"notification [watcher] src/scheduler.ts was saved by", "call tool: forecast", "result",
			"text `Scheduler.tick` asks `rain.today()` fir", "end",
			"compaction", "summary The scheduler skips rainy days by asking",
			"prompt only for the rain feature", "text - Rainy days: beds are not watered when", "end",
			"title Skip rainy days",
			"prompt /rename did not stick?", "text The name is set", "call tool: bash",
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in, events := piRead(t, "../testdata/pi", tt.session)
			if diff := cmp.Diff(tt.want, sketch(events)); diff != "" {
				t.Error(diff)
			}
			if events[0].ID != in.Session || events[0].Cwd != "/home/mara/orchard" {
				t.Errorf("start says %+v, the file's name says %s", events[0], in.Session)
			}
		})
	}
}

func TestPiTurnIDsSurviveARewrite(t *testing.T) {
	ids := func(root string) (ids, entries []string) {
		_, events := piRead(t, root, "8a7d11")
		for _, e := range events {
			if e.Kind == Prompt {
				ids, entries = append(ids, e.ID), append(entries, e.Entry)
			}
		}
		return ids, entries
	}
	old, _ := ids("../testdata/pi")
	migrated, entries := ids("../testdata/pi-migrated")
	if diff := cmp.Diff(old, migrated); diff != "" {
		t.Error(diff)
	}
	if len(old) != 4 || !strings.HasPrefix(old[0], "1788423219997-") {
		t.Errorf("ids %v: want four, of the prompt's own time", old)
	}
	for i, e := range entries {
		if len(e) != 8 || e == migrated[i] {
			t.Errorf("prompt %d has entry %q", i, e)
		}
	}
}

func TestPiChain(t *testing.T) {
	_, events := piRead(t, "../testdata/pi", "d4c001")
	at := map[string]int{}
	for i, e := range events {
		if e.Parent != "" {
			if _, ok := at[e.Parent]; !ok {
				t.Errorf("event %d (%s): its parent %s was not seen", i, kindNames[e.Kind], e.Parent)
			}
		}
		if _, ok := at[e.ChainID()]; !ok {
			at[e.ChainID()] = i
		}
	}
	on := map[string]bool{}
	for i := len(events) - 1; ; i = at[events[i].Parent] {
		on[events[i].ChainID()] = true
		if events[i].Parent == "" {
			break
		}
	}
	var off []string
	for _, e := range events {
		if e.Kind == Prompt && !on[e.ChainID()] {
			off = append(off, e.Text)
		}
	}
	if diff := cmp.Diff([]string{"use a cron job"}, off); diff != "" {
		t.Error(diff)
	}
}

func TestPiFork(t *testing.T) {
	_, parent := piRead(t, "../testdata/pi", "d4c001")
	_, fork := piRead(t, "../testdata/pi", "1c2002")
	if !strings.HasSuffix(fork[0].Parent, parent[0].ID+".jsonl") {
		t.Errorf("the fork's parent is %q", fork[0].Parent)
	}
	if fork[1].Kind != Prompt || fork[1].ID != parent[1].ID {
		t.Errorf("the copied prompt is %q there and %q here", parent[1].ID, fork[1].ID)
	}
}

func TestPiFields(t *testing.T) {
	_, events := piRead(t, "../testdata/pi", "8a7d11")
	call, edit, bash := events[3], events[10], events[18]
	if call.Tool.Name != "read" || call.Tool.Path != "src/sensor/parse.ts" || call.Model != "claude-sonnet-4-5" || call.Stop != "toolUse" {
		t.Errorf("call: %+v", call)
	}
	if call.Group == "" || call.Group != events[2].Group || call.Usage != events[2].Usage || call.Usage.CacheWrite != 310 {
		t.Errorf("the two events of one message: %+v, %+v", events[2], call)
	}
	if want := "tool: edit\npath: src/sensor/parse.ts\nold: line.split(\";\")\nnew: line.split(/[;,]/)"; edit.Tool.Text != want {
		t.Errorf("edit: %q", edit.Tool.Text)
	}
	if bash.Tool.Name != "bash" || bash.Tool.Command != "npm test -- sensor" {
		t.Errorf("bash: %+v", bash.Tool)
	}
	if p := events[1]; p.Cwd != "/home/mara/orchard" || p.From.Carry != `{"cwd":"/home/mara/orchard"}` || p.From.Line != 1 || p.From.Offset != p.Span.Offset {
		t.Errorf("prompt: %+v", p)
	}
}

func TestPiCaps(t *testing.T) {
	in, _ := piRead(t, "../testdata/pi", "8a7d11")
	events := piAll(t, piTranscript{File{in}, Caps{Call: 20, Result: 17}}, Position{})
	if events[3].Tool.Text != "tool: read\npath: src" {
		t.Errorf("call cut to %q", events[3].Tool.Text)
	}
	if events[4].Text != "export function p" {
		t.Errorf("result cut to %q", events[4].Text)
	}
	for s, want := range map[string]string{"äöü": "ä", "abcd": "abc", "": ""} {
		if got := clip(s, 3); got != want {
			t.Errorf("clip(%q) = %q, want %q", s, got, want)
		}
	}
}

func piWrite(t *testing.T, name, content string) (root string) {
	t.Helper()
	root = t.TempDir()
	path := filepath.Join(root, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return root
}

const piHead = `{"type":"session","version":3,"id":"s1","timestamp":"2026-09-01T10:00:00.000Z","cwd":"/w"}` + "\n"

func TestPiOddFiles(t *testing.T) {
	user := `{"type":"message","id":"a1","parentId":null,"timestamp":"2026-09-01T10:00:01.000Z","message":{"role":"user","content":"hello","timestamp":1788256801000}}`
	tests := []struct {
		name, content string
		want          []string
		skipped       []int // lines
	}{
		{"empty", "", nil, nil},
		{"header only", piHead, []string{"start"}, nil},
		{"no header", user + "\n" + user + "\n", nil, []int{1}},
		{"a title line first", `{"type":"title","title":"Pump"}` + "\n" + piHead + user, []string{"title Pump", "start", "prompt hello"}, nil},
		{"last line without newline", piHead + user, []string{"start", "prompt hello"}, nil},
		{"last line half written", piHead + user[:40], []string{"start"}, nil},
		{"broken line in the middle", piHead + user[:40] + "\n" + user + "\n", []string{"start", "prompt hello"}, []int{2}},
		{"two on one line", piHead + user + strings.ReplaceAll(user, "hello", "again") + "\n" + user, []string{"start", "prompt hello", "prompt again", "prompt hello"}, nil},
		{"blank lines", piHead + "\n\r\n" + user + "\r\n", []string{"start", "prompt hello"}, nil},
		{"fields of odd types", piHead + strings.Replace(user, `"parentId":null`, `"parentId":7,"name":{}`, 1), []string{"start", "prompt hello"}, nil},
		{"content null", piHead + strings.Replace(user, `"hello"`, `null`, 1), []string{"start"}, nil},
		{"content a list of strings", piHead + strings.Replace(user, `"hello"`, `["hello"]`, 1), []string{"start"}, nil},
		{"a name taken back", piHead + `{"type":"session_info","id":"b","name":""}` + "\n", []string{"start", "title"}, nil},
		{"unknown entry", piHead + `{"type":"weather","id":"b","message":{"role":"user"}}` + "\n", []string{"start"}, nil},
		{"skill without words", piHead + strings.Replace(user, "hello", `<skill name=\"lint\" location=\"/x\">\nbody\n</skill>`, 1), []string{"start", "prompt /skill:lint"}, nil},
		{"summary kept as a message", piHead + strings.Replace(user, `"user"`, `"compactionSummary","summary":"so far"`, 1), []string{"start", "summary so far"}, nil},
		{"summary of a branch as a message", piHead + strings.Replace(user, `"user"`, `"branchSummary","summary":"left"`, 1), []string{"start", "summary!8 left"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var events []Event
			var skipped []int
			for tr := range (Pi{Root: piWrite(t, "s.jsonl", tt.content)}).Transcripts(t.Context()) {
				for e, err := range tr.Events(t.Context(), Position{}) {
					if s := (*Skipped)(nil); errors.As(err, &s) {
						skipped = append(skipped, s.Line)
					} else if err != nil {
						t.Fatal(err)
					} else {
						events = append(events, e)
					}
				}
			}
			if diff := cmp.Diff(tt.want, sketch(events)); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(tt.skipped, skipped); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestPiDiscovery(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{
		"flat.jsonl", "--w--/2026-09-01T10-00-00-000Z_0a-b_c.jsonl", "--w--/2026-09-01T10-00-00-000Z_0a-b_c/scout.jsonl",
		"--w--/subagent-artifacts/run_1.jsonl", "--w--/notes.txt", "a/b/c/too-deep.jsonl", "--w--/folder.jsonl/x.txt",
	} {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(piHead), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(root, "flat.jsonl"), filepath.Join(root, "link.jsonl")); err != nil {
		t.Skip(err)
	}
	got := map[string][3]string{}
	for tr, err := range (Pi{Root: root}).Transcripts(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		in := tr.Info()
		rel, _ := filepath.Rel(root, in.Path)
		got[filepath.ToSlash(rel)] = [3]string{in.Session, in.Parent, string(in.Lane)}
		if in.Size != int64(len(piHead)) || in.ModTime == 0 || in.Source != "pi" {
			t.Errorf("%+v", in)
		}
	}
	want := map[string][3]string{
		"flat.jsonl": {"flat", "", "main"},
		"--w--/2026-09-01T10-00-00-000Z_0a-b_c.jsonl":       {"0a-b_c", "", "main"},
		"--w--/2026-09-01T10-00-00-000Z_0a-b_c/scout.jsonl": {"scout", "0a-b_c", "subagent"},
		"--w--/subagent-artifacts/run_1.jsonl":              {"run_1", "", "subagent"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for range (Pi{Root: filepath.Join(root, "none")}).Transcripts(t.Context()) {
		t.Error("a root that does not exist yields something")
	}
	for range (Pi{}).Transcripts(t.Context()) {
		t.Error("no root yields something")
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for tr, err := range (Pi{Root: root}).Transcripts(cancelled) {
		if tr != nil || !errors.Is(err, context.Canceled) {
			t.Errorf("after cancel: %v, %v", tr, err)
		}
	}
}

// The turns of real sessions, where there are some: 88 and 55 prompts.
func TestPiRealSessions(t *testing.T) {
	dir := os.Getenv("HANSARD_REAL_CORPUS")
	if dir == "" {
		t.Skip("HANSARD_REAL_CORPUS is not set")
	}
	prompts := 0
	for tr, err := range (Pi{Root: filepath.Join(dir, "sessions")}).Transcripts(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range piAll(t, tr, Position{}) {
			if e.Kind == Prompt {
				prompts++
			}
		}
	}
	if prompts != 143 {
		t.Errorf("%d prompts, want 143", prompts)
	}
}
