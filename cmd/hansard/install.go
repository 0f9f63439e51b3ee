package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/hansard-search/hansard/install"
)

const installHelp = `
Tells an agent of hansard: the MCP server, a skill that teaches when and how to
search, and hooks that recall at a session's start and index after an answer.
It edits the agent's own configuration, keeps every other byte and comment in
it, and keeps a copy.

  hansard install claude --dry-run      show what would change
  hansard install claude                ~/.claude.json, ~/.claude
  hansard install pi                    an extension and a skill in ~/.pi/agent
  hansard install codex                 config.toml, hooks and a skill in ~/.codex
  hansard install claude --uninstall    as if it had never been
`

func (p *program) installCommand() *cli.Command {
	return &cli.Command{
		Name:        "install",
		Usage:       "tell an agent of hansard, or no longer",
		ArgsUsage:   "claude | pi | codex",
		Description: installHelp,
		UsageText:   exits(exitFound, exitUsage, exitFailed),
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "dry-run", DisableDefaultText: true, Usage: "show what would change, change nothing"},
			&cli.BoolFlag{Name: "uninstall", DisableDefaultText: true, Usage: "take it out again"},
			jsonFlag(),
		},
		Action: p.install,
	}
}

func (p *program) install(c *cli.Context) error {
	if c.NArg() == 0 {
		return usage("use one of "+strings.Join(install.Agents(), ", "), "install needs the name of an agent")
	}
	if err := atMost(c, 1); err != nil {
		return err
	}
	place, err := p.place()
	if err != nil {
		return err
	}
	agent := strings.ToLower(c.Args().First())
	do := place.Install
	switch {
	case c.Bool("uninstall") && c.Bool("dry-run"):
		do = place.Undo
	case c.Bool("uninstall"):
		do = place.Uninstall
	case c.Bool("dry-run"):
		do = place.Plan
	}
	changes, err := do(agent)
	if e := (*install.FileError)(nil); errors.As(err, &e) {
		return &failure{exitUsage, "config", err.Error(), "mend the file, or write it there by hand"}
	}
	if errors.Is(err, install.ErrAgent) {
		return usage("use one of "+strings.Join(install.Agents(), ", "), "install: unknown agent %q", agent)
	}
	if err != nil {
		return err
	}
	page := installPage{Agent: agent, DryRun: c.Bool("dry-run"), Uninstall: c.Bool("uninstall"), Backups: place.State, Changes: []changeRow{}}
	for _, ch := range changes {
		page.Changes = append(page.Changes, rowOf(ch))
	}
	return p.print.show(page)
}

// place says where agents keep their configuration, and how this program is called.
func (p *program) place() (install.Place, error) {
	data, err := p.dataDir()
	if err != nil {
		return install.Place{}, err
	}
	place := install.Place{
		ClaudeDir: p.ClaudeHome(), PiDir: p.PiHome(), CodexDir: p.CodexHome(),
		ClaudeFile: filepath.Join(p.Home, ".claude.json"), State: filepath.Join(data, "install"), Command: calledAs(),
	}
	if p.Getenv("CLAUDE_CONFIG_DIR") != "" {
		place.ClaudeFile = filepath.Join(place.ClaudeDir, ".claude.json")
	}
	return place, nil
}

// calledAs is the program's name where a shell finds this very program by it,
// else its path.
func calledAs() string {
	const name = "hansard"
	self, err := os.Executable()
	if err != nil {
		return name
	}
	if found, err := exec.LookPath(name); err == nil && sameFile(found, self) {
		return name
	}
	return self
}

func sameFile(a, b string) bool {
	x, errX := os.Stat(a)
	y, errY := os.Stat(b)
	return errX == nil && errY == nil && os.SameFile(x, y)
}

type installPage struct {
	Agent     string      `json:"agent"`
	DryRun    bool        `json:"dryRun"`
	Uninstall bool        `json:"uninstall"`
	Backups   string      `json:"backups"`
	Changes   []changeRow `json:"changes"`
}

type changeRow struct {
	Path   string   `json:"path"`
	About  string   `json:"about"`
	Action string   `json:"action"` // create, change or remove
	Diff   []string `json:"diff"`   // lines taken out (-) and put in (+)
}

func rowOf(c install.Change) changeRow {
	r := changeRow{Path: c.Path, About: c.About, Action: "change", Diff: diff(c.Before, c.After)}
	switch {
	case c.Before == nil:
		r.Action = "create"
	case c.After == nil:
		r.Action = "remove"
	}
	return r
}

// diff lists the lines between the first and the last that differ.
func diff(before, after []byte) []string {
	a, b := lineList(before), lineList(after)
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	out := []string{}
	for _, l := range a {
		out = append(out, "- "+l)
	}
	for _, l := range b {
		out = append(out, "+ "+l)
	}
	return out
}

func lineList(text []byte) []string {
	if len(text) == 0 {
		return nil
	}
	return strings.Split(string(bytes.TrimSuffix(text, []byte("\n"))), "\n")
}

func (p installPage) data() any { return p }

// How many lines of a change are shown, and of a file of our own: a skill is long.
const (
	changeLines = 60
	createLines = 24
)

func (p installPage) text(s *screen) {
	if len(p.Changes) == 0 {
		s.put("nothing to do for ", line(p.Agent))
		return
	}
	for _, c := range p.Changes {
		action := c.Action
		if !p.DryRun {
			action = strings.TrimSuffix(action, "e") + "ed"
		}
		s.put(s.bold(line(action)), "  ", line(c.Path), s.dim("  "+line(c.About)))
		if !p.DryRun || c.Action == "remove" {
			continue
		}
		most := changeLines
		if c.Action == "create" {
			most = createLines
		}
		for i, l := range c.Diff {
			if i == most {
				s.put("    and ", count(len(c.Diff)-i, "more line"))
				break
			}
			s.put("    ", clean(strings.TrimRight(l, "\r")))
		}
	}
	switch {
	case p.DryRun:
		s.put("nothing was changed: that was a look")
	case p.Uninstall:
		s.put(line(p.Agent), " is as it was")
	default:
		s.put("copies are in ", line(p.Backups), "; take it out again: hansard install ", line(p.Agent), " --uninstall")
	}
}
