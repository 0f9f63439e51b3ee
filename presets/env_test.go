package presets

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hansard-search/hansard/corpus"
	"github.com/hansard-search/hansard/sources"
)

func TestPlaces(t *testing.T) {
	for _, test := range []struct {
		vars []string
		want map[string]string // ~ is the home folder
	}{
		{nil, map[string]string{
			"claude": "~/.claude/projects", "pi": "~/.pi/agent/sessions",
			"data": "~/.local/share/hansard", "config": "~/.config/hansard/config.jsonc"}},
		{[]string{"CLAUDE_CONFIG_DIR", "/c", "PI_CODING_AGENT_DIR", "/p", "XDG_DATA_HOME", "/d", "XDG_CONFIG_HOME", "/x"}, map[string]string{
			"claude": "/c/projects", "pi": "/p/sessions", "data": "/d/hansard", "config": "/x/hansard/config.jsonc"}},
		{[]string{"PI_CODING_AGENT_SESSION_DIR", "/s", "PI_CODING_AGENT_DIR", "/p", "HANSARD_DATA_DIR", "~/d", "HANSARD_CONFIG_DIR", "/x",
			"XDG_DATA_HOME", "/no", "XDG_CONFIG_HOME", "/no"}, map[string]string{
			"claude": "~/.claude/projects", "pi": "/s", "data": "~/d", "config": "/x/config.jsonc"}},
		{[]string{"XDG_DATA_HOME", "relative"}, map[string]string{"data": "~/.local/share/hansard"}},
	} {
		e := world(t, test.vars...)
		data, err := e.DataDir()
		config, err2 := e.ConfigFile()
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		got := map[string]string{"claude": e.Root("claude"), "pi": e.Root("pi"), "data": data, "config": config}
		for k, want := range test.want {
			if want = strings.Replace(want, "~", e.Home, 1); got[k] != want {
				t.Errorf("%v: %s is %s, want %s", test.vars, k, got[k], want)
			}
		}
	}
	if r := world(t).Root("vim"); r != "" {
		t.Errorf("unknown kind: %s", r)
	}
}

func TestNoHome(t *testing.T) {
	e := Env{Getenv: func(string) string { return "" }, Now: time.Now}
	if _, err := e.DataDir(); err == nil || !strings.Contains(err.Error(), "HANSARD_DATA_DIR") {
		t.Error(err)
	}
	if f, err := e.Load(); err != nil || f.Default != "sessions" {
		t.Error(f, err)
	}
}

func TestParseRoot(t *testing.T) {
	e := world(t)
	if err := os.Mkdir(filepath.Join(e.Home, "t"), 0o700); err != nil {
		t.Fatal(err)
	}
	want := corpus.Root{Kind: "pi", Dir: filepath.Join(e.Home, "t")}
	for _, spec := range []string{"pi=t", "pi=~/t", "pi=" + want.Dir + "/"} {
		if r, err := e.ParseRoot(spec); err != nil || r != want {
			t.Errorf("%s: %v, %v", spec, r, err)
		}
	}
	for spec, what := range map[string]string{"t": "not a source", "pi=": "not a source", "vim=t": "unknown source kind", "pi=u": "no folder"} {
		var bad *RootError
		if _, err := e.ParseRoot(spec); !errors.As(err, &bad) || !strings.Contains(bad.What, what) {
			t.Errorf("%s: %v", spec, err)
		}
	}
}

func TestParseInclude(t *testing.T) {
	for arg, want := range map[string][]string{
		"": {}, "none": {}, "full": {"full"}, "tools,full": {"full", "tools"}, "cron, subagents": {"subagents", "cron"}, "full,full": {"full"},
	} {
		if got, err := ParseInclude([]string{arg}); err != nil || !cmp.Equal(got, want) {
			t.Errorf("%q: %v, %v", arg, got, err)
		}
	}
	if _, err := ParseInclude([]string{"full,all"}); err == nil || !strings.Contains(err.Error(), `"all"`) {
		t.Error(err)
	}
}

func TestCorpus(t *testing.T) {
	e := world(t)
	c, err := e.Corpus("/data", "x", corpus.Params{
		Since: "7d", Projects: []string{"api"}, MaxSessions: 3, Include: []string{"full", "tool-output", "headless"},
		Roots: []corpus.Root{{Kind: "claude", Dir: "/c"}, {Kind: "pi", Dir: "/p"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if c.Dir != filepath.Join("/data", "x") || c.Name != "x" || len(c.Sources) != 2 || c.Sources[0].Name() != "claude" || c.Sources[1].Name() != "pi" {
		t.Errorf("%+v", c)
	}
	want := corpus.Bounds{Since: e.Now().AddDate(0, 0, -7), Projects: []string{"api"}, MaxSessions: 3, Lanes: []sources.Lane{sources.Headless}}
	if d := cmp.Diff(want, c.Bounds); d != "" {
		t.Error(d)
	}
	if cl := c.Sources[0].(sources.Claude); cl.Root != "/c" || cl.Caps.Result != outputBytes {
		t.Errorf("%+v", cl)
	}
	if s := Surfaces([]string{"tool-output"}); !cmp.Equal(s, Surfaces([]string{"tools"})) {
		t.Errorf("outputs without the surface of their calls: %v", s)
	}
	if _, err := e.Corpus("/data", "x", corpus.Params{Since: "soon"}); err == nil {
		t.Error("a bad since is accepted")
	}
}

// TestUsualPlaces: an index that was built on the usual places follows the
// environment, one on named folders does not.
func TestUsualPlaces(t *testing.T) {
	then, now := world(t), world(t, "CLAUDE_CONFIG_DIR", "/elsewhere")
	p := Sessions().Params(then)
	p.Roots = append(p.Roots, corpus.Root{Kind: "claude", Dir: "/named"})
	got := Choose(now, p, Sessions().Params(now))
	if got.Roots[0].Dir != filepath.Join("/elsewhere", "projects") || got.Roots[2].Dir != "/named" {
		t.Errorf("%+v", got.Roots)
	}
	if p.Roots[0].Dir == got.Roots[0].Dir {
		t.Error("the stored parameters were changed in place")
	}
}

// An agent that is installed later is read from then on, unless somebody said
// what to read.
func TestCodexIsReadWhenItIsThere(t *testing.T) {
	e := world(t)
	before := Sessions().Params(e)
	if len(before.Roots) != 2 {
		t.Fatalf("roots: %+v", before.Roots)
	}
	if err := os.MkdirAll(filepath.Join(e.Home, ".codex", "sessions"), 0o700); err != nil {
		t.Fatal(err)
	}
	codex := corpus.Root{Kind: "codex", Dir: filepath.Join(e.Home, ".codex", "sessions"), Default: true}
	fresh := Sessions().Params(e)
	if got := Choose(e, before, fresh).Roots; len(got) != 3 || got[2] != codex {
		t.Errorf("roots: %+v", got)
	}
	before.Roots = []corpus.Root{{Kind: "pi", Dir: "/p"}}
	if got := Choose(e, before, fresh).Roots; len(got) != 1 {
		t.Errorf("roots that were named: %+v", got)
	}
	if dir := world(t, "CODEX_HOME", "/x").Root("codex"); dir != "/x/sessions" {
		t.Errorf("CODEX_HOME: %s", dir)
	}
}
