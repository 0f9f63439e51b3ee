package presets

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/hansard-search/hansard/corpus"
	"github.com/hansard-search/hansard/sources"
)

// A kind is a row of the table of sources: a new agent is a Source and a row.
type kind struct {
	name  string
	place func(Env) string // its usual folder; it may not exist
	usual presence
	open  func(e Env, data string, r corpus.Root, c sources.Caps) sources.Source
}

// presence says when a kind is read by a preset that names no sources.
type presence int

const (
	always  presence = iota // so that status tells where its transcripts were looked for
	ifThere                 // when its usual folder exists
	ifNamed                 // never
)

// kinds is the table.
func kinds() []kind {
	return []kind{
		{"claude", Env.claudePlace, always, func(_ Env, _ string, r corpus.Root, c sources.Caps) sources.Source {
			return sources.Claude{Root: r.Dir, Caps: c}
		}},
		{"pi", Env.piPlace, always, func(_ Env, _ string, r corpus.Root, c sources.Caps) sources.Source {
			return sources.Pi{Root: r.Dir, Caps: c}
		}},
		{"codex", Env.codexPlace, ifThere, func(_ Env, _ string, r corpus.Root, c sources.Caps) sources.Source {
			return sources.Codex{Root: r.Dir, Caps: c}
		}},
		{"history", Env.ClaudeHome, ifNamed, func(_ Env, _ string, r corpus.Root, _ sources.Caps) sources.Source {
			return sources.History{Dir: r.Dir}
		}},
		{"notes", func(e Env) string { return e.Home }, ifNamed, func(e Env, data string, r corpus.Root, _ sources.Caps) sources.Source {
			return sources.Notes{Folders: e.notes(data, r)}
		}},
	}
}

// Kinds lists the kinds of sources.
func Kinds() (names []string) {
	for _, k := range kinds() {
		names = append(names, k.name)
	}
	return names
}

// Root is the folder in which the agent of that kind keeps its transcripts;
// it may not exist. It is "" for an unknown kind.
func (e Env) Root(kind string) string {
	for _, k := range kinds() {
		if k.name == kind {
			return k.place(e)
		}
	}
	return ""
}

// Roots are the places that are read where nothing is said about it.
func (e Env) Roots() []corpus.Root {
	var roots []corpus.Root
	for _, k := range kinds() {
		if dir := k.place(e); k.usual == always || k.usual == ifThere && isDir(dir) {
			roots = append(roots, corpus.Root{Kind: k.name, Dir: dir, Default: true})
		}
	}
	return roots
}

// open opens the source of a root. data is the folder of all corpora.
func (e Env) open(data string, r corpus.Root, c sources.Caps) (sources.Source, error) {
	for _, k := range kinds() {
		if k.name == r.Kind {
			return k.open(e, data, r, c), nil
		}
	}
	return nil, &RootError{r.Kind, "unknown source kind", oneOf(Kinds())}
}

// ClaudeHome is Claude Code's own folder: settings, transcripts, skills.
func (e Env) ClaudeHome() string { return e.folderOf("CLAUDE_CONFIG_DIR", ".claude") }

// PiHome is that of pi.
func (e Env) PiHome() string { return e.folderOf("PI_CODING_AGENT_DIR", ".pi", "agent") }

// CodexHome is that of Codex.
func (e Env) CodexHome() string { return e.folderOf("CODEX_HOME", ".codex") }

func (e Env) claudePlace() string { return filepath.Join(e.ClaudeHome(), "projects") }

func (e Env) piPlace() string {
	if d := e.Getenv("PI_CODING_AGENT_SESSION_DIR"); d != "" {
		return e.Expand(d)
	}
	return filepath.Join(e.PiHome(), "sessions")
}

func (e Env) codexPlace() string { return filepath.Join(e.CodexHome(), "sessions") }

// folderOf is the folder that a variable names, else one in the home folder.
func (e Env) folderOf(variable string, home ...string) string {
	if d := e.Getenv(variable); d != "" {
		return e.Expand(d)
	}
	return filepath.Join(append([]string{e.Home}, home...)...)
}

// notes are the folders in which notes are looked for: those of the agents and
// the home itself, those of every project that a corpus of sessions knows, and
// what Claude remembers of each. A folder that was named is read by itself.
func (e Env) notes(data string, r corpus.Root) []sources.NotesFolder {
	if !r.Default {
		return []sources.NotesFolder{{Dir: r.Dir, Project: r.Dir, All: true}}
	}
	var list []sources.NotesFolder
	for _, dir := range []string{r.Dir, e.ClaudeHome(), e.CodexHome(), e.PiHome()} {
		list = append(list, sources.NotesFolder{Dir: dir, Project: r.Dir})
	}
	byName := map[string]string{}
	for _, p := range projects(data) {
		if _, known := byName[claudeName(p)]; !known && filepath.IsAbs(p) {
			byName[claudeName(p)] = p
			list = append(list, sources.NotesFolder{Dir: p, Project: p})
		}
	}
	entries, _ := os.ReadDir(e.claudePlace()) // none: nothing is remembered
	for _, d := range entries {
		list = append(list, sources.NotesFolder{Dir: filepath.Join(e.claudePlace(), d.Name()), Project: byName[d.Name()]})
	}
	return list
}

// projects are those of all corpora that can be opened.
func projects(data string) (list []string) {
	entries, _ := os.ReadDir(data) // no corpus, no projects
	for _, d := range entries {
		c, err := corpus.Open(filepath.Join(data, d.Name()))
		if err != nil {
			continue
		}
		if seen, err := c.Projects(); err == nil {
			list = append(list, seen...)
		}
		c.Close()
	}
	return list
}

// claudeName is the name of Claude's folder of a project.
func claudeName(project string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '-'
	}, project)
}
