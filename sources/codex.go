package sources

import (
	"context"
	"iter"
	"path/filepath"
	"strings"
)

// Codex reads the rollouts of the Codex CLI: Root/YYYY/MM/DD/rollout-<time>-<id>.jsonl,
// and those that were archived in the folder archived_sessions beside Root.
//
// A fork's rollout, and that of a sub-agent, begins with the lines of the
// session it came from, all stamped with the moment of the fork; nothing but the
// content of the lines tells a copied turn from its original. The id of a turn is
// therefore made without times: it is the turn's own id where the format has one
// that is unique (task_started, in newer versions), and else a hash of the oldest
// ancestor's session id and of every prompt up to this one. Both are the same in a
// copy. The price of the second: two forks of one session that ask the same words
// at the same point are taken for copies of one turn.
//
// The zero value of Caps is the default. Methods may be called concurrently.
type Codex struct {
	Root string // the folder "sessions", absolute; "", and one that does not exist, hold none
	Caps Caps
}

// Name is "codex".
func (Codex) Name() string { return "codex" }

// codexDepth is how many folders a rollout may be below, the root included:
// year, month and day.
const codexDepth = 4

// Transcripts yields each regular rollout-*.jsonl in the root and the three
// levels of folders below it, and in archived_sessions beside a root that is
// called sessions. Links are not followed, the roots themselves excepted.
func (c Codex) Transcripts(ctx context.Context) iter.Seq2[Transcript, error] {
	return func(yield func(Transcript, error) bool) {
		if c.Root == "" {
			return
		}
		root, err := filepath.Abs(c.Root)
		if err != nil {
			yield(nil, err)
			return
		}
		t := tree{codexDepth, codexNamed, func(path, name string, s stamp) Transcript {
			return codexTranscript{File{c.info(path, name, s)}, c.Caps}
		}}
		if t.walk(ctx, root, yield) && filepath.Base(root) == "sessions" {
			t.walk(ctx, filepath.Join(filepath.Dir(root), "archived_sessions"), yield)
		}
	}
}

// codexNamed tells rollouts by their name.
func codexNamed(name string) bool {
	return strings.HasPrefix(name, "rollout-") && strings.HasSuffix(name, ".jsonl")
}

func (c Codex) info(path, name string, s stamp) Info {
	in := Info{Source: c.Name(), Path: path, Session: codexSessionID(strings.TrimSuffix(name, ".jsonl")), Lane: Main}
	s.put(&in)
	return in
}

// codexSessionID takes the UUID off the end of "rollout-<time>-<uuid>"; any
// other name is the id itself.
func codexSessionID(name string) string {
	const uuid = len("00000000-0000-0000-0000-000000000000")
	if at := len(name) - uuid; at > len("rollout-") && name[at-1] == '-' && strings.Count(name[at:], "-") == 4 {
		return name[at:]
	}
	return strings.TrimPrefix(name, "rollout-")
}

type codexTranscript struct {
	File
	caps Caps
}
