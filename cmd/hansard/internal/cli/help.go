package cli

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// help prints what there is.
func (a *App) help() error {
	return columns(a.Out, func(w io.Writer) {
		fmt.Fprintf(w, "%s\nCOMMANDS\n", a.About)
		for _, c := range a.Commands {
			fmt.Fprintf(w, "  %s\t%s\n", c.Name, c.Usage)
		}
	})
}

// help prints what a command does.
func (c *Command) help(a *App) error {
	return columns(a.Out, func(w io.Writer) {
		fmt.Fprintf(w, "%s %s", a.Name, c.Name)
		if c.ArgsUsage != "" {
			fmt.Fprintf(w, " %s", c.ArgsUsage)
		}
		fmt.Fprintf(w, " [flags]\n\n%s\n\nFLAGS\n", c.Description)
		for _, f := range c.AllFlags() {
			fmt.Fprintf(w, "  %s\n", f.row())
		}
		fmt.Fprintf(w, "\n%s\n", c.UsageText)
	})
}

// columns makes columns of what write writes between tabs.
func columns(out io.Writer, write func(w io.Writer)) error {
	w := tabwriter.NewWriter(out, 1, 8, 2, ' ', 0)
	write(w)
	return w.Flush()
}
