package presets

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hansard-search/hansard/corpus"
	"github.com/hansard-search/hansard/sources"
)

// Params are the parameters of an index that is built as the preset says.
func (p Preset) Params(e Env) corpus.Params {
	params := corpus.Params{
		Since:       p.Since,
		Projects:    []string{},
		MaxSessions: p.MaxSessions,
		Include:     include(p.Include, p.Lanes),
		Roots:       []corpus.Root{},
		Config:      p.config,
	}
	if params.Since == "" {
		params.Since = "all"
	}
	for _, s := range p.Projects {
		params.Projects = append(params.Projects, e.ExpandIfPath(s))
	}
	for _, r := range p.Sources {
		if r.Dir == "" {
			r = corpus.Root{Kind: r.Kind, Dir: e.Root(r.Kind), Default: true}
		}
		params.Roots = append(params.Roots, r)
	}
	if len(p.Sources) == 0 {
		params.Roots = e.Roots()
	}
	return params
}

// MissingRoot is an error for the first folder that the preset's entry in the
// config file names and that does not exist. Usual places may be missing.
func (p Preset) MissingRoot() error {
	for i, r := range p.Sources {
		if r.Dir != "" && !isDir(r.Dir) && i < len(p.at) {
			return p.at[i].err(fmt.Sprintf("no folder %s", r.Dir), "correct it, or leave root out for the usual place")
		}
	}
	return nil
}

// Choose returns the parameters to go on with: those stored with the index,
// unless the preset's entry in the config file says something else than when
// they were stored. Usual places are looked up again, and where only such were
// read an agent that was installed since is read too.
func Choose(e Env, stored, fresh corpus.Params) corpus.Params {
	if stored.Config != fresh.Config {
		return fresh
	}
	if !slices.ContainsFunc(stored.Roots, func(r corpus.Root) bool { return !r.Default }) {
		stored.Roots = fresh.Roots
		return stored
	}
	stored.Roots = slices.Clone(stored.Roots)
	for i, r := range stored.Roots {
		if r.Default {
			stored.Roots[i].Dir = e.Root(r.Kind)
		}
	}
	return stored
}

// ParseRoot reads KIND=DIR. The error is a *RootError when the kind is
// unknown or the folder does not exist.
func (e Env) ParseRoot(spec string) (corpus.Root, error) {
	kind, dir, ok := strings.Cut(spec, "=")
	switch {
	case !ok || dir == "":
		return corpus.Root{}, &RootError{spec, "not a source", "write KIND=DIR, as in claude=" + filepath.Join("~", ".claude", "projects")}
	case !slices.Contains(Kinds(), kind):
		return corpus.Root{}, &RootError{spec, fmt.Sprintf("unknown source kind %q", kind), oneOf(Kinds())}
	}
	r := corpus.Root{Kind: kind, Dir: e.Expand(dir)}
	if !isDir(r.Dir) {
		return r, &RootError{spec, "no folder " + r.Dir, "name the folder that holds the transcripts"}
	}
	return r, nil
}

// ParseInclude reads words of --include; commas may stand between them.
// "none" and "" include nothing. The error names the unknown word.
func ParseInclude(args []string) ([]string, error) {
	var asked []string
	for _, arg := range args {
		for w := range strings.SplitSeq(arg, ",") {
			if w = strings.TrimSpace(w); w == "" || w == "none" {
				continue
			}
			if !slices.Contains(switchNames(), w) {
				return nil, fmt.Errorf("unknown %q: %s, or none", w, oneOf(switchNames()))
			}
			asked = append(asked, w)
		}
	}
	return include(asked, nil), nil
}

// Corpus is the configuration of the corpus called name under the given
// parameters, kept in a folder of that name inside data.
func (e Env) Corpus(data, name string, p corpus.Params) (corpus.Config, error) {
	since, err := ParseSince(p.Since, e.Now())
	if err != nil {
		return corpus.Config{}, err
	}
	c := corpus.Config{
		Dir:      filepath.Join(data, name),
		Name:     name,
		Strategy: Strategy(p.Include),
		Bounds:   corpus.Bounds{Since: since, Projects: p.Projects, MaxSessions: p.MaxSessions},
		Now:      e.Now,
	}
	for _, s := range Switches() {
		if s.Lane != "" && slices.Contains(p.Include, s.Name) {
			c.Bounds.Lanes = append(c.Bounds.Lanes, s.Lane)
		}
	}
	for _, r := range p.Roots {
		s, err := e.open(data, r, caps(p.Include))
		if err != nil {
			return c, err
		}
		c.Sources = append(c.Sources, s)
	}
	return c, nil
}

// callBytes is what is kept of a tool's call where calls are searched: a written
// file of the usual size whole, of a long one its head and tail.
const callBytes = 16 << 10

// outputBytes is what is kept of a tool's output where outputs are included:
// enough for an error with its context, little beside the 48 % of all bytes
// that outputs are.
const outputBytes = 4096

func caps(include []string) sources.Caps {
	switch {
	case slices.Contains(include, corpus.IncludeToolOutput):
		return sources.Caps{Call: callBytes, Result: outputBytes}
	case slices.Contains(include, corpus.IncludeTools):
		return sources.Caps{Call: callBytes}
	}
	return sources.Caps{}
}
