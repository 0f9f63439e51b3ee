package main

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/hansard-search/hansard/corpus"
)

const programHelp = `hansard finds what you asked your coding agents, and what they answered.

It reads the transcripts that Claude Code, pi and Codex leave on this machine,
keeps an index of them in your home folder, and never sends anything anywhere.

  hansard search "why did the deploy fail"    the first search builds the index
  hansard show ID                             read on from what was found
  hansard sessions --project api              what there is, newest first
  hansard status                              what is indexed, and where

Each command explains itself: hansard COMMAND --help. Each takes --json.

EXIT STATUS
  0 found or done   1 nothing found   2 wrong usage or config   3 another process
  holds the lock   4 no index yet   5 damaged index   6 something else failed
`

// A program is one run: the world, and the printer that --json decides.
type program struct {
	world
	print   printer
	command string // the one that runs, as people typed it
}

// run is the program: args without its own name in, the exit code out.
func run(ctx context.Context, w world, args []string) int {
	p := &program{world: w}
	app := p.appFor(args)
	c, err := arrange(app, args)
	if err == nil && c.command == "help" {
		c, err = helpCall(app, c)
	}
	if c.command == "" && (slices.Contains(c.flags, "--help") || slices.Contains(c.flags, "--h")) {
		c.flags = nil // the page that no command at all shows
	}
	p.command = strings.TrimSpace("hansard " + c.command)
	p.print = p.printer(wantsJSON(args))
	if err == nil {
		c.trim(app)
		err = app.RunContext(ctx, c.argv())
	}
	switch {
	case err == nil:
		return exitFound
	case err == errNothing:
		return exitNothing
	}
	if status := errStatus(0); errors.As(err, &status) {
		return int(status)
	}
	f := explain(err, p.command)
	p.print.fail(f)
	return f.exit
}

// helpCall makes "hansard search --help" of "hansard help search".
func helpCall(app *cli.App, c call) (call, error) {
	h := call{flags: []string{"--help"}}
	if len(c.words) == 0 {
		return h, nil
	}
	if h.command = c.words[0]; app.Command(h.command) == nil {
		return h, unknownCommand(app, h.command)
	}
	return h, nil
}

// wantsJSON looks for --json, and for what implies it, before any parsing, since its
// errors are printed too.
func wantsJSON(args []string) bool {
	if i := slices.Index(args, "--"); i >= 0 {
		args = args[:i]
	}
	return slices.ContainsFunc(args, func(a string) bool {
		return a == "--json" || a == "--json=true" || a == "--jsonl" || strings.HasPrefix(a, "--fields")
	})
}

func (p *program) printer(json bool) printer {
	if json {
		return jsonPrinter{p.out, p.err}
	}
	width := p.outWidth
	if width == 0 {
		width = pipeWidth
	}
	return &textPrinter{p.out, p.err, screen{width: min(width, maxWidth), color: p.color(p.outWidth), now: p.Now()}}
}

const (
	pipeWidth = 100 // where nobody says how wide the other end is
	maxWidth  = 120 // longer lines are hard to read
)

// A maker makes the command of a name.
type maker struct {
	name string
	make func() *cli.Command
}

// makers are of all commands, in the order of the help.
func (p *program) makers() []maker {
	return []maker{
		{"search", func() *cli.Command { return p.listing(p.searchCommand(), "results", reflect.TypeFor[corpus.Hit]()) }},
		{"show", p.showCommand},
		{"sessions", func() *cli.Command {
			return p.listing(p.sessionsCommand(), "sessions", reflect.TypeFor[corpus.SessionRecord]())
		}},
		{"export", func() *cli.Command { return p.listing(p.exportCommand(), "", reflect.TypeFor[corpus.TurnRecord]()) }},
		{"index", p.indexCommand}, {"status", p.statusCommand}, {"check", p.checkCommand}, {"presets", p.presetsCommand},
		{"eval", p.evalCommand}, {"maintain", p.maintainCommand}, {"recent", p.recentCommand}, {"resume", p.resumeCommand},
		{"watch", p.watchCommand}, {"mcp", p.mcpCommand}, {"install", p.installCommand}, {"prune", p.pruneCommand},
		{"forget", p.forgetCommand}, {"repair", p.repairCommand}, {"backup", p.backupCommand}, {"restore", p.restoreCommand},
		{"completion", p.completionCommand}, {"man", p.manCommand}, {"help", helpCommand},
	}
}

// app knows all commands.
func (p *program) app() *cli.App {
	app := p.appOf(p.makers())
	app.Version = version()
	return app
}

// appFor knows no more than what a command line needs: mostly the command that it
// begins with. Making all of them takes longer than many a search.
func (p *program) appFor(args []string) *cli.App {
	if len(args) == 0 || slices.Contains([]string{"completion", "man", "help"}, args[0]) { // these tell of the others
		return p.app()
	}
	all := p.makers()
	i := slices.IndexFunc(all, func(m maker) bool { return m.name == args[0] })
	if i < 0 {
		return p.app()
	}
	return p.appOf(all[i : i+1])
}

func (p *program) appOf(list []maker) *cli.App {
	app := &cli.App{
		Name:                      "hansard",
		Usage:                     "find what was asked and answered",
		CustomAppHelpTemplate:     programHelp + appHelpTemplate,
		Writer:                    p.out,
		ErrWriter:                 p.err,
		HideHelpCommand:           true,
		Flags:                     []cli.Flag{cli.HelpFlag}, // the parser adds it only where no command is called help
		DisableSliceFlagSeparator: true,                     // a path may hold a comma
		ExitErrHandler:            func(*cli.Context, error) {},
		OnUsageError:              onUsageError,
		Action:                    func(c *cli.Context) error { return cli.ShowAppHelp(c) },
	}
	for _, m := range list {
		c := m.make()
		c.HideHelpCommand = true
		c.OnUsageError = onUsageError
		c.CustomHelpTemplate = commandHelpTemplate
		c.Description = strings.TrimSpace(c.Description)
		app.Commands = append(app.Commands, c)
	}
	cli.VersionPrinter = func(c *cli.Context) { fmt.Fprintln(c.App.Writer, "hansard", c.App.Version) }
	return app
}

func helpCommand() *cli.Command {
	return &cli.Command{Name: "help", Usage: "explain a command", ArgsUsage: "[COMMAND]", Action: func(*cli.Context) error { return nil }}
}

const appHelpTemplate = `
COMMANDS{{range .VisibleCommands}}
  {{join .Names ", "}}{{"\t"}}{{.Usage}}{{end}}
`

const commandHelpTemplate = `hansard {{.Name}}{{if .ArgsUsage}} {{.ArgsUsage}}{{end}}{{if .VisibleFlags}} [flags]{{end}}

{{.Description}}
{{if .VisibleFlags}}
FLAGS{{range .VisibleFlags}}
  {{.}}{{end}}
{{end}}
{{.UsageText}}
`

func onUsageError(c *cli.Context, err error, _ bool) error {
	return usage(helpOf(c.Command.Name), "%v", err)
}

// version is what the build recorded: a tag, or the commit.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(unknown)"
	}
	return info.Main.Version
}

// exits is the end of a command's help: the codes it can end with.
func exits(codes ...int) string {
	meaning := map[int]string{
		exitFound: "done, or found", exitNothing: "nothing found", exitUsage: "wrong usage or config",
		exitLocked: "another process holds the lock", exitNone: "no index yet",
		exitDamaged: "damaged index", exitFailed: "something else failed",
	}
	text := "EXIT STATUS"
	for _, c := range codes {
		text += fmt.Sprintf("\n  %d  %s", c, meaning[c])
	}
	return text
}
