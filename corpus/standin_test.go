package corpus

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/hansard-search/hansard/sources"
)

// What stands in for a transcript is indexed while nothing else tells of the
// session, and never beside it.
func TestStandIns(t *testing.T) {
	b := newBench(t)
	history := &sources.Memory{Kind: "history"}
	b.cfg.Sources = append(b.cfg.Sources, history)
	note := func(session, id, text string) {
		r := sources.Record{ID: id, Prompt: text, Time: began}
		history.Append(sources.Info{Session: session, Path: "/h#" + session, StandIn: true}, r.Events()...)
	}
	note("s1", "h1", "from the history")
	note("s2", "h2", "of another session")
	b.src.AppendRecords("s1", pair("t1", "from the history", "an answer", 0))
	if rep := b.sync(); rep.Added != 2 || rep.Sessions != 2 {
		t.Errorf("a session with a transcript and one without: %+v", rep)
	}
	if got := b.turns(Filter{}); !slices.Contains(got, "t1") || !slices.Contains(got, "h2") || len(got) != 2 {
		t.Errorf("turns: %v", got)
	}
	b.src.Remove("memory:s1")
	note("s1", "h3", "one more, seen after the transcript was gone")
	if rep := b.sync(); rep.Added != 0 || rep.Turns != 2 {
		t.Errorf("the transcript is gone, but was indexed: %+v", rep)
	}
	b.src.AppendRecords("s2", pair("t2", "of another session", "found again", 0))
	if rep := b.sync(); rep.Added != 1 || rep.Removed != 1 {
		t.Errorf("a transcript is there after all: %+v", rep)
	}
	if got := b.turns(Filter{}); !slices.Contains(got, "t2") || len(got) != 2 {
		t.Errorf("turns: %v", got)
	}
	if rep := b.sync(); rep.Added+rep.Changed+rep.Removed+rep.Transcripts.Opened != 0 {
		t.Errorf("nothing new: %+v", rep)
	}
}

// A text that is edited is indexed as it is now.
func TestEditedTexts(t *testing.T) {
	b := newBench(t)
	dir := t.TempDir()
	path := filepath.Join(dir, "CLAUDE.md")
	b.cfg.Sources = []sources.Source{sources.Notes{Folders: []sources.NotesFolder{{Dir: dir, Project: "/w/api"}}}}
	write := func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	id := func(heading string) string { return path + "#" + heading }
	for _, step := range []struct {
		name, text                   string
		added, changed, removed, all int
	}{
		{"new", "# Build\nmake\n# Test\nmake test\n# Ship\nmake ship\n", 3, 0, 0, 3},
		{"another text", "# Build\nmake all\n# Test\nmake test\n# Ship\nmake ship\n", 0, 1, 0, 3},
		{"one more at the end", "# Build\nmake all\n# Test\nmake test\n# Ship\nmake ship\n# Rest\nsleep\n", 1, 0, 0, 4},
		{"the last one gone", "# Build\nmake all\n# Test\nmake test\n# Ship\nmake ship\n", 0, 0, 1, 3},
		{"one in the middle gone", "# Build\nmake all\n# Ship\nmake ship\n", 0, 1, 1, 2},
		{"another heading", "# Build\nmake all\n# Release\nmake ship\n", 1, 0, 1, 2},
		{"all gone", "", 0, 0, 2, 0},
		{"again", "# Build\nmake\n", 1, 0, 0, 1},
	} {
		write(step.text)
		rep := b.sync()
		if rep.Added != step.added || rep.Removed != step.removed || rep.Turns != step.all {
			t.Errorf("%s: %d added, %d changed, %d removed, %d in all; want %+v", step.name, rep.Added, rep.Changed, rep.Removed, rep.Turns, step)
		}
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	b.sync()
	if got := b.turns(Filter{Projects: []string{"api"}}); !slices.Equal(got, []string{id("Build")}) {
		t.Errorf("what stood in a file that vanished: %v", got)
	}
}
