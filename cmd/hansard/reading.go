package main

import (
	"context"
	"errors"
	"sync"

	"github.com/urfave/cli/v2"

	"github.com/hansard-search/hansard/corpus"
)

// A reading is a corpus that is open to be asked.
type reading struct {
	corpus  *corpus.Corpus
	refresh string // corpus.RefreshDone and the like
	close   func()
}

// closing closes it while an answer is printed, which owns its bytes: giving a large
// index's memory back takes as long. What it returns waits for that.
func (r *reading) closing() (wait func()) {
	var done sync.WaitGroup
	done.Go(r.close)
	return done.Wait
}

func readingOf(c *corpus.Corpus, refresh string) *reading {
	return &reading{c, refresh, func() { c.Close() }}
}

// reading opens what a command line names, samples where there is nothing else.
func (p *program) reading(c *cli.Context) (*reading, error) {
	d, err := p.desk(c)
	if err != nil {
		return nil, err
	}
	return d.reading(c.Context)
}

// reading opens what is published, without a refresh, for the commands that
// read on from an answer. Where nothing is indexed because there is nothing to
// index, the samples are read on, since they were the answer.
func (d *desk) reading(ctx context.Context) (*reading, error) {
	c, err := d.open()
	if err != nil {
		return nil, err
	}
	if d.preset.Talks() && c.Blank() {
		return d.samples(ctx, c, d.params(c).Roots)
	}
	return readingOf(c, corpus.RefreshSkipped), nil
}

// fresh opens the corpus after bringing it up to date, if that is wanted and
// nobody else is at it. The first time, that builds it. Where there is nothing
// to build it from, the samples take its place. What is published already is
// handed to meanwhile, unless that is nil, before it is brought up to date.
func (d *desk) fresh(ctx context.Context, roots []corpus.Root, wanted bool, meanwhile func(context.Context, *corpus.Corpus)) (*reading, error) {
	old, err := d.open()
	if err != nil && !(wanted && errors.Is(err, corpus.ErrNoCorpus)) {
		return nil, err
	}
	if !wanted {
		return readingOf(old, corpus.RefreshSkipped), nil
	}
	if old != nil && meanwhile != nil {
		meanwhile(ctx, old)
	}
	r, err := d.refreshed(ctx, old, roots)
	if err != nil && old != nil {
		old.Close()
	}
	return r, err
}

// refreshed is fresh where a refresh is wanted, unless the preset's policy is to
// wait; old is nil the first time, and sees by itself what is published meanwhile.
func (d *desk) refreshed(ctx context.Context, old *corpus.Corpus, roots []corpus.Root) (*reading, error) {
	if due, _ := d.due(old); !due {
		if old == nil {
			return nil, corpus.ErrNoCorpus
		}
		return readingOf(old, corpus.RefreshSkipped), nil
	}
	if len(roots) == 0 {
		if err := d.checkRoots(old == nil); err != nil {
			return nil, err
		}
	}
	e := errand{params: d.params(old), roots: roots, old: old, small: old != nil}
	if old == nil && len(roots) > 0 {
		e.params.Roots = roots // a new index remembers what it was built from
	}
	report, err := d.index(ctx, e)
	state, err := d.excuse(err, old != nil)
	if err != nil {
		return nil, err
	}
	if report != nil && report.Turns == 0 && report.Transcripts.Seen == 0 && d.preset.Talks() {
		if len(roots) == 0 {
			roots = e.params.Roots
		}
		return d.samples(ctx, old, roots)
	}
	if old == nil {
		if old, err = d.open(); err != nil {
			return nil, err
		}
	}
	return readingOf(old, state), nil
}

// excuse tells what a failed refresh means for a search. Where something is
// published it can be searched all the same.
func (d *desk) excuse(err error, published bool) (state string, _ error) {
	locked := (*corpus.LockedError)(nil)
	switch {
	case err == nil:
		return corpus.RefreshDone, nil
	case !published || errors.Is(err, context.Canceled):
		return "", err
	case errors.As(err, &locked):
		return corpus.RefreshLocked, nil
	}
	d.print.warn("searching what is indexed, because bringing it up to date failed: " + explain(err, d.command).Message)
	return corpus.RefreshSkipped, nil
}
