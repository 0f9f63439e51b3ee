package main

import (
	"context"
	"errors"
	"strings"
	"sync"

	"github.com/urfave/cli/v2"

	"github.com/hansard-search/hansard/corpus"
	"github.com/hansard-search/hansard/surfaces"
)

const searchHelp = `
Finds turns: what was asked, and what was answered in the end. Words may be
written as they come to mind; not all of them have to match. What is new in the
transcripts is indexed first, which takes a moment.

  hansard search why did the cache key change
  hansard search '"cache key" -terraform' --project api --after 30d
  hansard search retry backoff --surface assistant_summary --context 4

In a query, "a phrase" stands together, +word must be there, -word must not,
pre* matches beginnings, word~ its misspellings, and project: branch: tool:
path: model: after: before: session: surface: filter like the flags (and with -
before them leave out, as in -project:web). * lists everything, newest first. An
id finds its session or turn. Several lines, as of an error that is pasted, are
words alone. After --, everything is the query.

Flags may stand anywhere. Each result names what hansard show reads on from.
Where no agent has left a transcript yet, a few samples answer.
`

func (p *program) searchCommand() *cli.Command {
	flags := []cli.Flag{
		presetFlag(),
		&cli.StringFlag{Name: "group", Usage: "a row for each `WHAT`: session or turn", Value: string(corpus.BySession)},
		&cli.IntFlag{Name: "limit", Usage: "at most `N` results", Value: 10},
	}
	flags = append(flags, filterFlags()...)
	flags = append(flags,
		&cli.IntFlag{Name: "context", Usage: "show `N` messages before and after the match"},
		&cli.IntFlag{Name: "before-context", Usage: "show `N` messages before the match"},
		&cli.IntFlag{Name: "after-context", Usage: "show `N` messages after it"},
		&cli.BoolFlag{Name: "tools", DisableDefaultText: true, Usage: "matches in tool calls only, as --surface tool_calls (index --include tools)"},
		&cli.BoolFlag{Name: "regexp", DisableDefaultText: true, Usage: "the query is a regular expression over the stored text"},
		&cli.BoolFlag{Name: "explain", DisableDefaultText: true, Usage: "show what each score is made of"},
		&cli.BoolFlag{Name: "no-refresh", DisableDefaultText: true, Usage: "search what is indexed, read nothing new"},
		sourceFlag(), jsonFlag())
	return &cli.Command{
		Name:        "search",
		Usage:       "find turns by what was asked and answered",
		ArgsUsage:   "QUERY",
		Description: searchHelp,
		UsageText:   exits(exitFound, exitNothing, exitUsage, exitLocked, exitNone, exitDamaged, exitFailed),
		Flags:       flags,
		Action:      p.search,
	}
}

func (p *program) search(c *cli.Context) error {
	q, err := p.query(c)
	if err != nil {
		return err
	}
	roots, err := p.roots(c)
	if err != nil {
		return err
	}
	d, err := p.desk(c)
	if err != nil {
		return err
	}
	ahead := early{query: q}
	r, err := d.fresh(c.Context, roots, !c.Bool("no-refresh"), ahead.begin)
	if err != nil {
		return err
	}
	answer, err := ahead.settle(c.Context, r.corpus)
	defer r.closing()()
	if err != nil {
		return err
	}
	answer.Scope.Refresh = r.refresh
	if err := p.print.show(answerPage{Answer: answer, group: q.Group, samples: r.corpus.Sample, explain: q.Explain}); err != nil {
		return err
	}
	if answer.ResultCount == 0 {
		return errNothing
	}
	return nil
}

// query reads words and flags.
func (p *program) query(c *cli.Context) (q corpus.Query, err error) {
	q = corpus.Query{Text: strings.Join(c.Args().Slice(), " "), Regexp: c.Bool("regexp"), Explain: c.Bool("explain")}
	if strings.TrimSpace(q.Text) == "" {
		return q, usage(`as in: hansard search "why did the deploy fail"; * lists everything`, "nothing to search for")
	}
	if q.Filter, err = p.filter(c); err != nil {
		return q, err
	}
	if c.Bool("tools") {
		q.Filter.Surfaces = append(q.Filter.Surfaces, surfaces.ToolCalls)
	}
	group, err := choice(c, "group", string(corpus.BySession), string(corpus.ByTurn))
	if err != nil {
		return q, err
	}
	q.Group = corpus.Group(group)
	if q.Limit = c.Int("limit"); q.Limit <= 0 {
		return q, usage("the default is 10", "--limit must be above 0")
	}
	return q, window(c, &q)
}

// window reads the flags that ask for messages around a match.
func window(c *cli.Context, q *corpus.Query) error {
	for _, name := range []string{"context", "before-context", "after-context"} {
		if c.Int(name) < 0 {
			return usage("0 shows the matched message alone", "--%s cannot be negative", name)
		}
		q.Window = q.Window || c.IsSet(name)
	}
	q.Before = max(c.Int("context"), c.Int("before-context"))
	q.After = max(c.Int("context"), c.Int("after-context"))
	return nil
}

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
	d.print.warn("searching what is indexed, because bringing it up to date failed: " + err.Error())
	return corpus.RefreshSkipped, nil
}
