package segment_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pgregory.net/rapid"

	"github.com/hansard-search/hansard/segment"
	"github.com/hansard-search/hansard/sources"
)

// obj is a JSON object; its keys come out sorted, "type" after "message".
type obj map[string]any

func (o obj) String() string {
	b, err := json.Marshal(o)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// with adds members.
func (o obj) with(key string, value any) obj {
	o[key] = value
	return o
}

// chain is a line of the chain, with a time that its place gives.
func chain(typ, id, parent string) obj {
	o := obj{"type": typ, "uuid": id, "parentUuid": nil, "cwd": "/home/u/api", "gitBranch": "main", "version": "2.1.40", "sessionId": "s1", "isSidechain": false}
	if parent != "" {
		o["parentUuid"] = parent
	}
	return o
}

func human(id, parent string, content any) obj {
	return chain("user", id, parent).with("message", obj{"role": "user", "content": content})
}

func block(typ string, kv ...any) obj {
	o := obj{"type": typ}
	for i := 0; i < len(kv); i += 2 {
		o[kv[i].(string)] = kv[i+1]
	}
	return o
}

func say(text string) obj { return block("text", "text", text) }

func reply(id, parent, group string, blocks ...obj) obj {
	return chain("assistant", id, parent).with("message", obj{"id": group, "role": "assistant", "model": "m1", "stop_reason": nil, "content": blocks})
}

func bash(call, command string) obj {
	return block("tool_use", "id", call, "name", "Bash", "input", obj{"command": command})
}

func answer(id, parent, call string, content any) obj {
	return human(id, parent, []obj{block("tool_result", "tool_use_id", call, "content", content)}).with("toolUseResult", obj{"stdout": "x"})
}

// project is a folder "projects" with one transcript in it.
type project struct {
	root, path string
}

func newProject(t testing.TB) project {
	root := t.TempDir()
	p := project{root, filepath.Join(root, "-home-u-api", "s1.jsonl")}
	if err := os.MkdirAll(filepath.Dir(p.path), 0o700); err != nil {
		t.Fatal(err)
	}
	return p
}

func (p project) write(t rapid.TB, text string) {
	if err := os.WriteFile(p.path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func (p project) transcript(t rapid.TB) sources.Transcript {
	for tr, err := range (sources.Claude{Root: p.root}).Transcripts(context.Background()) {
		if err != nil {
			t.Fatal(err)
		}
		if tr.Info().Path == p.path {
			return tr
		}
	}
	t.Fatal("no transcript at", p.path)
	return nil
}

// kept is what somebody who reads on keeps of a transcript.
type kept struct {
	order     []string // ids of turns, by line
	turns     map[string]segment.Turn
	session   segment.Session
	summaries map[int64]segment.Summary
	next      segment.Start
	skipped   []string
	wholes    int
}

// read reads all of a transcript.
func read(t rapid.TB, tr sources.Transcript) *kept {
	k := &kept{next: segment.Begin(tr.Info())}
	k.reset()
	k.readOn(t, tr)
	return k
}

func (k *kept) reset() {
	k.order, k.turns, k.summaries, k.skipped = nil, map[string]segment.Turn{}, map[int64]segment.Summary{}, nil
}

// readOn reads what is new, as the Result says it must be read.
func (k *kept) readOn(t rapid.TB, tr sources.Transcript) {
	// Through JSON, because that is how it may be stored.
	b, err := json.Marshal(k.next)
	if err != nil {
		t.Fatal(err)
	}
	var start segment.Start
	if err := json.Unmarshal(b, &start); err != nil {
		t.Fatal(err)
	}
	var fresh []segment.Turn
	cut := func() segment.Result {
		fresh = nil
		res, err := segment.Cut(start, tr.Events(context.Background(), start.From), func(x segment.Turn) bool {
			fresh = append(fresh, x)
			return true
		})
		if err != nil {
			t.Fatal(err)
		}
		return res
	}
	res := cut()
	if res.NeedsWhole {
		if start.From.Offset == 0 {
			t.Fatal("NeedsWhole from the beginning")
		}
		k.wholes++
		start = segment.Whole(tr.Info(), start)
		res = cut()
	}
	if res.Retracted != "" {
		delete(k.turns, res.Retracted)
		k.order = slices.DeleteFunc(k.order, func(id string) bool { return id == res.Retracted })
	}
	if len(res.Abandoned) > 0 {
		start.Abandoned = res.Abandoned
		if res = cut(); len(res.Abandoned) > 0 {
			t.Fatal("still unmarked:", res.Abandoned)
		}
	}
	k.keep(t, start, res, fresh)
}

func (k *kept) keep(t rapid.TB, start segment.Start, res segment.Result, fresh []segment.Turn) {
	if len(fresh) != res.Turns {
		t.Fatalf("%d turns, Result says %d", len(fresh), res.Turns)
	}
	if start.From.Offset == 0 {
		k.order = nil // all of them come again, none may be missing
	}
	for _, x := range fresh {
		if !slices.Contains(k.order, x.ID) {
			k.order = append(k.order, x.ID)
		}
		k.turns[x.ID] = x
	}
	if n := len(fresh); n > 0 && (res.Next.Last != fresh[n-1].ID || res.Next.From != fresh[n-1].From) {
		t.Fatalf("next begins at %q %v, the last turn is %q %v", res.Next.Last, res.Next.From, fresh[n-1].ID, fresh[n-1].From)
	}
	for offset := range k.summaries {
		if offset >= start.From.Offset {
			delete(k.summaries, offset)
		}
	}
	for i, s := range res.Session.Summaries {
		if s.Text != "" {
			k.summaries[s.Offset] = s
		}
		res.Session.Summaries[i].Text = ""
	}
	k.session, k.next = res.Session, res.Next
	for _, s := range res.Skipped {
		k.skipped = append(k.skipped, fmt.Sprintf("%d %s", s.Line, s.Reason))
	}
}

// same fails where two readings differ.
func same(t rapid.TB, got, want *kept) {
	t.Helper()
	if d := cmp.Diff(want.order, got.order); d != "" {
		t.Fatalf("turns (-whole +step by step):\n%s", d)
	}
	if len(got.turns) != len(want.turns) {
		t.Fatalf("%d turns are kept, there are %d", len(got.turns), len(want.turns))
	}
	for _, id := range want.order {
		if d := cmp.Diff(want.turns[id], got.turns[id]); d != "" {
			t.Fatalf("turn %s (-whole +step by step):\n%s", id, d)
		}
	}
	if d := cmp.Diff(want.session, got.session); d != "" {
		t.Fatalf("session (-whole +step by step):\n%s", d)
	}
	if d := cmp.Diff(want.summaries, got.summaries); d != "" {
		t.Fatalf("summaries (-whole +step by step):\n%s", d)
	}
}

// brief is what the tests compare of a turn.
type brief struct {
	Prompt, Answer string
	State          segment.State
}

func (k *kept) briefs() (all []brief) {
	for _, id := range k.order {
		x := k.turns[id]
		b := brief{x.Prompt, x.Summary, x.State}
		if x.Partial != "" {
			b.Answer = "partial: " + x.Partial
		}
		all = append(all, b)
	}
	return all
}

// lines writes objects and raw text as lines.
func lines(all ...any) string {
	s := ""
	for _, x := range all {
		s += fmt.Sprint(x) + "\n"
	}
	return s
}

// cutText cuts one invented transcript.
func cutText(t testing.TB, text string) *kept {
	p := newProject(t)
	p.write(t, text)
	return read(t, p.transcript(t))
}

func wantBriefs(t testing.TB, k *kept, want ...brief) {
	t.Helper()
	if d := cmp.Diff(want, k.briefs()); d != "" {
		t.Fatalf("(-want +got):\n%s", d)
	}
}

func messages(x segment.Turn) (all []string) {
	for _, m := range x.Messages {
		all = append(all, string(m.Role)+" "+m.Tool+": "+m.Text)
	}
	return slices.Clip(all)
}
