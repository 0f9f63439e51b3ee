package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/hansard-search/hansard/corpus"
	"github.com/hansard-search/hansard/presets"
)

const maintainHelp = `
Does what is due for a corpus, and says what it did: brings it up to date as its
"refresh" in config.jsonc says (source-change, an interval such as 24h, or manual),
and writes synopses where "synopsis" names a command, within its window of hours.
Doing it twice does nothing twice. When it is done is up to you, as by cron:

  */30 * * * *  hansard maintain --all

With --all, corpora that were never built are left alone.
`

func (p *program) maintainCommand() *cli.Command {
	return &cli.Command{
		Name:        "maintain",
		Usage:       "do what is due for a corpus, or for all",
		ArgsUsage:   "[NAME]",
		Description: maintainHelp,
		UsageText:   exits(exitFound, exitUsage, exitLocked, exitDamaged, exitFailed),
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "all", DisableDefaultText: true, Usage: "every corpus that was built"},
			&cli.BoolFlag{Name: "dry-run", DisableDefaultText: true, Usage: "say what is due, do nothing"},
			jsonFlag(),
		},
		Action: p.maintain,
	}
}

func (p *program) maintain(c *cli.Context) error {
	if err := atMost(c, 1); err != nil {
		return err
	}
	if c.Bool("all") && c.NArg() > 0 {
		return usage(helpOf("maintain"), "--all and the name of one")
	}
	desks, err := p.toMaintain(c)
	if err != nil {
		return err
	}
	page := maintainPage{DryRun: c.Bool("dry-run"), Corpora: []upkeep{}}
	var failed error
	for _, d := range desks {
		u, err := d.maintain(c.Context, page.DryRun)
		if err != nil {
			u.Failed = err.Error()
			failed = errors.Join(failed, err)
		}
		page.Corpora = append(page.Corpora, u)
		if c.Context.Err() != nil {
			break
		}
	}
	if err := p.print.show(page); err != nil {
		return err
	}
	return failed
}

// toMaintain are the desks that the arguments name.
func (p *program) toMaintain(c *cli.Context) (desks []*desk, _ error) {
	if !c.Bool("all") {
		d, err := p.named(c.Args().First())
		return []*desk{d}, err
	}
	file, err := p.config()
	if err != nil {
		return nil, err
	}
	for _, preset := range file.All() {
		d, err := p.named(preset.Name)
		if err != nil {
			return nil, err
		}
		if d.built {
			desks = append(desks, d)
		}
	}
	return desks, nil
}

// upkeep is what was done for one corpus, or is due.
type upkeep struct {
	Preset   string         `json:"preset"`
	Refresh  string         `json:"refresh"` // the policy
	Due      bool           `json:"due"`
	NextIn   int64          `json:"nextInSeconds,omitempty"` // until it is due again, where an interval says so
	Report   *corpus.Report `json:"report,omitempty"`
	Synopses *synopses      `json:"synopses,omitempty"`
	Failed   string         `json:"failed,omitempty"`
}

// maintain does what is due.
func (d *desk) maintain(ctx context.Context, dry bool) (u upkeep, err error) {
	u = upkeep{Preset: d.preset.Name, Refresh: d.preset.Refresh}
	if u.Refresh == "" {
		u.Refresh = presets.OnChange
	}
	old, err := d.open()
	if err != nil && !errors.Is(err, corpus.ErrNoCorpus) {
		return u, err
	}
	if old != nil {
		defer old.Close()
	}
	var good time.Duration
	u.Due, good = d.due(old)
	u.NextIn = int64(good / time.Second)
	if u.Due && !dry {
		if err := d.checkRoots(old == nil); err != nil {
			return u, err
		}
		if u.Report, err = d.index(ctx, errand{params: d.params(old), wait: lockWait}); err != nil {
			return u, err
		}
	}
	if d.preset.Synopsis == nil {
		return u, nil
	}
	u.Synopses, err = d.synopses(ctx, dry)
	return u, err
}

// due reports whether the preset wants old, nil for none, to be brought up to date.
func (d *desk) due(old *corpus.Corpus) (bool, time.Duration) {
	var at time.Time
	if old != nil {
		at = old.IndexedAt()
	}
	due, good := d.preset.Due(at, d.Now())
	return due, max(0, good)
}

type maintainPage struct {
	DryRun  bool     `json:"dryRun"`
	Corpora []upkeep `json:"corpora"`
}

func (p maintainPage) data() any { return p }

func (p maintainPage) text(s *screen) {
	if len(p.Corpora) == 0 {
		s.put("no corpus was built yet: hansard index builds one")
	}
	for _, u := range p.Corpora {
		s.put(s.bold(line(u.Preset)), ": ", u.did(p.DryRun))
		if y := u.Synopses; y != nil {
			s.put("  ", y.did(p.DryRun))
			for _, f := range y.Failures {
				s.para(2, "no synopsis of "+line(f.Session)+": "+line(f.Error))
			}
		}
	}
}

// did is the first line about a corpus.
func (u upkeep) did(dry bool) safe {
	switch {
	case u.Failed != "":
		return "failed: " + line(u.Failed)
	case !u.Due && u.Refresh == presets.Manual:
		return "is brought up to date by hand: hansard index --preset " + line(u.Preset)
	case !u.Due:
		return safe(fmt.Sprintf("good for another %s", (time.Duration(u.NextIn) * time.Second).Round(time.Minute)))
	case dry:
		return "would be brought up to date (" + line(u.Refresh) + ")"
	case u.Report.Changes() == 0:
		return "nothing new"
	}
	return safe(fmt.Sprintf("%d added, %d changed, %d removed", u.Report.Added, u.Report.Changed, u.Report.Removed))
}

// did is the line about a corpus's synopses.
func (y *synopses) did(dry bool) safe {
	switch {
	case y.Due == 0:
		return "no synopsis is due"
	case y.Window != "" && y.Written == 0:
		return plural(y.Due, "synopsis is", "synopses are") + " due; from " + line(y.Window)
	case dry:
		return plural(y.Due, "synopsis", "synopses") + " would be written"
	}
	return plural(y.Written, "synopsis", "synopses") + " written"
}

func plural(n int, one, many safe) safe {
	if n == 1 {
		return "1 " + one
	}
	return num(n) + " " + many
}
