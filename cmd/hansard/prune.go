package main

import (
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/hansard-search/hansard/corpus"
)

const pruneHelp = `
Removes sessions from the index and their texts from the disk: those that all
of the given flags apply to. Without --confirm it only says which. Transcripts
are not touched, and what is still in one comes back with hansard index --full;
hansard forget keeps it away.

  hansard prune --older-than 1y               sessions nobody went on with for a year
  hansard prune --lane subagent --project api
  hansard prune --max-size 500MB              the oldest ones, until that is left
`

func (p *program) pruneCommand() *cli.Command {
	return &cli.Command{
		Name:        "prune",
		Usage:       "remove old sessions from the index",
		Description: pruneHelp,
		UsageText:   exits(exitFound, exitNothing, exitUsage, exitLocked, exitNone, exitDamaged, exitFailed),
		Flags: []cli.Flag{
			presetFlag(),
			&cli.StringFlag{Name: "older-than", Usage: "sessions whose newest turn is older than `D`: 90d, 2026-01-01"},
			projectFlag(),
			&cli.StringSliceFlag{Name: "session", Usage: "session `ID` (repeat: any)"},
			&cli.StringFlag{Name: "lane", Usage: "sessions of lane `L`: main, subagent, headless or cron"},
			&cli.StringFlag{Name: "max-size", Usage: "the oldest sessions, until the index takes `SIZE`: 500MB, 2GB"},
			&cli.BoolFlag{Name: "confirm", DisableDefaultText: true, Usage: "do it"},
			jsonFlag(),
		},
		Action: p.prune,
	}
}

func (p *program) prune(c *cli.Context) error {
	if err := atMost(c, 0); err != nil {
		return err
	}
	what, err := p.pruning(c)
	if err != nil {
		return err
	}
	d, err := p.desk(c)
	if err != nil {
		return err
	}
	return d.removing(c, func(ix *corpus.Indexer) (*corpus.Removal, error) { return ix.Prune(c.Context, what) })
}

// removing opens the index for writing, and shows what was removed from it.
func (d *desk) removing(c *cli.Context, do func(*corpus.Indexer) (*corpus.Removal, error)) error {
	// One that is not there must not be made.
	co, err := d.open()
	if err != nil {
		return err
	}
	co.Close()
	ix, err := corpus.OpenIndexer(c.Context, d.writer())
	if err != nil {
		return err
	}
	defer ix.Close()
	done, err := do(ix)
	if err != nil {
		return err
	}
	if err := d.print.show(removalPage{done}); err != nil {
		return err
	}
	if len(done.Sessions) == 0 {
		return errNothing
	}
	return nil
}

// writer is a config for work on the index that reads no transcript.
func (d *desk) writer() corpus.Config {
	return corpus.Config{Dir: d.dir(), Name: d.preset.Name, Holder: d.command, Wait: lockWait, Now: d.Now}
}

func (p *program) pruning(c *cli.Context) (what corpus.Pruning, err error) {
	what = corpus.Pruning{Sessions: c.StringSlice("session"), Projects: p.projects(c), DryRun: !c.Bool("confirm")}
	if what.Before, err = p.date(c, "older-than", false); err != nil {
		return what, err
	}
	if what.Lane, err = choice(c, "lane", corpus.Lanes()...); err != nil {
		return what, err
	}
	if s := c.String("max-size"); s != "" {
		if what.MaxBytes, err = bytesOf(s); err != nil {
			return what, err
		}
	}
	if what.Before.IsZero() && len(what.Projects)+len(what.Sessions) == 0 && what.Lane == "" && what.MaxBytes == 0 {
		return what, usage("as in: hansard prune --older-than 1y", "nothing says what to prune")
	}
	return what, nil
}

// bytesOf reads a size as people write it.
func bytesOf(s string) (int64, error) {
	t := strings.TrimSuffix(strings.ToUpper(strings.TrimSpace(s)), "B")
	unit := int64(1)
	for i, letter := range []string{"K", "M", "G", "T"} {
		if rest, ok := strings.CutSuffix(t, letter); ok {
			t = rest
			for range i + 1 {
				unit *= 1000
			}
			break
		}
	}
	n, err := strconv.ParseFloat(strings.TrimSpace(t), 64)
	if err != nil || !(n*float64(unit) >= 1 && n*float64(unit) <= 1<<60) { // it may be no number at all: NaN
		return 0, usage("write 500MB or 2GB", "--max-size: cannot read %q", s)
	}
	return int64(n * float64(unit)), nil
}

type removalPage struct{ *corpus.Removal }

func (p removalPage) data() any { return p.Removal }

func (p removalPage) text(s *screen) {
	for i := range p.Sessions {
		r := &p.Sessions[i]
		s.put(line(r.SessionID), "  ", s.dim(list(" · ", short(r.Project), s.date(r.Newest.Time), count(r.Turns, "turn"))))
	}
	what := list(", ", count(len(p.Sessions), "session"), count(p.Turns, "turn"), size(p.Bytes))
	switch {
	case len(p.Sessions) == 0:
		s.put("nothing to remove")
	case p.DryRun:
		s.put("would remove ", what, "; with --confirm it is done")
	default:
		s.put("removed ", what)
	}
}
