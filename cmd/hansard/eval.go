package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/urfave/cli/v2"

	"github.com/hansard-search/hansard/corpus"
)

const evalHelp = `
Asks labelled queries, and says how far up the right answers came: how often
first (hit@1), in the first three and five, and the mean of 1/rank (MRR); by kind
of query, by session, and by turn where turns are labelled. Then every query of
which no right answer came first.

FILE holds an object a line:

  {"id": "d1", "query": "why did the deploy fail", "kind": "question",
   "relevant": [{"session": "0fe553fc-...", "turn": "60b4b528-..."}]}

"surface" and "project" limit a query. What is indexed is asked; nothing is
read anew.
`

func (p *program) evalCommand() *cli.Command {
	return &cli.Command{
		Name:        "eval",
		Usage:       "measure the ranking with labelled queries",
		ArgsUsage:   "FILE",
		Description: evalHelp,
		UsageText:   exits(exitFound, exitUsage, exitNone, exitDamaged, exitFailed),
		Flags: []cli.Flag{
			presetFlag(),
			&cli.StringFlag{Name: "explain", Usage: "show the answer to query `ID`, and what its scores are made of"},
			jsonFlag(),
		},
		Action: p.eval,
	}
}

func (p *program) eval(c *cli.Context) error {
	if c.NArg() == 0 {
		return usage(helpOf("eval"), "eval needs a file of labelled queries")
	}
	if err := atMost(c, 1); err != nil {
		return err
	}
	queries, err := p.labelled(c.Args().First())
	if err != nil {
		return err
	}
	co, err := p.open(c)
	if err != nil {
		return err
	}
	defer co.Close()
	if id := c.String("explain"); id != "" {
		return p.explainOne(c, co, queries, id)
	}
	ev, err := co.Evaluate(c.Context, queries)
	if err != nil {
		return err
	}
	return p.print.show(evalPage{ev})
}

func (p *program) labelled(path string) ([]corpus.Labelled, error) {
	f, err := os.Open(p.Expand(path))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, usage("name a file of labelled queries", "no file %s", path)
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	list, err := corpus.ReadLabelled(f)
	if err != nil {
		return nil, usage(helpOf("eval"), "%s: %v", path, err)
	}
	return list, nil
}

// explainOne answers one of the queries as search would.
func (p *program) explainOne(c *cli.Context, co *corpus.Corpus, queries []corpus.Labelled, id string) error {
	for _, l := range queries {
		if l.ID != id {
			continue
		}
		q := l.AsQuery()
		q.Explain = true
		answer, err := co.Search(c.Context, q)
		if err != nil {
			return err
		}
		answer.Scope.Refresh = corpus.RefreshSkipped
		return p.print.show(answerPage{Answer: answer, group: q.Group, explain: true})
	}
	return usage("ids are the \"id\" of each line", "no query %q", id)
}

type evalPage struct{ *corpus.Evaluation }

func (p evalPage) data() any { return p.Evaluation }

func (p evalPage) text(s *screen) {
	s.put(s.dim("queries  hit@1  hit@3  hit@5    MRR"))
	for _, sc := range append([]corpus.Scored{p.All}, p.Kinds...) {
		kind := line(sc.Kind)
		if kind == "" {
			kind = "all"
		}
		s.put(hitsRow(sc.Session), "  ", s.bold(kind), " by session")
		if sc.Turn.Queries > 0 {
			s.put(hitsRow(sc.Turn), "  ", s.bold(kind), " by turn")
		}
	}
	if len(p.Misses) == 0 {
		return
	}
	s.put()
	s.put(s.dim("not first: rank of the session, of the turn (0: not in the first " + num(corpus.EvalDepth) + ")"))
	for _, m := range p.Misses {
		s.item(0, safe(fmt.Sprintf("%4d %4d  ", m.Session, m.Turn)), list("  ", line(m.ID), line(m.Kind), line(m.Query)))
	}
}

func hitsRow(h corpus.Hits) safe {
	return safe(fmt.Sprintf("%7d  %5.1f  %5.1f  %5.1f  %.3f", h.Queries, 100*h.At1, 100*h.At3, 100*h.At5, h.MRR))
}
