// Package cli is a program's commands and their flags: it parses a line whose
// flags stand before its words, runs what the line names, and prints help.
//
// It starts in no time, which a library of templates and manual pages does not.
package cli

import (
	"context"
	"flag"
	"fmt"
	"io"
	"strings"
)

// An App is a program.
type App struct {
	Name, Usage, Version string
	About                string // what help begins with
	Out                  io.Writer
	Commands             []*Command
	Wrong                func(command string, err error) error // makes errors of those in flags; command is "" outside of one
}

// A Command is one of a program's.
type Command struct {
	Name, Usage, ArgsUsage, Description string
	UsageText                           string // what help ends with
	Flags                               []Flag
	Action                              func(*Context) error
}

// A Context is one run of a command.
type Context struct {
	Context context.Context
	App     *App
	Command *Command

	flags *flag.FlagSet
}

// Command is the command of that name, nil when there is none.
func (a *App) Command(name string) *Command {
	for _, c := range a.Commands {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// Run runs the command that args name first, or help where they name none.
func (a *App) Run(ctx context.Context, args []string) error {
	if len(args) == 0 || strings.HasPrefix(args[0], "-") {
		return a.bare(ctx, args)
	}
	c := a.Command(args[0])
	if c == nil {
		return a.Wrong("", fmt.Errorf("no command %q", args[0]))
	}
	set := newSet(c.AllFlags())
	if err := set.Parse(args[1:]); err != nil {
		return a.Wrong(c.Name, err)
	}
	run := &Context{Context: ctx, App: a, Command: c, flags: set}
	if run.Bool(helpFlag.Name) {
		return c.help(a)
	}
	return c.Action(run)
}

// bare is the program without a command, or with one behind "--".
func (a *App) bare(ctx context.Context, args []string) error {
	set := newSet([]Flag{helpFlag, versionFlag})
	if err := set.Parse(args); err != nil {
		return a.Wrong("", err)
	}
	run := &Context{flags: set}
	switch {
	case run.Bool(helpFlag.Name):
		return a.help()
	case run.Bool(versionFlag.Name):
		_, err := fmt.Fprintln(a.Out, a.Name, a.Version)
		return err
	case run.NArg() > 0:
		return a.Run(ctx, run.Args())
	}
	return a.help()
}

// Args are the words behind the flags.
func (c *Context) Args() []string { return c.flags.Args() }

// Arg is one of Args, "" past their end.
func (c *Context) Arg(i int) string { return c.flags.Arg(i) }

// NArg is how many Args there are.
func (c *Context) NArg() int { return c.flags.NArg() }
