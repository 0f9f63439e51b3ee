package main

import (
	"strings"

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
