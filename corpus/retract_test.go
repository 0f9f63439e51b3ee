package corpus

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/hansard-search/hansard/sources"
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

// TestWrittenAnew: what was cut off a transcript, or written over, stays, as what
// vanishes with one does.
func TestWrittenAnew(t *testing.T) {
	one, two, three := pair("t1", "first", "answer one", 0), pair("t2", "second", "answer two", 1), pair("t3", "third", "answer three", 2)
	for _, test := range []struct {
		name          string
		before, after []sources.Record
		want          []string
	}{
		{"cut", []sources.Record{one, two}, []sources.Record{one}, []string{"t1", "t2"}},
		{"cut and grown", []sources.Record{one, two}, []sources.Record{one, three}, []string{"t1", "t2", "t3"}},
		{"another", []sources.Record{one}, []sources.Record{three}, []string{"t1", "t3"}},
		{"emptied", []sources.Record{one}, nil, []string{"t1"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := newBench(t)
			b.src.AppendRecords("s", test.before...)
			b.sync()
			var events []sources.Event
			for _, r := range test.after {
				events = append(events, r.Events()...)
			}
			b.src.Replace(sources.Info{Session: "s"}, events...)
			if rep := b.sync(); rep.Removed != 0 {
				t.Errorf("%+v", rep)
			}
			if got := b.turns(Filter{}); !slices.Equal(got, test.want) {
				t.Errorf("%v, want %v", got, test.want)
			}
		})
	}
}
