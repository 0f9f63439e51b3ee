package main

import (
	"github.com/urfave/cli/v2"

	"github.com/hansard-search/hansard/corpus"
)

const forgetHelp = `
Removes sessions for good, and their sub-agents with them: no file of the index
holds what they said when this is done, and no later run brings them back.

  hansard forget ID...            sessions, by their ids or 8 characters of them
  hansard forget --project api    all sessions of a project, later ones too

A turn that was copied into another session, as resuming does, stays in that
one. Transcripts are not touched: delete those yourself. Other presets keep
indexes of their own (--preset), and so do backups that were made before.
`

func (p *program) forgetCommand() *cli.Command {
	return &cli.Command{
		Name:        "forget",
		Usage:       "remove sessions for good",
		ArgsUsage:   "SESSION...",
		Description: forgetHelp,
		UsageText:   exits(exitFound, exitNothing, exitUsage, exitLocked, exitNone, exitDamaged, exitFailed),
		Flags:       []cli.Flag{presetFlag(), projectFlag(), jsonFlag()},
		Action:      p.forget,
	}
}

func (p *program) forget(c *cli.Context) error {
	what := corpus.Forgetting{Sessions: c.Args().Slice(), Projects: p.projects(c)}
	if len(what.Sessions)+len(what.Projects) == 0 {
		return usage("as in: hansard forget ID; hansard sessions prints ids", "nothing says what to forget")
	}
	d, err := p.desk(c)
	if err != nil {
		return err
	}
	return d.removing(c, func(ix *corpus.Indexer) (*corpus.Removal, error) { return ix.Forget(c.Context, what) })
}
