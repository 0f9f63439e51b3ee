package stored

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/hansard-search/hansard/segment"
	"github.com/hansard-search/hansard/sources"
)

// someTurn draws a Turn, and whether all of its texts are written without
// escapes.
func someTurn(t *rapid.T) (m Turn) {
	text := rapid.OneOf(rapid.Just(""), rapid.StringMatching(`[a-zé/._-]{1,9}`), rapid.String())
	number := rapid.OneOf(rapid.Just(int64(0)), rapid.Int64Range(0, 1<<50), rapid.Int64())
	texts := func(name string) []string { return rapid.SliceOfN(text, 0, 3).Draw(t, name) }
	m = Turn{
		ID: text.Draw(t, "id"), Source: text.Draw(t, "source"), Lane: sources.Lane(text.Draw(t, "lane")),
		Project: text.Draw(t, "project"), Cwd: text.Draw(t, "cwd"), Branch: text.Draw(t, "branch"),
		Models: texts("models"), State: segment.State(text.Draw(t, "state")), Paths: texts("paths"), Commands: texts("commands"),
		Usage:  sources.Usage{Input: number.Draw(t, "input"), Output: number.Draw(t, "output"), CacheRead: number.Draw(t, "read")},
		Prompt: text.Draw(t, "prompt"), Answer: text.Draw(t, "answer"),
		Partial: rapid.Bool().Draw(t, "partial"), Abandoned: rapid.Bool().Draw(t, "abandoned"), Generated: rapid.Bool().Draw(t, "generated"),
	}
	for range rapid.IntRange(0, 2).Draw(t, "tools") {
		m.Tools = append(m.Tools, segment.ToolCount{Name: text.Draw(t, "tool"), Count: int(number.Draw(t, "count"))})
	}
	for range rapid.IntRange(0, 2).Draw(t, "places") {
		m.Places = append(m.Places, Place{Session: text.Draw(t, "session"), Path: text.Draw(t, "path"), Began: number.Draw(t, "began"),
			First: int(number.Draw(t, "first")), Messages: int(number.Draw(t, "messages")), Complete: rapid.Bool().Draw(t, "complete")})
	}
	return m
}

// TestQuickTurn: what the quick way accepts means the same to encoding/json.
func TestQuickTurn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b, err := json.Marshal(someTurn(t))
		if err != nil {
			t.Fatal(err)
		}
		if at := rapid.IntRange(-1, len(b)-1).Draw(t, "damaged"); at >= 0 && rapid.Bool().Draw(t, "damage") {
			b[at] = rapid.Byte().Draw(t, "byte")
		}
		got, ok := quickTurn(b)
		if !ok {
			return
		}
		want := new(Turn)
		if err := json.Unmarshal(b, want); err != nil {
			t.Fatalf("%s: accepted, but %v", b, err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%s: -json +quick:\n%s", b, diff)
		}
	})
}

// What is appended is what encoding/json writes, byte for byte.
func TestAppendTurn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := someTurn(t)
		want, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		if got := AppendTurn([]byte("x"), &m); string(got[1:]) != string(want) {
			t.Fatalf("%s, want %s", got[1:], want)
		}
	})
}

func TestAppendMessages(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.SampledFrom([]string{"", "a", "p", "one two"}), rapid.String())
		ms := make([]Message, rapid.IntRange(0, 3).Draw(t, "messages"))
		for i := range ms {
			ms[i] = Message{Role: segment.Role(text.Draw(t, "role")), Time: rapid.Int64Range(-2, 2).Draw(t, "time"),
				Tool: text.Draw(t, "tool"), Text: text.Draw(t, "text"), Same: text.Draw(t, "same")}
		}
		want, err := json.Marshal(ms)
		if err != nil {
			t.Fatal(err)
		}
		if got := AppendMessages(nil, ms); string(got) != string(want) {
			t.Fatalf("%s, want %s", got, want)
		}
	})
}

// TestQuickTurnTakesOurs: or the way is for nothing.
func TestQuickTurnTakesOurs(t *testing.T) {
	m := Turn{ID: "t", Source: "claude", Lane: sources.Main, Project: "/p/é", Models: []string{"m"}, State: segment.Final,
		Tools: []segment.ToolCount{{Name: "Bash", Count: 2}}, Paths: []string{"a", "b"}, Usage: sources.Usage{Input: 1},
		Places: []Place{{Session: "s", Path: "/p", Began: 1, Messages: 2, Complete: true}, {Session: "r"}}, Partial: true}
	b, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	got, ok := quickTurn(b)
	if !ok {
		t.Fatalf("%s was not taken", b)
	}
	if diff := cmp.Diff(&m, got); diff != "" {
		t.Error(diff)
	}
}

func BenchmarkUnpackTurn(b *testing.B) {
	raw, err := json.Marshal(Turn{ID: "7f1c1b9e-58c2-4f6e-9b90-0d0f6f3c2a11", Source: "claude", Lane: sources.Main, Project: "/home/u/api", Cwd: "/home/u/api",
		Branch: "main", Models: []string{"some-model"}, State: segment.Final, Tools: []segment.ToolCount{{Name: "Bash", Count: 2}},
		Usage:  sources.Usage{Input: 3, Output: 816, CacheRead: 22248, CacheWrite: 2539},
		Places: []Place{{Session: "56088bd8-8ed6-403b-a68e-0c97bcd3e64e", Path: "/home/u/.claude/projects/-home-u-api/56088bd8.jsonl", Began: 1789999203879, Messages: 2}}})
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := UnpackTurn(raw); err != nil {
			b.Fatal(err)
		}
	}
}
