package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/hansard-search/hansard/corpus"
	"github.com/hansard-search/hansard/surfaces"
)

// One table of cases for all three doors: the library, the command line and the
// server must give the same answer.

// An asked is a question put in the words of all three.
type asked struct {
	name    string
	query   string
	filters map[string]string // by the names that flags and arguments share
	library corpus.Filter     // the same
	limit   int               // 0: 20
	before  int               // messages of a window
	after   int
	turns   bool
	want    func(t *testing.T, a *corpus.Answer)
}

// cases are laid out on library.
func (m *machine) cases() []asked {
	day := func(n int) time.Time { return m.now.AddDate(0, 0, -n) }
	sessions := func(names ...string) func(*testing.T, *corpus.Answer) {
		var want []string
		for _, n := range names {
			want = append(want, id(n))
		}
		return func(t *testing.T, a *corpus.Answer) {
			var got []string
			for _, h := range a.Results {
				got = append(got, h.SessionID)
			}
			slices.Sort(got)
			if d := cmp.Diff(want, got); d != "" {
				t.Error(d)
			}
		}
	}
	one := func(name, key, value string, f corpus.Filter, want ...string) asked {
		return asked{name: name, query: "retry", filters: map[string]string{key: value}, library: f, want: sessions(want...)}
	}
	list := []asked{
		{name: "no filter", query: "retry", want: sessions("a1", "b2", "c3")},
		one("project by its last part", "project", "api", corpus.Filter{Projects: []string{"api"}}, "a1"),
		one("project by its path", "project", "/home/u/web", corpus.Filter{Projects: []string{"/home/u/web"}}, "b2"),
		one("cwd", "cwd", "/home/u/api", corpus.Filter{Cwd: "/home/u/api"}, "a1"),
		one("cwd above", "cwd", "/home/u", corpus.Filter{Cwd: "/home/u"}, "a1", "b2", "c3"),
		one("cwd by components", "cwd", "/home/u/ap", corpus.Filter{Cwd: "/home/u/ap"}),
		one("branch", "branch", "FEATURE/*", corpus.Filter{Branch: "FEATURE/*"}, "a1"),
		one("model", "model", "small-*", corpus.Filter{Model: "small-*"}, "b2"),
		one("tool", "tool", "bash", corpus.Filter{Tool: "bash"}, "a1"),
		one("path", "path", "config.ts", corpus.Filter{Path: "config.ts"}, "b2"),
		one("agent", "agent", "claude", corpus.Filter{Source: "claude"}, "a1", "b2", "c3"),
		one("other agent", "agent", "pi", corpus.Filter{Source: "pi"}),
		one("lane", "lane", "main", corpus.Filter{Lane: "main"}, "a1", "b2"),
		one("other lane", "lane", "headless", corpus.Filter{Lane: "headless"}, "c3"),
		one("session", "session", id("a1"), corpus.Filter{Session: id("a1")}, "a1"),
		one("exclude", "exclude", id("a1"), corpus.Filter{Exclude: []string{id("a1")}}, "b2", "c3"),
		one("after", "after", day(1).Format(time.RFC3339), corpus.Filter{After: day(1).Truncate(time.Second)}, "b2", "c3"),
		one("before", "before", day(1).Format(time.RFC3339), corpus.Filter{Before: day(1).Truncate(time.Second)}, "a1"),
		one("surface", "surface", "assistant_summary", corpus.Filter{Surfaces: []surfaces.Name{surfaces.AssistantSummary}}, "b2"),
	}
	return append(list, limits()...)
}

// limits are the cases of what an answer may hold at most.
func limits() []asked {
	hits := func(n int) func(*testing.T, *corpus.Answer) {
		return func(t *testing.T, a *corpus.Answer) {
			if len(a.Results) != n || a.ResultCount != n || a.Total < n {
				t.Errorf("%d hits of %d, want %d", len(a.Results), a.Total, n)
			}
		}
	}
	window := func(from, to int) func(*testing.T, *corpus.Answer) {
		return func(t *testing.T, a *corpus.Answer) {
			w := a.Results[0].Window
			if len(w) != to-from || w[0].MsgIdx != from || w[len(w)-1].MsgIdx != to-1 {
				t.Errorf("window %+v, want %d to %d", w, from, to)
			}
			for _, i := range w {
				if len(i.Snippet) > 2*corpus.SnippetBytes || !utf8.ValidString(i.Snippet) || i.Truncated != strings.Contains(i.Snippet, "...") {
					t.Errorf("snippet of %d bytes: %+v", len(i.Snippet), i)
				}
			}
		}
	}
	return []asked{
		{name: "limit", query: "wombat", limit: 3, want: hits(3)},
		{name: "most hits", query: "wombat", limit: 20, want: hits(20)},
		{name: "more hits than there may be", query: "wombat", limit: 500, want: hits(20)},
		{name: "window", query: "middle", before: 2, after: 3, turns: true, want: window(18, 24)},
		{name: "usual window", query: "middle", before: 4, after: 4, turns: true, want: window(16, 25)},
		{name: "window of the match alone", query: "middle", turns: true, want: window(20, 21)},
		{name: "most of a window", query: "middle", before: 40, after: 40, turns: true, want: window(13, 29)},
		{name: "one side of a window", query: "middle", before: 2, after: 40, turns: true, want: window(18, 34)},
		{name: "at the first message", query: "overture", before: 4, after: 4, turns: true, want: window(0, 5)},
		{name: "at the last message", query: "finale", before: 4, after: 4, turns: true, want: window(35, 40)},
		{name: "long message", query: "elephant", turns: true, want: func(t *testing.T, a *corpus.Answer) {
			w := a.Results[0].Window[0]
			text := strings.ReplaceAll(w.Snippet, "**", "")
			if len(text) > corpus.SnippetBytes || len(text) < corpus.SnippetBytes/2 || !utf8.ValidString(text) || !w.Truncated || !strings.Contains(text, "elephant") {
				t.Errorf("%d bytes, truncated %v: %s", len(text), w.Truncated, text)
			}
		}},
	}
}

// library lays out what the cases ask for.
func (m *machine) library() {
	m.say(
		turn{session: "a1", ask: "retry in the api", say: "ok", cwd: "/home/u/api", branch: "feature/retry", model: "big-one", tool: "Bash", command: "go test", ago: 48 * time.Hour},
		turn{session: "b2", ask: "again in the web", say: "no retry there", cwd: "/home/u/web", model: "small-two", tool: "Edit", path: "/home/u/web/src/config.ts", ago: 2 * time.Hour},
		turn{session: "c3", ask: "retry by a script", say: "ok", cwd: "/home/u/cron", entry: "sdk-cli", ago: time.Hour},
		turn{session: "e5", ask: "and the elephant " + strings.Repeat("öé日本", 600) + " the elephant", say: "ok"},
	)
	for i := range 25 {
		m.say(turn{session: fmt.Sprintf("d%d", i), ask: fmt.Sprintf("wombat number %d", i), say: "ok", ago: time.Duration(i) * time.Minute})
	}
	for i := range 20 { // 40 messages
		ask, say := fmt.Sprintf("question %d", i), fmt.Sprintf("answer %d", i)
		switch i {
		case 0:
			ask = "overture"
		case 10:
			ask = "middle"
		case 19:
			say = "finale"
		}
		m.say(turn{session: "f6", ask: ask, say: say, ago: time.Duration(60-i) * time.Minute})
	}
}

func TestCases(t *testing.T) {
	m := newMachine(t)
	m.library()
	m.run("index", "--include", "headless")
	server := m.connect()
	lib, err := corpus.Open(filepath.Join(m.home, ".local/share/hansard/sessions"))
	if err != nil {
		t.Fatal(err)
	}
	defer lib.Close()
	for _, c := range m.cases() {
		if c.limit == 0 {
			c.limit = 20
		}
		answers := map[string]*corpus.Answer{"library": c.library1(t, lib), "command line": c.commandLine(t, m)}
		args := c.arguments()
		a := &corpus.Answer{}
		call(t, server, "search_sessions", args, a)
		answers["server"] = a
		for door, a := range answers {
			t.Run(c.name+"/"+door, func(t *testing.T) { c.want(t, a) })
			if d := cmp.Diff(pure(answers["library"]), pure(a)); d != "" {
				t.Errorf("%s: library and %s differ: %s", c.name, door, d)
			}
		}
	}
}

// pure is an answer without what may differ: the preset's name, the refresh,
// and scores, in which each moment counts.
func pure(a *corpus.Answer) string {
	c := *a
	c.Results = slices.Clone(a.Results)
	for i := range c.Results {
		c.Results[i].Score = 0
	}
	c.Scope.Preset, c.Scope.Refresh, c.Scope.IndexedAt = "", "", corpus.Time{}
	b, _ := json.MarshalIndent(c, "", " ")
	return string(b)
}

func (c asked) group() corpus.Group {
	if c.turns {
		return corpus.ByTurn
	}
	return corpus.BySession
}

func (c asked) library1(t *testing.T, lib *corpus.Corpus) *corpus.Answer {
	a, err := lib.Search(context.Background(), corpus.Query{Text: c.query, Filter: c.library, Limit: c.limit, Group: c.group(), Window: true, Before: c.before, After: c.after})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func (c asked) arguments() map[string]any {
	args := map[string]any{"query": c.query, "limit": c.limit, "context_before": c.before, "context_after": c.after, "group": c.group()}
	filters := map[string]any{}
	for k, v := range c.filters {
		if k == "surface" {
			args["surfaces"] = []string{v}
			continue
		}
		filters[k] = v
	}
	args["filters"] = filters
	return args
}

func (c asked) commandLine(t *testing.T, m *machine) *corpus.Answer {
	args := []string{"search", c.query, "--json", "--limit", fmt.Sprint(c.limit), "--group", string(c.group()),
		"--before-context", fmt.Sprint(c.before), "--after-context", fmt.Sprint(c.after)}
	for _, k := range slices.Sorted(maps.Keys(c.filters)) {
		args = append(args, "--"+k, c.filters[k])
	}
	a := &corpus.Answer{}
	if err := json.Unmarshal([]byte(m.run(args...)), a); err != nil {
		t.Fatal(err)
	}
	return a
}
