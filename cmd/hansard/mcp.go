package main

import (
	"errors"
	"fmt"
	"io"
	"net"

	"github.com/urfave/cli/v2"

	"github.com/hansard-search/hansard/corpus"
	"github.com/hansard-search/hansard/mcp"
	"github.com/hansard-search/hansard/presets"
)

const mcpHelp = `
Serves agents by the Model Context Protocol, on its standard streams: tools to
search sessions, to list them, to read one page by page. Agents start it
themselves; hansard install sets that up. Each call brings the index up to date
first, as hansard search does, unless one just did. Any number may run at once.

  claude mcp add --scope user hansard -- hansard mcp
  hansard mcp --http 127.0.0.1:7411      streamable HTTP, on this machine only

The session that asks is left out of answers, with its relatives: Claude Code
names it in CLAUDE_CODE_SESSION_ID. Over HTTP, whoever has an account on this
machine can ask.
`

func (p *program) mcpCommand() *cli.Command {
	return &cli.Command{
		Name:        "mcp",
		Usage:       "serve agents by the Model Context Protocol",
		Description: mcpHelp,
		UsageText:   exits(exitFound, exitUsage, exitFailed),
		Flags: []cli.Flag{
			presetFlag(),
			&cli.StringFlag{Name: "http", Usage: "listen on `ADDR` of the loopback interface instead of the standard streams"},
		},
		Action: p.mcp,
	}
}

func (p *program) mcp(c *cli.Context) error {
	if err := atMost(c, 0); err != nil {
		return err
	}
	shelf := &shelf{program: p, preset: c.String("preset"), drawers: map[string]*drawer{}}
	defer shelf.close()
	s := &mcp.Server{
		Library: shelf, Version: version(), Asking: p.asking(), Agents: presets.Kinds(), Now: p.Now, Expand: p.Expand,
		Explain: func(err error) string { return p.advise(err) },
	}
	if !c.IsSet("http") {
		return s.Serve(c.Context, io.NopCloser(p.in), p.out)
	}
	l, err := mcp.Listen(c.Context, c.String("http"))
	if e := (*mcp.LoopbackError)(nil); errors.As(err, &e) {
		return usage("use 127.0.0.1:PORT or [::1]:PORT", "--http: %v", err)
	}
	if e := (*net.OpError)(nil); errors.As(err, &e) {
		return &failure{exitFailed, "internal", fmt.Sprintf("--http: %v", err), "--http 127.0.0.1:0 takes a port that is free"}
	}
	if err != nil {
		return usage("as in --http 127.0.0.1:7411", "--http: %v", err)
	}
	fmt.Fprintf(p.err, "hansard: serving on http://%s/\n", l.Addr())
	return s.ServeHTTP(c.Context, l)
}

// asking are the ids of the session in which the program runs, as agents pass
// them to what they start.
func (w world) asking() []string {
	var ids []string
	for _, name := range []string{"CLAUDE_CODE_SESSION_ID", "CLAUDE_SESSION_ID", "CODEX_THREAD_ID", "HANSARD_SESSION_ID"} {
		if id := w.Getenv(name); id != "" {
			ids = append(ids, id)
		}
	}
	return ids
}

// advise is an error in words for an agent, which has tools and no shell.
func (p *program) advise(err error) string {
	f := explain(err, p.command)
	switch {
	case f.Code == "internal" || f.Code == "usage":
		return f.Message
	case f.Code == "not-found":
		return f.Message + "; search_sessions and list_sessions print ids"
	case f.Code == "locked":
		return f.Message + "; the index is being built for the first time, so try again in a moment"
	case errors.Is(err, corpus.ErrNoCorpus):
		return f.Message + "; run hansard index in a shell, or ask the user to"
	}
	return f.Error()
}
