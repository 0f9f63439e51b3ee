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

// world is an Env with a home folder and some variables.
func world(t *testing.T, vars ...string) Env {
	t.Helper()
	set := map[string]string{}
	for i := 0; i < len(vars); i += 2 {
		set[vars[i]] = vars[i+1]
	}
	home := t.TempDir()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	return Env{Home: home, Dir: home, Getenv: func(k string) string { return set[k] }, Now: func() time.Time { return now }}
}

// TestBadConfig: each mistake is one line with file, line, key, what is wrong
// and what to do.
func TestBadConfig(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"broken", "{\n  \"presets\": {\n    \"a\": {\"since\": \"7d\"\n  }\n", "config.jsonc:5: since: not JSON: "},
		{"garbage", "hello", "config.jsonc:1: config: not JSON: "},
		{"top level", "[]", "config.jsonc:1: config: must be an object, not a list; write an object"},
		{"presets", "{\n\"presets\": 3}", "config.jsonc:2: presets: must be an object, not a number; write an object"},
		{"preset", "{\n\"presets\": {\"a\": \"b\"}}", "config.jsonc:2: presets.a: must be an object, not a text; write an object"},
		{"name", `{"presets": {"../x": {}}}`, "config.jsonc:1: presets.../x: not a name; use letters, digits, - and _: it becomes a folder"},
		{"since", "{\"presets\": {\"a\": {\n\n\"since\": \"90 bananas\"}}}", `config.jsonc:3: presets.a.since: "90 bananas" is no date or duration; write 90d, 12w, 2026-01-01 or all`},
		{"since type", `{"presets": {"a": {"since": 90}}}`, "config.jsonc:1: presets.a.since: must be a text, not a number; write a text"},
		{"projects", "{\"presets\": {\"a\": {\"projects\": \"x\"}}}", "config.jsonc:1: presets.a.projects: must be a list of texts, not a text; write a list of texts"},
		{"project", "{\"presets\": {\"a\": {\"projects\": [\"x\",\nnull]}}}", "config.jsonc:2: presets.a.projects[1]: must be a text, not null; write a text"},
		{"max", `{"presets": {"a": {"max_sessions": "many"}}}`, "config.jsonc:1: presets.a.max_sessions: must be a number, not a text; write a number"},
		{"max below 0", `{"presets": {"a": {"max_sessions": -1}}}`, "config.jsonc:1: presets.a.max_sessions: must be a whole number, 0 or more; 0 means no limit"},
		{"max fraction", `{"presets": {"a": {"max_sessions": 1.5}}}`, "config.jsonc:1: presets.a.max_sessions: must be a whole number, 0 or more; 0 means no limit"},
		{"include", "{\"presets\": {\"a\": {\"include\": [\n\"full\",\n\"everything\"]}}}", `config.jsonc:3: presets.a.include[1]: unknown "everything"; use one of full, tools, tool-output, subagents, headless, cron`},
		{"lane", `{"presets": {"a": {"lanes": ["fast"]}}}`, `config.jsonc:1: presets.a.lanes[0]: unknown "fast"; use one of main, subagent, headless, cron`},
		{"kind", "{\"presets\": {\"a\": {\"sources\": [\n{\"kind\": \"emacs\"}]}}}", `config.jsonc:2: presets.a.sources[0].kind: unknown source kind "emacs"; use one of claude, pi, codex, history, notes`},
		{"short kind", `{"presets": {"a": {"sources": ["emacs"]}}}`, `config.jsonc:1: presets.a.sources[0]: unknown source kind "emacs"; use one of claude, pi, codex, history, notes`},
		{"no kind", `{"presets": {"a": {"sources": [{"root": "/"}]}}}`, `config.jsonc:1: presets.a.sources[0]: has no kind; use one of claude, pi, codex, history, notes`},
		{"empty root", `{"presets": {"a": {"sources": [{"kind": "pi", "root": ""}]}}}`, `config.jsonc:1: presets.a.sources[0].root: is empty; leave it out for the usual place`},
		{"no sources", `{"presets": {"a": {"sources": []}}}`, `config.jsonc:1: presets.a.sources: names no source; leave it out for the usual ones`},
		{"source type", `{"presets": {"a": {"sources": [7]}}}`, `config.jsonc:1: presets.a.sources[0]: must be a kind or {"kind": ..., "root": ...}, not a number; write a kind or {"kind": ..., "root": ...}`},
		{"twice", "{\"presets\": {\"a\": {\n\"since\": \"7d\",\n\"since\": \"8d\"}}}", "config.jsonc:3: presets.a.since: is given twice; keep one of them"},
		{"refresh", `{"presets": {"a": {"refresh": "often"}}}`, `config.jsonc:1: presets.a.refresh: unknown "often"; use source-change, manual, or an interval such as 24h or 7d`},
		{"synopsis", `{"presets": {"a": {"synopsis": {"window": "02:00-06:00"}}}}`, `config.jsonc:1: presets.a.synopsis: names no command; write "command": ["program", "argument"]`},
		{"window", "{\"presets\": {\"a\": {\"synopsis\": {\"command\": [\"x\"],\n\"window\": \"at night\"}}}}", `config.jsonc:2: presets.a.synopsis.window: "at night" is no part of a day; write 02:00-06:00`},
		{"timeout", `{"presets": {"a": {"synopsis": {"command": ["x"], "timeout": "soon"}}}}`, `config.jsonc:1: presets.a.synopsis.timeout: "soon" is no duration; write 60s or 2m`},
		{"default", "{\n\"default\": \"wrok\", \"presets\": {\"work\": {}}}", `config.jsonc:2: default: unknown preset "wrok"; use one of sessions, memory, work`},
		{"default type", `{"default": {}}`, `config.jsonc:1: default: must be a text, not an object; write a text`},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := world(t).Parse("config.jsonc", []byte(test.text))
			var bad *ConfigError
			if !errors.As(err, &bad) || !strings.HasPrefix(err.Error(), test.want) {
				t.Fatalf("got  %v\nwant %s", err, test.want)
			}
			if strings.Contains(err.Error(), "\n") || bad.Next == "" {
				t.Errorf("not one line with a next step: %q", err)
			}
		})
	}
}

func TestConfigGood(t *testing.T) {
	e := world(t)
	text := `// mine
{
  "presets": {
    "work": { /* all of it */
      "about": "a // b",
      "sources": ["pi", {"kind": "claude", "root": "~/w"}, {"kind": "claude", "root": "rel"}],
      "include": ["tools", "full"], "lanes": ["main", "headless"],
      "since": "2026-01-01", "projects": ["api", "~/web"], "max_sessions": 5,
      "colour": "red",
    },
    "sessions": {"since": "all"},
  },
  "defualt": "work",
}`
	f, err := e.Parse("/etc/h/config.jsonc", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"/etc/h/config.jsonc:9: presets.work.colour: means nothing here; known are about, sources, include, lanes, since, projects, max_sessions, refresh, synopsis",
		"/etc/h/config.jsonc:13: defualt: means nothing here; known are default, presets",
	}
	if d := cmp.Diff(want, f.Warnings); d != "" {
		t.Error(d)
	}
	p, err := f.Lookup("work")
	if err != nil || p.About != "a // b" {
		t.Fatal(p, err)
	}
	got := p.Params(e)
	if got.Config == "" {
		t.Error("no trace of the config in the parameters")
	}
	got.Config = ""
	if d := cmp.Diff(corpus.Params{
		Since: "2026-01-01", Projects: []string{"api", filepath.Join(e.Home, "web")}, MaxSessions: 5,
		Include: []string{"full", "tools", "headless"},
		Roots: []corpus.Root{
			{Kind: "pi", Dir: filepath.Join(e.Home, ".pi/agent/sessions"), Default: true},
			{Kind: "claude", Dir: filepath.Join(e.Home, "w")}, {Kind: "claude", Dir: "/etc/h/rel"},
		},
	}, got); d != "" {
		t.Error(d)
	}
	if p, _ := f.Lookup(""); p.Name != "sessions" || p.Since != "all" || p.About == "" {
		t.Errorf("the built-in preset is not changed by its entry: %+v", p)
	}
	if n := f.names(); len(n) != 3 {
		t.Errorf("names: %v", n)
	}
}

func TestUnknownPreset(t *testing.T) {
	f, err := world(t).Parse("c.jsonc", []byte("{\n\n\"presets\": {}}"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.Lookup("nope")
	if want := `c.jsonc:3: presets: unknown preset "nope"; use one of sessions, memory, or write it there`; err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	e := world(t)
	if f, err = e.Load(); err != nil {
		t.Fatal(err)
	}
	_, err = f.Lookup("nope")
	if want := `unknown preset "nope"; use one of sessions, memory, or write it in ` + f.Path; err == nil || err.Error() != want {
		t.Errorf("without a file: got  %v\nwant %s", err, want)
	}
}

func TestMissingRoot(t *testing.T) {
	e := world(t)
	text := "{\"presets\": {\"a\": {\"sources\": [{\"kind\": \"pi\", \"root\": \"~\"},\n{\"kind\": \"claude\",\n\"root\": \"~/nowhere\"}]}}}"
	f, err := e.Parse("c.jsonc", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	p, _ := f.Lookup("a")
	want := "c.jsonc:3: presets.a.sources[1].root: no folder " + filepath.Join(e.Home, "nowhere") + "; correct it, or leave root out for the usual place"
	if err := p.MissingRoot(); err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	if err := os.Mkdir(filepath.Join(e.Home, "nowhere"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := p.MissingRoot(); err != nil {
		t.Error(err)
	}
}

// TestSpelling: only a change of meaning changes the parameters.
func TestSpelling(t *testing.T) {
	e := world(t)
	params := func(text string) corpus.Params {
		f, err := e.Parse("c.jsonc", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		p, err := f.Lookup("a")
		if err != nil {
			t.Fatal(err)
		}
		return p.Params(e)
	}
	one := params(`{"presets": {"a": {"since": "7d", "about": "x", "lanes": ["cron"]}}}`)
	same := params("{\n//\n\"presets\": {\"a\": {\"lanes\": [\"cron\"],\n \"since\": \"7d\"}}}")
	other := params(`{"presets": {"a": {"since": "8d", "lanes": ["cron"]}}}`)
	if d := cmp.Diff(one, same); d != "" {
		t.Error(d)
	}
	kept := one
	kept.Include = []string{"full"} // by a flag
	if got := Choose(e, kept, same); !cmp.Equal(got, kept) {
		t.Errorf("the same config undid a flag: %+v", got)
	}
	if got := Choose(e, kept, other); !cmp.Equal(got, other) {
		t.Errorf("a changed config has no effect: %+v", got)
	}
}

func TestLoad(t *testing.T) {
	e := world(t)
	if f, err := e.Load(); err != nil || f.Default != "sessions" || len(f.All()) != 2 {
		t.Errorf("no file: %+v, %v", f, err)
	}
	dir := filepath.Join(e.Home, ".config", "hansard")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "config.jsonc"), []byte("\ufeff{\"default\": \"a\", \"presets\": {\"a\": {}}}"), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := e.Load()
	if err != nil {
		t.Fatal(err)
	}
	if p, err := f.Lookup(""); err != nil || p.Name != "a" {
		t.Error(p, err)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{`{}`, `{"presets": {"a": {"sources": ["pi"]}}}`, `{"a": 1,}`, "//", `{"presets": {"a": {"lanes": [`, "\xff{"} {
		f.Add(s)
	}
	e := Env{Home: "/h", Dir: "/", Getenv: func(string) string { return "" }, Now: func() time.Time { return time.Time{} }}
	f.Fuzz(func(t *testing.T, text string) {
		file, err := e.Parse("c", []byte(text))
		var bad *ConfigError
		if err != nil && (!errors.As(err, &bad) || bad.Line < 1 || bad.Key == "" && !strings.Contains(text, `""`)) {
			t.Errorf("%q: %v", text, err)
		}
		if err == nil {
			for _, p := range file.All() {
				p.Params(e)
			}
		}
	})
}

func TestPresetLanes(t *testing.T) {
	p := Preset{Include: []string{"full", "cron"}, Lanes: []sources.Lane{sources.Main, sources.Subagent, sources.Cron}}
	if d := cmp.Diff([]string{"full", "subagents", "cron"}, p.Params(world(t)).Include); d != "" {
		t.Error(d)
	}
}
