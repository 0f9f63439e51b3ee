package segment_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hansard-search/hansard/segment"
	"github.com/hansard-search/hansard/sources"
)

// realCorpus is the folder of published transcripts that the tests compare with.
func realCorpus(t *testing.T) string {
	dir := os.Getenv("HANSARD_REAL_CORPUS")
	if dir == "" {
		t.Skip("HANSARD_REAL_CORPUS is not set")
	}
	return dir
}

// reference is one turn as another extraction sees it.
type reference struct {
	File, UUID, Prompt, Final string
}

// differs are the turns where the reference and we disagree, and why we are right.
var differs = map[string]string{
	"5f5447a3-3cc9-43ba-8d7f-3b354864e716": "/clear is a built-in and its echo follows; the reply answers a notification",
	"9952c2bf-11e0-4b59-9c0a-601d4d7ba4dd": "/compact is a built-in and its echo follows; the replies answer notifications",
	"b16e69d1-29c1-42b0-a91a-f0a6c0bbf850": "the prompt was answered; interrupted was the answer to a later notification",
	"ae35361e-a88f-4415-b2d6-a40650a0935d": "answers to notifications are added to the summary; only the last of them ends in a tool call",
}

func fold(s string) string { return strings.Join(strings.Fields(s), " ") }

func TestRealReference(t *testing.T) {
	dir := realCorpus(t)
	turns := map[string]segment.Turn{}
	src := sources.Claude{Root: filepath.Join(dir, "claude", "projects")}
	for tr, err := range src.Transcripts(context.Background()) {
		if err != nil {
			t.Fatal(err)
		}
		k := read(t, tr)
		for id, x := range k.turns {
			turns[filepath.Base(x.Path)+" "+id] = x
		}
		for _, s := range k.skipped {
			t.Errorf("%s: skipped %s", tr.Info().Path, s)
		}
	}
	refs := references(t, dir)
	disagree := 0
	for _, r := range refs {
		x, ok := turns[filepath.Base(r.File)+" "+r.UUID]
		switch {
		case !ok:
		case !strings.HasPrefix(fold(x.Prompt), fold(r.Prompt)):
		case r.Final == "" && x.Summary != "", !strings.Contains(fold(x.Summary), fold(r.Final)):
		default:
			continue
		}
		disagree++
		if differs[r.UUID] == "" {
			t.Errorf("%s %s, found %v:\n  theirs %.200q -> %.200q\n  ours   %.200q -> %.200q", r.File, r.UUID, ok, r.Prompt, r.Final, x.Prompt, x.Summary)
		}
	}
	if disagree != len(differs) {
		t.Errorf("%d lines disagree, %d are explained", disagree, len(differs))
	}
	t.Logf("%d of %d lines agree", len(refs)-disagree, len(refs))
}

func references(t *testing.T, dir string) (all []reference) {
	f, err := os.Open(filepath.Join(dir, "reference_pairs.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	in := bufio.NewScanner(f)
	in.Buffer(nil, 1<<24)
	for in.Scan() {
		var r reference
		if err := json.Unmarshal(in.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		all = append(all, r)
	}
	if err := in.Err(); err != nil || len(all) == 0 {
		t.Fatal("no reference:", err)
	}
	return all
}

// TestRealGrowth reads recorded snapshots of growing sessions one after the
// other, and the last one at once.
func TestRealGrowth(t *testing.T) {
	sessions, err := filepath.Glob(filepath.Join(realCorpus(t), "growth", "claude", "*", "*"))
	if err != nil || len(sessions) == 0 {
		t.Fatal("no growing sessions:", err)
	}
	for _, dir := range sessions {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			snapshots, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
			if err != nil {
				t.Fatal(err)
			}
			p := newProject(t)
			var k *kept
			var before []byte
			for _, name := range snapshots {
				text, err := os.ReadFile(name)
				if err != nil {
					t.Fatal(err)
				}
				if !bytes.HasPrefix(text, before) {
					t.Fatal(name, "does not continue the one before it")
				}
				before = text
				p.write(t, string(text))
				if tr := p.transcript(t); k == nil {
					k = read(t, tr)
				} else {
					k.readOn(t, tr)
				}
			}
			same(t, k, read(t, p.transcript(t)))
			t.Logf("%d snapshots, %d turns, read whole again %d times", len(snapshots), len(k.order), k.wholes)
		})
	}
}
