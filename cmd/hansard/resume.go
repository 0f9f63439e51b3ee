package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/hansard-search/hansard/corpus"
	"github.com/hansard-search/hansard/install"
)

const resumeHelp = `
Prints the command line that continues a session in its own agent and folder.
The id is that of the session or of one of its turns; 8 characters of it do.

  hansard resume 0fe553fc
  hansard resume 0fe553fc --exec
`

func (p *program) resumeCommand() *cli.Command {
	return &cli.Command{
		Name:        "resume",
		Usage:       "continue a session in its own agent",
		ArgsUsage:   "SESSION | TURN",
		Description: resumeHelp,
		UsageText:   exits(exitFound, exitNothing, exitUsage, exitNone, exitDamaged, exitFailed),
		Flags: []cli.Flag{
			presetFlag(),
			&cli.BoolFlag{Name: "exec", DisableDefaultText: true, Usage: "run it"},
			jsonFlag(),
		},
		Action: p.resume,
	}
}

func (p *program) resume(c *cli.Context) error {
	if c.NArg() == 0 {
		return usage("hansard search and hansard sessions print ids", "resume needs the id of a session")
	}
	if err := atMost(c, 1); err != nil {
		return err
	}
	r, err := p.reading(c)
	if err != nil {
		return err
	}
	defer r.close()
	rec, err := sessionOf(c.Context, r.corpus, strings.TrimSpace(c.Args().First()))
	if err != nil {
		return err
	}
	page, err := continuation(rec)
	if err != nil {
		return err
	}
	if !c.Bool("exec") {
		return p.print.show(page)
	}
	cmd := exec.CommandContext(c.Context, page.Argv[0], page.Argv[1:]...)
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = page.Dir, p.in, p.out, p.err
	err = cmd.Run()
	if errors.Is(err, exec.ErrNotFound) || errors.Is(err, fs.ErrNotExist) {
		return &failure{exitFailed, "internal", fmt.Sprintf("cannot run %s in %s: %v", page.Argv[0], page.Dir, err), "by hand, where both are: " + page.Command}
	}
	return statusOf(err)
}

// sessionOf finds the session of an id, be it its own or a turn's.
func sessionOf(ctx context.Context, c *corpus.Corpus, id string) (*corpus.SessionRecord, error) {
	id, _, err := c.Resolve(ctx, id)
	if err != nil {
		return nil, err
	}
	s, err := c.Session(ctx, id, 0, 1)
	if err != nil {
		return nil, err
	}
	return &s.Session, nil
}

// A resumePage is a command line that continues a session.
type resumePage struct {
	SessionID string   `json:"sessionId"`
	Source    string   `json:"source"`
	Dir       string   `json:"dir"`
	Argv      []string `json:"argv"`
	Command   string   `json:"command"` // the same for a shell
}

// continuation knows how each agent is told to go on. They look for a session
// in the folder where it began.
func continuation(r *corpus.SessionRecord) (*resumePage, error) {
	p := &resumePage{SessionID: r.SessionID, Source: r.Source, Dir: r.Project}
	switch r.Source {
	case "claude":
		p.Argv = []string{"claude", "--resume", r.SessionID}
	case "pi":
		p.Argv = []string{"pi", "--session", r.Path}
	case "codex":
		p.Argv = []string{"codex", "resume", r.SessionID}
	}
	switch {
	case p.Argv == nil:
		return nil, &failure{exitNothing, "not-found", "sessions of " + r.Source + " cannot be continued", "hansard show " + install.ShellWord(r.SessionID)}
	case r.Missing:
		return nil, &failure{exitNothing, "not-found", "the transcript " + r.Path + " is gone, so its agent cannot go on with it", "hansard show " + install.ShellWord(r.SessionID)}
	case r.Lane == "subagent":
		return nil, &failure{exitNothing, "not-found", "an agent's helper cannot be talked to", "hansard show " + install.ShellWord(r.SessionID)}
	}
	var words []string
	for _, a := range p.Argv {
		words = append(words, install.ShellWord(a))
	}
	p.Command = strings.Join(words, " ")
	if p.Dir != "" {
		p.Command = "cd " + install.ShellWord(p.Dir) + " && " + p.Command
	}
	return p, nil
}

func (p *resumePage) data() any { return p }

func (p *resumePage) text(s *screen) { s.put(line(p.Command)) }

// errStatus ends the program with the exit code of one that it ran.
type errStatus int

func (e errStatus) Error() string { return fmt.Sprintf("exit status %d", int(e)) }

// statusOf is the exit code of a program that was run, 0 where it ended well.
func statusOf(err error) error {
	if e := (interface{ ExitCode() int })(nil); errors.As(err, &e) {
		return errStatus(max(e.ExitCode(), exitNothing))
	}
	return err
}
