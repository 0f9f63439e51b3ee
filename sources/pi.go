package sources

import (
	"context"
	"iter"
	"path/filepath"
	"strings"
)

// Pi reads the sessions of the pi coding agent and of agents that write the
// same format, versions 1 to 3. Opening an old session with a new pi rewrites
// its file with new random entry ids; the ids of turns stay, because they are
// made of the prompt's own time and words.
//
// The zero value of Caps is the default. Methods may be called concurrently.
type Pi struct {
	Root string // the folder of sessions, absolute; "", and one that does not exist, hold none
	Caps Caps
}

// Name is "pi".
func (Pi) Name() string { return "pi" }

// piDepth is how many folders a transcript may be below, the root included:
// pi writes root/<cwd>/<session>.jsonl, helpers one folder further down.
const piDepth = 3

// Transcripts yields each regular *.jsonl file in the root and the two levels
// of folders below it. Links are not followed, the root itself excepted.
func (p Pi) Transcripts(ctx context.Context) iter.Seq2[Transcript, error] {
	return func(yield func(Transcript, error) bool) {
		if p.Root == "" {
			return
		}
		root, err := filepath.Abs(p.Root)
		if err != nil {
			yield(nil, err)
			return
		}
		t := tree{piDepth, piNamed, func(path, name string, s stamp) Transcript {
			return piTranscript{File{p.info(path, name, s)}, p.Caps}
		}}
		t.walk(ctx, root, yield)
	}
}

// piNamed tells transcripts by their name; what is none shows when it is read.
func piNamed(name string) bool { return strings.HasSuffix(name, ".jsonl") }

// info is what path and stat tell. A file in a folder that is itself named
// like a session is a helper's, spawned by that session.
func (p Pi) info(path, name string, s stamp) Info {
	dir := filepath.Base(path[:len(path)-len(name)])
	in := Info{Source: p.Name(), Path: path, Session: piSessionID(strings.TrimSuffix(name, ".jsonl")), Lane: Main}
	s.put(&in)
	if parent := piSessionID(dir); parent != dir {
		in.Parent, in.Lane = parent, Subagent
	} else if dir == "subagent-artifacts" {
		in.Lane = Subagent
	}
	return in
}

// piSessionID takes the id out of "<time>_<id>"; any other name is the id itself.
func piSessionID(name string) string {
	stamp, id, ok := strings.Cut(name, "_")
	if !ok || id == "" || len(stamp) < len("2006-01-02T") || stamp[10] != 'T' {
		return name
	}
	return id
}

type piTranscript struct {
	File
	caps Caps
}
