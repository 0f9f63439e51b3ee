package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/hansard-search/hansard/corpus"
	"github.com/hansard-search/hansard/watch"
)

const watchHelp = `
Indexes as transcripts grow, until it is stopped, and prints a JSON object for
each transcript that changed. Nothing needs it: searching brings the index up to
date by itself. It is for programs that want to know what is going on.

  hansard watch | jq -r .path
  hansard watch --interval 30s      where the system does not report changes

The lock is held for each run, not for life; searching and indexing go on beside it.
`

// pollUsually is how often folders are looked through on systems where a report
// on a folder takes an open file for everything in it.
const pollUsually = 5 * time.Second

func (p *program) watchCommand() *cli.Command {
	return &cli.Command{
		Name:        "watch",
		Usage:       "index as transcripts grow",
		Description: watchHelp,
		UsageText:   exits(exitFound, exitUsage, exitFailed),
		Flags: []cli.Flag{
			presetFlag(),
			&cli.DurationFlag{Name: "interval", DefaultText: "as the system reports", Usage: "look through everything each `T` (30s, 5m) instead"},
		},
		Action: p.watch,
	}
}

func (p *program) watch(c *cli.Context) error {
	if err := atMost(c, 0); err != nil {
		return err
	}
	interval := c.Duration("interval")
	if c.IsSet("interval") && interval < time.Second {
		return usage("1s is the least", "--interval is too short")
	}
	if !c.IsSet("interval") && runtime.GOOS != "linux" {
		interval = pollUsually
	}
	d, err := p.desk(c)
	if err != nil {
		return err
	}
	if err := d.checkRoots(true); err != nil {
		return err
	}
	params, err := d.current()
	if err != nil {
		return err
	}
	cfg, err := d.Corpus(d.data, d.preset.Name, params)
	if err != nil {
		return err
	}
	w := &watch.Watcher{
		Sources: cfg.Sources, Interval: interval, Now: time.Now,
		Log: func(m string) { p.print.warn(m) },
		Run: func(ctx context.Context, changed []watch.Change) error { return d.follow(ctx, changed) },
	}
	for _, r := range params.Roots {
		w.Roots = append(w.Roots, r.Dir)
	}
	p.print.warn(fmt.Sprintf("watching %s", count(len(w.Roots), "folder")))
	return w.Watch(c.Context)
}

// current are the parameters of the index as it is now, or of a new one.
func (d *desk) current() (corpus.Params, error) {
	old, err := d.open()
	if errors.Is(err, corpus.ErrNoCorpus) {
		return d.params(nil), nil
	}
	if err != nil {
		return corpus.Params{}, err
	}
	defer old.Close()
	return d.params(old), nil
}

// A watchEvent is a transcript that changed, and what indexing it did: the
// counts are of the whole run, which several transcripts may share.
type watchEvent struct {
	Event     string      `json:"event"` // new, grown or gone
	Path      string      `json:"path"`
	Time      corpus.Time `json:"time"`
	Added     int         `json:"added"`
	Changed   int         `json:"changed"`
	Removed   int         `json:"removed"`
	ElapsedMs int64       `json:"elapsedMs"`
}

func (d *desk) follow(ctx context.Context, changed []watch.Change) error {
	params, err := d.current()
	if err != nil {
		return err
	}
	report, err := d.index(ctx, errand{params: params, wait: lockWait})
	if err != nil {
		return err
	}
	out := jsonPrinter{d.out, d.err} // events are for programs, whoever reads them
	for _, ch := range changed {
		e := watchEvent{ch.Kind, ch.Path, corpus.Time{Time: d.Now()}, report.Added, report.Changed, report.Removed, report.ElapsedMs}
		if err := out.show(eventPage{e}); err != nil {
			return err
		}
	}
	return nil
}

type eventPage struct{ event watchEvent }

func (p eventPage) data() any { return p.event }

func (p eventPage) text(s *screen) { s.put(line(p.event.Event), " ", line(p.event.Path)) }
