package segment_test

import (
	"bufio"
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

type reference struct {
	File, UUID, Kind, Prompt, State, Version string
	Final                                    *string
}

func fold(s string) string { return strings.Join(strings.Fields(s), " ") }

func TestRealReference(t *testing.T) {
	dir := realCorpus(t)
	turns := map[string]segment.Turn{}
	src := sources.Claude{Root: filepath.Join(dir, "claude", "projects")}
	states := map[segment.State]int{}
	n := 0
	for tr, err := range src.Transcripts(context.Background()) {
		if err != nil {
			t.Fatal(err)
		}
		start := segment.Begin(tr.Info())
		res, err := segment.Cut(start, tr.Events(context.Background(), start.From), func(x segment.Turn) bool {
			turns[filepath.Base(x.Path)+" "+x.ID] = x
			states[x.State]++
			n++
			return true
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range res.Skipped {
			t.Log(s)
		}
		if len(res.Abandoned) > 0 {
			t.Log("abandoned", tr.Info().Path, res.Abandoned)
		}
		if res.Session.UnknownSummaries > 0 || len(res.Session.Links) > 0 {
			t.Log(filepath.Base(tr.Info().Path), "unknown summaries", res.Session.UnknownSummaries, "links", res.Session.Links)
		}
	}
	t.Log(n, states)
	f, err := os.Open(filepath.Join(dir, "reference_pairs.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	in := bufio.NewScanner(f)
	in.Buffer(nil, 1<<24)
	lines, agree := 0, 0
	for in.Scan() {
		var r reference
		if err := json.Unmarshal(in.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		lines++
		final := ""
		if r.Final != nil {
			final = *r.Final
		}
		x, ok := turns[filepath.Base(r.File)+" "+r.UUID]
		switch {
		case !ok:
			t.Logf("MISSING %s %s %s %s %.80q", r.File, r.UUID, r.Kind, r.State, r.Prompt)
		case !strings.HasPrefix(fold(x.Prompt), fold(r.Prompt)):
			t.Logf("PROMPT %s %s\n  ref %.200q\n our %.200q", r.File, r.UUID, r.Prompt, x.Prompt)
		case !strings.Contains(fold(x.Summary), fold(final)), final == "" && x.Summary != "":
			t.Logf("FINAL %s %s %s/%s\n  ref %.200q\n our %.200q", r.File, r.UUID, r.State, x.State, final, x.Summary)
		default:
			agree++
			if (r.State == "final") != (x.State == segment.Final) {
				t.Logf("STATE %s %s %s/%s %s", r.File, r.UUID, r.State, x.State, x.Partial)
			}
			delete(turns, filepath.Base(r.File)+" "+r.UUID)
		}
	}
	for _, x := range turns {
		if x.Lane != sources.Subagent {
			t.Logf("EXTRA %s %s %s %s %.80q", filepath.Base(x.Path), x.ID, x.State, x.Lane, x.Prompt)
		}
	}
	t.Logf("%d of %d agree", agree, lines)
}
