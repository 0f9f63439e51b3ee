package main

import (
	"github.com/urfave/cli/v2"

	"github.com/hansard-search/hansard/corpus"
)

const repairHelp = `
Makes a damaged index whole again: keeps everything in it that can still be
read, and reads the transcripts for the rest. An index that is sound is left
alone. What was damaged and has no transcript any more is lost; a backup
(hansard backup, hansard restore) brings it back.
`

func (p *program) repairCommand() *cli.Command {
	return &cli.Command{
		Name:        "repair",
		Usage:       "make a damaged index whole again",
		Description: repairHelp,
		UsageText:   exits(exitFound, exitUsage, exitLocked, exitNone, exitDamaged, exitFailed),
		Flags:       []cli.Flag{presetFlag(), jsonFlag()},
		Action:      p.repair,
	}
}

func (p *program) repair(c *cli.Context) error {
	if err := atMost(c, 0); err != nil {
		return err
	}
	d, err := p.desk(c)
	if err != nil {
		return err
	}
	done, err := corpus.Repair(c.Context, d.writer())
	if err != nil {
		return err
	}
	page := repairPage{Repaired: done}
	if !done.OK {
		if page.Indexed, err = d.again(c, done.Default); err != nil {
			return err
		}
	}
	return p.print.show(page)
}

// again reads the transcripts, under the parameters of the index where they
// are still known.
func (d *desk) again(c *cli.Context, fresh bool) (*corpus.Report, error) {
	old, err := d.open()
	if err != nil {
		return nil, err
	}
	defer old.Close()
	from := old
	if fresh {
		from = nil
	}
	return d.index(c.Context, errand{params: d.params(from), wait: lockWait})
}

type repairPage struct {
	*corpus.Repaired
	Indexed *corpus.Report `json:"indexed,omitempty"` // the run behind it
}

func (p repairPage) data() any { return p }

func (p repairPage) text(s *screen) {
	if p.OK {
		s.put("nothing is damaged: ", count(p.Turns, "turn"))
		return
	}
	for _, b := range p.Problems {
		s.put(line(b.File), ": ", line(b.Kind), ": ", line(b.Detail))
	}
	if p.Rebuilt {
		s.put("the manifest was made anew from the shards")
	}
	if p.Default {
		s.put("what was asked for by flags of hansard index is not known any more: the preset's parameters count")
	}
	if p.Saved > 0 {
		s.put(count(p.Saved, "turn"), " saved out of damaged files")
	}
	if p.Lost > 0 {
		s.put(count(p.Lost, "turn"), " could not be read any more; the transcripts had ", num(p.Indexed.Added))
	}
	s.put("repaired: ", count(p.Indexed.Turns, "turn"), " of ", count(p.Indexed.Sessions, "session"))
}
