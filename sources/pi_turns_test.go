package sources_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/hansard-search/hansard/segment"
	"github.com/hansard-search/hansard/sources"
)

// cut gives the turns of each session below root, by the end of its id, and
// what is said of the session.
func cut(t *testing.T, root string) (map[string][]segment.Turn, map[string]segment.Session) {
	t.Helper()
	turns, sessions := map[string][]segment.Turn{}, map[string]segment.Session{}
	for tr, err := range (sources.Pi{Root: root}).Transcripts(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		id := tr.Info().Session
		id = id[len(id)-6:]
		res, err := segment.Cut(segment.Begin(tr.Info()), tr.Events(t.Context(), sources.Position{}), func(turn segment.Turn) bool {
			turns[id] = append(turns[id], turn)
			return true
		})
		if err != nil || res.SkippedTotal > 0 {
			t.Errorf("%s: error %v, skipped %v", id, err, res.Skipped)
		}
		for _, gone := range res.Abandoned {
			for i := range turns[id] {
				turns[id][i].Abandoned = turns[id][i].Abandoned || turns[id][i].ID == gone
			}
		}
		sessions[id] = res.Session
	}
	return turns, sessions
}

func TestPiTurns(t *testing.T) {
	turns, sessions := cut(t, "../testdata/pi")
	tests := []struct{ session, want string }{
		{"8a7d11", "final interrupted final final"},
		{"7f9021", "final final"},
		{"d4c001", "final final-abandoned final final open"},
		{"1c2002", "final final"},
	}
	for _, tt := range tests {
		var got []string
		for _, turn := range turns[tt.session] {
			s := string(turn.State)
			if turn.Abandoned {
				s += "-abandoned"
			}
			got = append(got, s)
		}
		if s := strings.Join(got, " "); s != tt.want {
			t.Errorf("%s: %s, want %s", tt.session, s, tt.want)
		}
	}
	retried := turns["8a7d11"][2]
	if !strings.HasPrefix(retried.Summary, "A reading that cannot be parsed") || retried.Usage.Output == 0 {
		t.Errorf("a turn with an error and a retry: %+v", retried)
	}
	if s := sessions["d4c001"]; s.Title() != "Skip rainy days" || s.Project != "/home/mara/orchard" || len(s.Summaries) != 2 ||
		s.Summaries[0].Kind != "branch" || s.Summaries[1].Kind != "compaction" {
		t.Errorf("session: %+v", s)
	}
}

// A file that a newer pi opened holds the same turns, but for places and the
// ids of entries.
func TestPiTurnsSurviveARewrite(t *testing.T) {
	old, _ := cut(t, "../testdata/pi")
	migrated, _ := cut(t, "../testdata/pi-migrated")
	ignore := cmpopts.IgnoreFields(segment.Turn{}, "Path", "LastID", "From")
	if diff := cmp.Diff(old["8a7d11"], migrated["8a7d11"], ignore); diff != "" {
		t.Error(diff)
	}
}

// A session that is cut after each new line has in the end the turns of one
// that is cut at once.
func TestPiTurnsGrow(t *testing.T) {
	paths, err := filepath.Glob("../testdata/pi*/*/*.jsonl")
	if err != nil || len(paths) == 0 {
		t.Fatal("no fixtures: ", err)
	}
	for _, path := range paths {
		whole, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		root := t.TempDir()
		to := filepath.Join(root, filepath.Base(path))
		var next segment.Start
		var grown []segment.Turn
		for i, line := range strings.SplitAfter(string(whole), "\n") {
			appendTo(t, to, line)
			for tr := range (sources.Pi{Root: root}).Transcripts(t.Context()) {
				if i == 0 {
					next = segment.Begin(tr.Info())
				}
				next, grown = follow(t, tr, next, grown)
			}
		}
		for tr := range (sources.Pi{Root: root}).Transcripts(t.Context()) {
			_, atOnce := follow(t, tr, segment.Begin(tr.Info()), nil)
			if diff := cmp.Diff(atOnce, grown); diff != "" {
				t.Errorf("%s: %s", path, diff)
			}
		}
	}
}

func appendTo(t *testing.T, path, text string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = f.WriteString(text)
	}
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
}

// follow cuts on from a start, and puts the turns in the place of the last one.
func follow(t *testing.T, tr sources.Transcript, from segment.Start, turns []segment.Turn) (segment.Start, []segment.Turn) {
	t.Helper()
	if from.From.Offset > 0 {
		turns = turns[:len(turns)-1]
	}
	res, err := segment.Cut(from, tr.Events(t.Context(), from.From), func(turn segment.Turn) bool {
		turns = append(turns, turn)
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	if res.NeedsWhole {
		return follow(t, tr, segment.Begin(tr.Info()), nil)
	}
	return res.Next, turns
}

func TestPiRealTurns(t *testing.T) {
	dir := os.Getenv("HANSARD_REAL_CORPUS")
	if dir == "" {
		t.Skip("HANSARD_REAL_CORPUS is not set")
	}
	turns, _ := cut(t, filepath.Join(dir, "sessions"))
	n, answered, states := 0, 0, map[segment.State]int{}
	for _, of := range turns {
		for _, turn := range of {
			n++
			states[turn.State]++
			if turn.Answer() != "" {
				answered++
			}
		}
	}
	t.Logf("%d turns, %d with an answer, states %v", n, answered, states)
	if n != 143 {
		t.Errorf("%d turns, want 143", n)
	}
}
