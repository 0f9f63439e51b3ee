package corpus

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/hansard-search/hansard/sources"
)

var update = flag.Bool("update", false, "write what is found into testdata/rank")

// TestRanking holds rankings of small invented corpora to what was agreed.
//
// A file of testdata/rank is a comment that says what it is about, the file
// "sessions", and for each query a file "? QUERY" with the first five rows and
// the parts of their scores. Its first lines may be "want ID N": that turn has
// to be among the first N rows, whatever the golden rows are; and "group turn".
// Go test -update rewrites the rows, never the wants.
//
// Sessions are written as
//
//	# session [title]        a session; turns follow, a minute apart
//	@ 2026-09-01             the day from which on turns stand
//	= text                   a summary of what went before
//	> text                   a prompt, the turn's id is the session's with /1, /2 ...
//	! Tool                   a tool that the turn calls
//	< text                   the answer
//	* 40                     the turn so far is repeated in as many sessions, or
//	                         with "* 40 here" in the same one
func TestRanking(t *testing.T) {
	files, err := filepath.Glob("testdata/rank/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden files: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) { goldenFile(t, file) })
	}
}

func goldenFile(t *testing.T, file string) {
	ar, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	b := newBench(t)
	for i := range ar.Files {
		f := &ar.Files[i]
		query, ok := strings.CutPrefix(f.Name, "? ")
		if !ok {
			readSessions(t, b, string(f.Data))
			b.sync()
			continue
		}
		directives, rows := splitWants(string(f.Data))
		q := Query{Text: query, Limit: 5, Explain: true}
		if strings.Contains(directives, "group turn\n") {
			q.Group = ByTurn
		}
		ans, err := b.open().Search(t.Context(), q)
		if err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		checkWants(t, query, directives, ans)
		got := printRows(ans)
		if *update {
			f.Data = []byte(directives + got)
		} else if diff := cmp.Diff(strings.Split(rows, "\n"), strings.Split(got, "\n")); diff != "" {
			t.Errorf("%s: rows differ (-agreed +found):\n%s", query, diff)
		}
	}
	if *update {
		if err := os.WriteFile(file, txtar.Format(ar), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func splitWants(data string) (directives, rows string) {
	for line := range strings.Lines(data) {
		if strings.HasPrefix(line, "want ") || strings.HasPrefix(line, "group ") {
			directives += line
		} else {
			rows += line
		}
	}
	return directives, rows
}

func checkWants(t *testing.T, query, directives string, ans *Answer) {
	t.Helper()
	for line := range strings.Lines(directives) {
		var id string
		var most int
		if n, _ := fmt.Sscanf(line, "want %s %d", &id, &most); n != 2 {
			continue
		}
		at := slices.IndexFunc(ans.Results, func(h Hit) bool { return h.TurnID == id })
		if at < 0 || at >= most {
			t.Errorf("%s: %s is not among the first %d:\n%s", query, id, most, printRows(ans))
		}
	}
}

// printRows is the first rows of an answer as golden files hold them.
func printRows(ans *Answer) string {
	var out strings.Builder
	for i, h := range ans.Results[:min(5, len(ans.Results))] {
		fmt.Fprintf(&out, "%d %s %s %.3f\n", i+1, h.TurnID, h.Surface, h.Score)
		for _, p := range h.Explain {
			fmt.Fprintf(&out, "\t%+.3f %s\n", p.Score, p.What)
		}
	}
	fmt.Fprintf(&out, "total %d", ans.Total)
	for _, w := range ans.Scope.UnknownWords {
		fmt.Fprintf(&out, ", unknown %s", w)
	}
	for _, from := range slices.Sorted(maps.Keys(ans.Scope.Repaired)) {
		fmt.Fprintf(&out, ", %s repaired to %s", from, ans.Scope.Repaired[from])
	}
	return out.String() + "\n"
}

// A scribe reads the notation of golden files.
type scribe struct {
	b       *bench
	session string
	turn    int
	prompt  string
	tools   []string
	at      time.Time
}

func readSessions(t *testing.T, b *bench, text string) {
	t.Helper()
	s := scribe{b: b, at: began}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		sign, rest, _ := strings.Cut(line, " ")
		switch sign {
		case "#":
			id, title, _ := strings.Cut(rest, " ")
			s.session, s.turn = id, 0
			if title != "" {
				s.append(sources.Event{Kind: sources.Title, Rank: 4, Text: title, Time: s.at})
			}
		case "@":
			day, err := time.Parse(time.DateOnly, rest)
			if err != nil {
				t.Fatal(err)
			}
			s.at = day.Add(9 * time.Hour)
		case "=":
			s.append(sources.Event{Kind: sources.Summary, Stop: "compaction", Text: rest, Time: s.at})
		case ">":
			s.prompt, s.tools = rest, nil
		case "!":
			s.tools = append(s.tools, rest)
		case "<":
			s.pair(rest)
		case "*":
			count, here, _ := strings.Cut(rest, " ")
			n, err := strconv.Atoi(count)
			if err != nil {
				t.Fatal(err)
			}
			s.repeat(n, here == "here")
		default:
			t.Fatalf("what is %q?", line)
		}
	}
}

func (s *scribe) append(events ...sources.Event) {
	s.b.src.Append(sources.Info{Session: s.session}, events...)
}

func (s *scribe) pair(answer string) {
	s.turn++
	s.at = s.at.Add(time.Minute)
	r := sources.Record{ID: fmt.Sprintf("%s/%d", s.session, s.turn), Prompt: s.prompt, Answer: answer, Time: s.at, Cwd: "/home/u/api"}
	events := r.Events()
	for _, tool := range s.tools {
		call := sources.Event{Kind: sources.ToolCall, Time: s.at, Group: r.ID + "/call", Tool: sources.Tool{Name: tool}}
		events = slices.Insert(events, 1, call)
	}
	s.append(events...)
}

// repeat says the last turn again. The answer differs by a number, so that it
// is not one turn.
func (s *scribe) repeat(n int, here bool) {
	session := s.session
	for i := range n {
		if !here {
			s.session, s.turn = fmt.Sprintf("%s-%d", session, i+2), 0
		}
		s.pair(fmt.Sprintf("Done, number %d.", i+2))
	}
	s.session = session
}
