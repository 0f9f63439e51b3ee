package main

import (
	"path/filepath"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/hansard-search/hansard/corpus"
	"github.com/hansard-search/hansard/presets"
	"github.com/hansard-search/hansard/surfaces"
)

const presetsHelp = `
Lists the corpora there are: those that are built in, and your own, which are
written in config.jsonc (JSON with comments) as in

  {"presets": {"work": {
    "about": "work only, with what the tools did",
    "sources": [{"kind": "claude", "root": "~/work/.claude/projects"}, "pi"],
    "include": ["full", "tools"], "lanes": ["headless"],
    "since": "30d", "projects": ["api", "web"], "max_sessions": 500,
    "refresh": "24h",
    "synopsis": {"command": ["llm", "-s", "Sum this up"], "recent": "30d",
                 "window": "02:00-06:00", "timeout": "60s"}}}}

Sources are claude, pi, codex, history (what Claude's history of prompts tells
of sessions whose transcripts are gone) and notes. "refresh" is source-change,
manual, or how long an index is good. Every key may be left out. Each corpus has
an index of its own, which hansard search --preset work builds and keeps.
"default": "work" beside "presets" makes it the one that is meant without --preset.
`

func (p *program) presetsCommand() *cli.Command {
	return &cli.Command{
		Name:        "presets",
		Usage:       "list the corpora there are",
		Description: presetsHelp,
		UsageText:   exits(exitFound, exitUsage, exitFailed),
		Flags:       []cli.Flag{jsonFlag()},
		Action:      p.presets,
	}
}

func (p *program) presets(c *cli.Context) error {
	if err := atMost(c, 0); err != nil {
		return err
	}
	file, err := p.config()
	if err != nil {
		return err
	}
	data, err := p.dataDir()
	if err != nil {
		return err
	}
	page := presetsPage{Presets: []presetRow{}, file: file.Path}
	for _, preset := range file.All() {
		params := preset.Params(p.Env)
		row := presetRow{
			Name: preset.Name, About: preset.About, Since: params.Since, Built: corpus.Built(filepath.Join(data, preset.Name)),
			Sources: []string{}, Strategy: presets.Strategy(params.Include).Name(), Surfaces: presets.Surfaces(params.Include),
			Projects: params.Projects, MaxSessions: params.MaxSessions, Include: params.Include,
			Default: preset.Name == file.Default,
		}
		for _, r := range params.Roots {
			if !slices.Contains(row.Sources, r.Kind) {
				row.Sources = append(row.Sources, r.Kind)
			}
		}
		page.Presets = append(page.Presets, row)
	}
	return p.print.show(page)
}

type presetsPage struct {
	Presets []presetRow `json:"presets"`
	file    string
}

type presetRow struct {
	Name        string          `json:"name"`
	About       string          `json:"about"`
	Sources     []string        `json:"sources"`
	Strategy    string          `json:"strategy"`
	Surfaces    []surfaces.Name `json:"surfaces"`
	Since       string          `json:"since"`
	Projects    []string        `json:"projects"`
	MaxSessions int             `json:"maxSessions,omitempty"`
	Include     []string        `json:"include"`
	Default     bool            `json:"default"`
	Built       bool            `json:"built"`
}

func (p presetsPage) data() any { return p }

func (p presetsPage) text(s *screen) {
	for _, r := range p.Presets {
		name := s.bold(line(r.Name))
		if r.Default {
			name += s.dim(" (default)")
		}
		if !r.Built {
			name += s.dim(" (not built yet)")
		}
		s.put(name)
		s.para(2, line(r.About))
		parts := []safe{"since " + line(r.Since), list(", ", lines(r.Sources)...), list(", ", lines(r.Surfaces)...)}
		if len(r.Projects) > 0 {
			parts = append(parts, "projects "+list(", ", lines(r.Projects)...))
		}
		s.para(2, s.dim(list(" · ", parts...)))
	}
	s.put()
	s.put(s.dim("your own: " + line(p.file) + " (hansard presets --help)"))
}
