package main

import (
	"github.com/urfave/cli/v2"
)

const exportHelp = `
Prints every turn that passes the filters, whole, oldest first: with --json one
object a line.

  hansard export --project api --json > api.jsonl
`

func (p *program) exportCommand() *cli.Command {
	flags := append([]cli.Flag{presetFlag()}, filterFlags()...)
	return &cli.Command{
		Name:        "export",
		Usage:       "print every turn, whole, oldest first",
		Description: exportHelp,
		UsageText:   exits(exitFound, exitNothing, exitUsage, exitNone, exitDamaged, exitFailed),
		Flags:       append(flags, jsonFlag()),
		Action:      p.export,
	}
}

func (p *program) export(c *cli.Context) error {
	if err := atMost(c, 0); err != nil {
		return err
	}
	filter, err := p.filter(c)
	if err != nil {
		return err
	}
	r, err := p.reading(c)
	if err != nil {
		return err
	}
	defer r.close()
	n := 0
	for turn, err := range r.corpus.Export(c.Context, filter) {
		if err != nil {
			return err
		}
		if err := p.print.show(turnPage{turn, false}); err != nil {
			return err
		}
		n++
	}
	if n == 0 {
		return &failure{exitNothing, "not-found", "no turn passes", "without filters: hansard export; with older ones: hansard index --since all"}
	}
	return nil
}
