package corpus

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/hansard-search/hansard/segment"
	"github.com/hansard-search/hansard/sources"
)

// story is a set of transcripts that grow, fork and get titles, as events in
// the order in which they are written.
type story struct {
	steps []storyStep
}

type storyStep struct {
	in     sources.Info
	events []sources.Event
}

// drawStory invents transcripts. A fork begins with a copy of another's events,
// as resumed sessions do.
func drawStory(t *rapid.T) story {
	var s story
	written := map[string][]sources.Event{}
	var names []string
	minute := 0
	add := func(name string, events ...sources.Event) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
		written[name] = append(written[name], events...)
		s.steps = append(s.steps, storyStep{sources.Info{Session: name}, events})
	}
	for n := range rapid.IntRange(1, 14).Draw(t, "steps") {
		minute++
		at := began.Add(time.Duration(minute) * time.Minute)
		name := fmt.Sprintf("s%d", rapid.IntRange(0, 3).Draw(t, "session"))
		switch op := rapid.IntRange(0, 7).Draw(t, "op"); {
		case op == 0 && len(names) > 0 && len(written[name]) == 0:
			from := rapid.SampledFrom(names).Draw(t, "from")
			cut := rapid.IntRange(0, len(written[from])).Draw(t, "cut")
			if cut > 0 {
				add(name, slices.Clone(written[from][:cut])...)
			}
		case op == 1:
			add(name, sources.Event{Kind: sources.Title, Rank: 4, Text: fmt.Sprintf("title %d", n), Time: at})
		case op == 2:
			add(name, sources.Event{Kind: sources.Summary, Stop: "compaction", Text: fmt.Sprintf("summary %d", n), Time: at})
		case op <= 4:
			add(name, sources.Event{Kind: sources.AssistantText, Group: fmt.Sprintf("g%d", n), Text: fmt.Sprintf("answer %d", n), Time: at})
		default:
			add(name, sources.Event{Kind: sources.Prompt, ID: fmt.Sprintf("t%d", n), Text: fmt.Sprintf("prompt %d", n), Time: at, Cwd: "/home/u/" + name},
				sources.Event{Kind: sources.AssistantText, Group: fmt.Sprintf("g%d", n), Text: fmt.Sprintf("answer %d", n), Time: at})
		}
	}
	return s
}

// TestGrownEqualsBuiltAtOnce: indexing after every step, or after some, gives
// what one index of the whole gives.
func TestGrownEqualsBuiltAtOnce(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := drawStory(rt)
		grown, once := newRapidBench(t, rt), newRapidBench(t, rt)
		for _, step := range s.steps {
			grown.src.Append(step.in, step.events...)
			once.src.Append(step.in, step.events...)
			if rapid.Bool().Draw(rt, "sync") {
				grown.sync()
			}
		}
		grown.sync()
		once.sync()
		a, b := readDump(t, grown.dir), readDump(t, once.dir)
		if a != b {
			rt.Fatalf("grown:\n%s\nat once:\n%s", a, b)
		}
		for _, x := range []*bench{grown, once} {
			if rep := x.sync(); rep.Added+rep.Changed+rep.RecordsChanged != 0 {
				rt.Fatalf("a second run still changes something: %+v", rep)
			}
			checkCorpus(t, x.dir)
		}
	})
}

func newRapidBench(t *testing.T, rt *rapid.T) *bench {
	b := &bench{t: t, dir: t.TempDir(), src: new(sources.Memory)}
	b.cfg = Config{Dir: b.dir, Name: "test", Sources: []sources.Source{b.src}, Now: func() time.Time { return began.AddDate(0, 1, 0) }}
	return b
}

func readDump(t *testing.T, dir string) string {
	c, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	return dump(t, c)
}

// TestAddEqualsSync: turns that a program adds one by one are found at once,
// and after Flush by everybody, just as if they had been read.
func TestAddIsFoundAtOnce(t *testing.T) {
	b := newBench(t)
	b.src.AppendRecords("s1", pair("t0", "from a transcript", "yes", 0))
	b.sync()
	ix, err := OpenIndexer(t.Context(), b.cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer ix.Close()
	for i := range 40 {
		s, turn := addedTurn(i)
		if err := ix.Add(t.Context(), s, turn); err != nil {
			t.Fatal(err)
		}
		c, err := ix.Snapshot()
		if err != nil {
			t.Fatal(err)
		}
		if r, err := c.Turn(t.Context(), turn.ID); err != nil || r.Prompt != turn.Prompt {
			t.Fatalf("turn %d right after Add: %v %v", i, r, err)
		}
		c.Close()
	}
	if _, err := b.open().Turn(t.Context(), "added-3"); err == nil {
		t.Error("an unsealed turn is visible to another reader")
	}
	if err := ix.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := b.turns(Filter{}); len(got) != 41 {
		t.Errorf("after Flush: %d turns: %v", len(got), got)
	}
}

// addedTurn is the i-th turn that a program adds, five to a session.
func addedTurn(i int) (segment.Session, segment.Turn) {
	at := began.Add(time.Duration(i) * time.Minute)
	s := segment.Session{ID: fmt.Sprintf("added-session-%d", i/5), Source: "memory", Path: "memory:added", Lane: sources.Main, Project: "/home/u/added", Created: began}
	t := segment.Turn{
		ID: fmt.Sprintf("added-%d", i), Source: "memory", Session: s.ID, Path: s.Path, Lane: sources.Main, Project: s.Project, Cwd: s.Project,
		Prompt: fmt.Sprintf("added prompt %d", i), Summary: fmt.Sprintf("added answer %d", i), State: segment.Final, Created: at, Updated: at,
		Messages: []segment.Message{{Role: segment.User, Text: "added prompt"}, {Role: segment.Assistant, Text: "added answer"}}, First: 2 * (i % 5),
	}
	return s, t
}
