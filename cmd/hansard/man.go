package main

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"
)

const manHelp = `
Prints the manual page, made of what --help says.

  hansard man > ~/.local/share/man/man1/hansard.1
  hansard man | man -l -
`

func (p *program) manCommand() *cli.Command {
	return &cli.Command{
		Name: "man", Usage: "print the manual page", Description: manHelp, UsageText: exits(exitFound, exitUsage),
		Action: p.man,
	}
}

func (p *program) man(c *cli.Context) error {
	if err := atMost(c, 0); err != nil {
		return err
	}
	_, err := fmt.Fprint(p.out, manual(c.App))
	return err
}

// manual is the page in the language of man(7).
func manual(app *cli.App) string {
	var b strings.Builder
	fmt.Fprintf(&b, ".TH HANSARD 1 \"\" %q \"User commands\"\n", "hansard "+app.Version)
	fmt.Fprintf(&b, ".SH NAME\nhansard \\- %s\n.SH SYNOPSIS\n.B hansard\n.I command\n[arguments] [flags]\n", roff(app.Usage))
	about, exit, _ := strings.Cut(programHelp, "\nEXIT STATUS\n")
	b.WriteString(".SH DESCRIPTION\n" + verbatim(about) + ".SH COMMANDS\n")
	for _, c := range app.VisibleCommands() {
		fmt.Fprintf(&b, ".SS \"hansard %s\"\n%s.\n", roff(strings.TrimSpace(c.Name+" "+c.ArgsUsage)), roff(c.Usage))
		if c.Description != "" {
			b.WriteString(".PP\n" + verbatim(c.Description))
		}
		for _, f := range c.VisibleFlags() {
			name, usage := manFlag(f)
			fmt.Fprintf(&b, ".TP\n\\fB%s\\fR\n%s\n", roff(name), roff(usage))
		}
	}
	b.WriteString(".SH EXIT STATUS\n" + verbatim(exit))
	b.WriteString(`.SH ENVIRONMENT
.TP
\fBHANSARD_DATA_DIR\fR, \fBXDG_DATA_HOME\fR
where indexes are kept
.TP
\fBHANSARD_CONFIG_DIR\fR, \fBXDG_CONFIG_HOME\fR
where config.jsonc is
.TP
\fBCLAUDE_CONFIG_DIR\fR, \fBPI_CODING_AGENT_DIR\fR, \fBPI_CODING_AGENT_SESSION_DIR\fR
where agents keep their transcripts, when not in the usual place
.TP
\fBCLAUDE_CODE_SESSION_ID\fR
the session that asks, which mcp and recent leave out
.TP
\fBNO_COLOR\fR
no colours
`)
	return b.String()
}

// manFlag is a flag with the placeholder of its value, and what it says.
func manFlag(f cli.Flag) (name, usage string) {
	name, usage = "--"+f.Names()[0], flagUsage(f)
	if d, ok := f.(cli.DocGenerationFlag); ok {
		if _, rest, ok := strings.Cut(d.GetUsage(), "`"); ok {
			value, _, _ := strings.Cut(rest, "`")
			name += " " + value
		}
		if v := d.GetDefaultText(); d.TakesValue() && v != "" {
			usage += " (default: " + v + ")"
		}
	}
	return name, usage
}

// roff is text on one line that means itself.
func roff(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "\n", " ").Replace(s)
	if strings.HasPrefix(s, ".") {
		s = `\&` + s
	}
	return s
}

// verbatim is text whose lines stand as they are.
func verbatim(s string) string {
	var b strings.Builder
	b.WriteString(".nf\n")
	for l := range strings.SplitSeq(strings.Trim(s, "\n"), "\n") {
		if l == "" {
			b.WriteString(".sp\n")
			continue
		}
		b.WriteString(roff(l) + "\n")
	}
	b.WriteString(".fi\n")
	return b.String()
}
