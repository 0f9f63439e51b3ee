package main

import (
	"errors"
	"io/fs"
	"os"

	"github.com/urfave/cli/v2"

	"github.com/hansard-search/hansard/corpus"
)

const backupHelp = `
Writes the index as it is now to a folder that is not there yet, or to an
archive when the name ends in .tar, .tar.gz or .tgz. Every byte is verified on
the way. Searching and indexing go on meanwhile.
`

const restoreHelp = `
Puts a backup in the place of the index. It is verified before anything is
replaced. What was forgotten since stays forgotten. Where there is an index
already, --confirm is needed: what it holds and the backup does not is gone
then, unless a transcript has it.
`

func (p *program) backupCommand() *cli.Command {
	return &cli.Command{
		Name:        "backup",
		Usage:       "write the index to a folder or an archive",
		ArgsUsage:   "DIR | FILE.tar.gz",
		Description: backupHelp,
		UsageText:   exits(exitFound, exitUsage, exitNone, exitDamaged, exitFailed),
		Flags:       []cli.Flag{presetFlag(), jsonFlag()},
		Action:      p.backup,
	}
}

func (p *program) restoreCommand() *cli.Command {
	return &cli.Command{
		Name:        "restore",
		Usage:       "put a backup in the place of the index",
		ArgsUsage:   "DIR | FILE.tar.gz",
		Description: restoreHelp,
		UsageText:   exits(exitFound, exitUsage, exitLocked, exitDamaged, exitFailed),
		Flags: []cli.Flag{
			presetFlag(),
			&cli.BoolFlag{Name: "confirm", DisableDefaultText: true, Usage: "replace the index that there is"},
			jsonFlag(),
		},
		Action: p.restore,
	}
}

func (p *program) backup(c *cli.Context) error {
	to, err := p.onePath(c)
	if err != nil {
		return err
	}
	co, err := p.open(c)
	if err != nil {
		return err
	}
	defer co.Close()
	done, err := co.Backup(c.Context, to)
	if errors.Is(err, fs.ErrExist) {
		return &failure{exitFailed, "internal", to + " is there already", "a backup replaces nothing: name what is not there yet"}
	}
	if err != nil {
		return err
	}
	return p.print.show(backupPage{done, "backed up"})
}

func (p *program) restore(c *cli.Context) error {
	from, err := p.onePath(c)
	if err != nil {
		return err
	}
	if absent(from) {
		return &failure{exitFailed, "internal", "nothing is at " + from, "name a folder or an archive that hansard backup wrote"}
	}
	d, err := p.desk(c)
	if err != nil {
		return err
	}
	if d.built && !c.Bool("confirm") {
		return usage("add --confirm", "there is an index already, which the backup would replace")
	}
	done, err := corpus.Restore(c.Context, d.writer(), from)
	if err != nil {
		return err
	}
	return p.print.show(backupPage{done, "restored"})
}

func absent(path string) bool {
	_, err := os.Stat(path)
	return errors.Is(err, fs.ErrNotExist)
}

// onePath is the only argument, a path.
func (p *program) onePath(c *cli.Context) (string, error) {
	if c.NArg() == 0 {
		return "", usage(helpOf(c.Command.Name), "%s needs the name of a folder or an archive", c.Command.Name)
	}
	return p.Expand(c.Args().First()), atMost(c, 1)
}

type backupPage struct {
	*corpus.BackedUp
	done safe
}

func (p backupPage) data() any { return p.BackedUp }

func (p backupPage) text(s *screen) {
	s.put(p.done, " ", count(p.Turns, "turn"), " of ", count(p.Sessions, "session"), ", ", size(p.Bytes), ": ", line(p.Path))
}
