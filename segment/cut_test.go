package segment_test

import (
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hansard-search/hansard/segment"
	"github.com/hansard-search/hansard/sources"
)

func TestTurnFields(t *testing.T) {
	usage := func(out int) obj { return obj{"input_tokens": 10, "output_tokens": out} }
	one := reply("a1", "p1", "g1", say("Let me look."))
	one["message"].(obj)["usage"] = usage(1)
	two := reply("a2", "a1", "g1", bash("t1", "GOOS=linux go test ./..."))
	two["message"].(obj)["usage"] = usage(7)
	three := reply("a3", "r1", "g2", block("tool_use", "id", "t2", "name", "Edit", "input", obj{"file_path": "/home/u/api/cache.go", "old_string": "a", "new_string": "b"}), bash("t3", "go vet"))
	three["message"].(obj)["usage"] = usage(2)
	four := reply("a4", "a3", "g3", say("Fixed."))
	four["message"].(obj)["model"] = "m2"
	k := cutText(t, lines(
		human("p1", "", "fix it").with("timestamp", "2026-01-02T10:00:00.000Z"),
		one, two, answer("r1", "a2", "t1", "FAIL"), three,
		four.with("timestamp", "2026-01-02T10:01:00.000Z").with("cwd", "/home/u/api/deploy"),
		human("p2", "a4", "thanks"),
	))
	x := k.turns["p1"]
	if d := cmp.Diff([]string{
		"user : fix it", "assistant : Let me look.", "assistant Bash: GOOS=linux go test ./...",
		"assistant Edit: path: /home/u/api/cache.go\nold: a\nnew: b", "assistant Bash: go vet", "assistant : Fixed.",
	}, messages(x)); d != "" {
		t.Error(d)
	}
	got := fmt.Sprintln(x.Tools, x.Paths, x.Commands, x.Models, x.Texts, x.Usage, x.Cwd, x.Project, x.LastID, x.First, k.turns["p2"].First, x.Lane, x.Source, x.Session)
	want := "[{Bash 2} {Edit 1}] [/home/u/api/cache.go] [go] [m1 m2] [Let me look. Fixed.] {20 9 0 0} /home/u/api /home/u/api a4 0 6 main claude s1\n"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if x.Updated.Sub(x.Created).String() != "1m0s" {
		t.Error(x.Created, x.Updated)
	}
	if len(x.ToolTexts) != 3 || x.ToolTexts[1] != "tool: Edit\npath: /home/u/api/cache.go\nold: a\nnew: b" {
		t.Errorf("%q", x.ToolTexts)
	}
}

// script yields events, then an error if there is one.
func script(end error, all ...sources.Event) iter.Seq2[sources.Event, error] {
	return func(yield func(sources.Event, error) bool) {
		for _, e := range all {
			if !yield(e, nil) {
				return
			}
		}
		if end != nil {
			yield(sources.Event{}, end)
		}
	}
}

func prompt(id, text string) sources.Event {
	return sources.Event{Kind: sources.Prompt, ID: id, Text: text}
}

func said(group, text string) sources.Event {
	return sources.Event{Kind: sources.AssistantText, Group: group, Text: text}
}

// cutScript cuts events and returns turns by id.
func cutScript(t *testing.T, end error, all ...sources.Event) (turns map[string]segment.Turn, res segment.Result, err error) {
	turns = map[string]segment.Turn{}
	res, err = segment.Cut(segment.Begin(sources.Info{Source: "x", Session: "s1", Lane: sources.Main}), script(end, all...), func(x segment.Turn) bool {
		if _, ok := turns[x.ID]; ok {
			t.Errorf("turn %s comes twice", x.ID)
		}
		turns[x.ID] = x
		return true
	})
	return turns, res, err
}

func TestSameIDOtherWords(t *testing.T) {
	turns, _, _ := cutScript(t, nil, prompt("p", "one"), said("", "1"), prompt("p", "two"), said("", "2"), prompt("p", "two"), prompt("p", "three"))
	for id, want := range map[string]string{"p": "one>1", "p:2": "two>2", "p:3": "three>"} {
		if got := turns[id].Prompt + ">" + turns[id].Summary; got != want {
			t.Errorf("%s: %s, want %s", id, got, want)
		}
	}
	if len(turns) != 3 {
		t.Errorf("%d turns", len(turns))
	}
}

func TestStates(t *testing.T) {
	kind := func(k sources.Kind) sources.Event { return sources.Event{Kind: k} }
	tool := sources.Event{Kind: sources.ToolCall, Group: "g", Tool: sources.Tool{Name: "x"}}
	for _, test := range []struct {
		name          string
		events        []sources.Event
		state         segment.State
		summary, rest string
	}{
		{"nothing", nil, segment.NoReply, "", ""},
		{"answer", []sources.Event{said("g", "a")}, segment.Final, "a", ""},
		{"groups of their own", []sources.Event{said("", "a"), said("", "b")}, segment.Final, "b", ""},
		{"tool last", []sources.Event{said("f", "a"), tool}, segment.Open, "", "a"},
		{"tool in the same message, text later", []sources.Event{tool, said("g", "a")}, segment.Open, "", "a"},
		{"tool last, but it stopped", []sources.Event{said("f", "a"), tool, kind(sources.TurnEnd)}, segment.Final, "", "a"},
		{"stopped, then went on", []sources.Event{said("f", "a"), kind(sources.TurnEnd), tool}, segment.Open, "", "a"},
		{"thinking last", []sources.Event{said("f", "a"), {Kind: sources.Thinking, Group: "g"}}, segment.Open, "", "a"},
		{"interrupted", []sources.Event{said("f", "a"), tool, kind(sources.Interrupt)}, segment.Interrupted, "", "a"},
		{"interrupted in an answer", []sources.Event{said("f", "a"), kind(sources.Interrupt), kind(sources.TurnEnd)}, segment.Interrupted, "a", ""},
		{"interrupted, then went on", []sources.Event{kind(sources.Interrupt), said("f", "a")}, segment.Final, "a", ""},
		{"failed", []sources.Event{kind(sources.Failure)}, segment.Failed, "", ""},
		{"failed, then went on", []sources.Event{kind(sources.Failure), said("f", "a")}, segment.Final, "a", ""},
		{"notified", []sources.Event{said("f", "a"), kind(sources.Notification), said("g", "b")}, segment.Final, "a\n\nb", ""},
		{"notified, open", []sources.Event{said("f", "a"), kind(sources.Notification), tool}, segment.Open, "a", ""},
		{"notified in mid-message", []sources.Event{said("g", "a"), kind(sources.Notification), tool, said("h", "b")}, segment.Final, "b", ""},
		{"compacted", []sources.Event{tool, kind(sources.Compaction), said("h", "b")}, segment.Final, "b", ""},
		{"goes on to a tool", []sources.Event{{Kind: sources.AssistantText, Group: "g", Text: "a", Flags: sources.Continues}}, segment.Open, "", "a"},
		{"two texts of one message around another", []sources.Event{said("g", "a"), said("h", "x"), said("g", "b")}, segment.Final, "a\n\nb", ""},
	} {
		turns, _, _ := cutScript(t, nil, append([]sources.Event{prompt("p", "why")}, test.events...)...)
		if x := turns["p"]; x.State != test.state || x.Summary != test.summary || x.Partial != test.rest {
			t.Errorf("%s: %s %q %q, want %s %q %q", test.name, x.State, x.Summary, x.Partial, test.state, test.summary, test.rest)
		}
	}
}

func TestErrorEndsAtTheLastFinishedTurn(t *testing.T) {
	broken := errors.New("disk")
	bad := &sources.Skipped{Path: "x", Line: 3, Reason: "bad"}
	turns, res, err := cutScript(t, broken, prompt("p", "one"), prompt("q", "two"), said("", "2"))
	if !errors.Is(err, broken) || len(turns) != 1 || res.Turns != 1 || res.Next.Last != "p" {
		t.Errorf("%v, %d turns, next at %q", err, len(turns), res.Next.Last)
	}
	_, res, err = cutScript(t, bad, prompt("p", "one"))
	if err != nil || res.Turns != 1 || res.SkippedTotal != 1 || res.Skipped[0] != bad {
		t.Errorf("%v %+v", err, res)
	}
	n := 0
	res, err = segment.Cut(segment.Start{}, script(nil, prompt("p", "1"), prompt("q", "2"), prompt("r", "3")), func(segment.Turn) bool { n++; return false })
	if err != nil || n != 1 || res.Turns != 1 {
		t.Errorf("%v: %d turns after a stop", err, n)
	}
}

func TestSessionFields(t *testing.T) {
	k := cutText(t, lines(
		human("p1", "", "why").with("entrypoint", "sdk-py").with("timestamp", "2026-01-03T10:00:00.000Z"), reply("a1", "p1", "g1", say("So.")).with("timestamp", "2026-01-02T10:00:00.000Z"),
		chain("system", "c1", "").with("subtype", "compact_boundary").with("logicalParentUuid", "elsewhere"),
		human("c2", "c1", "All that was said.").with("isCompactSummary", true).with("timestamp", "2026-01-05T10:00:00.000Z"),
		chain("system", "c3", "").with("subtype", "compact_boundary").with("logicalParentUuid", "a1"),
		human("p2", "c3", "and").with("timestamp", "2026-01-04T10:00:00.000Z"),
	))
	s := k.session
	got := fmt.Sprintln(s.ID, s.Lane, s.Links, s.Created.Day(), s.Updated.Day(), len(s.Summaries), s.Summaries[0].After, s.Summaries[0].Kind, k.turns["p1"].Lane, k.turns["p2"].Lane)
	if want := "s1 headless [elsewhere] 2 5 1 p1 compaction headless main\n"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if x := k.summaries[s.Summaries[0].Offset]; x.Text != "All that was said." {
		t.Errorf("%+v", x)
	}
}

// FuzzCut: any order of events is cut without loss: every prompt, and every
// text that stands behind one, is in a turn.
func FuzzCut(f *testing.F) {
	f.Add([]byte{2, 0, 4, 0, 2, 1, 4, 1, 6, 1, 8, 0, 4, 2})
	f.Add([]byte{2, 0, 3, 7, 3, 8, 2, 8, 11, 0, 13, 3, 14, 1, 12, 200, 1, 0})
	f.Fuzz(func(t *testing.T, program []byte) {
		var all []sources.Event
		begun := false
		words := map[string]bool{}
		for i := 0; i+1 < len(program); i += 2 {
			k, n := sources.Kind(program[i]%16), int(program[i+1])
			e := sources.Event{Kind: k, ID: fmt.Sprint("i", n%7), Parent: fmt.Sprint("i", n%5), Group: []string{"", "g", "h"}[n%3], Rank: uint8(n), Flags: sources.Flags(n) &^ sources.Sidechain}
			e.Tool.ID, e.Tool.Name = fmt.Sprint(n%4), fmt.Sprint(n%3)
			switch k {
			case sources.Prompt, sources.Steering, sources.AssistantText, sources.Title, sources.Summary:
				e.Text = fmt.Sprintf("w%d", n%9)
			}
			begun = begun || k == sources.Prompt
			if begun && (k == sources.Prompt || k == sources.Steering || k == sources.AssistantText) {
				words[e.Text] = true
			}
			all = append(all, e)
		}
		var text strings.Builder
		ids := map[string]bool{}
		res, err := segment.Cut(segment.Begin(sources.Info{}), script(nil, all...), func(x segment.Turn) bool {
			if ids[x.ID] {
				t.Fatalf("turn %s comes twice", x.ID)
			}
			ids[x.ID] = true
			fmt.Fprintln(&text, x.Prompt, x.Texts)
			if x.State == segment.NoReply && len(x.Texts) > 0 || x.Summary != "" && x.Partial != "" {
				t.Fatalf("%+v", x)
			}
			return true
		})
		if err != nil || res.NeedsWhole || begun != (res.Turns > 0) {
			t.Fatalf("%v %+v", err, res)
		}
		for w := range words {
			if !strings.Contains(text.String(), w) {
				t.Fatalf("%q is in no turn", w)
			}
		}
	})
}
