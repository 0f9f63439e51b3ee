package main

import (
	"github.com/urfave/cli/v2"

	"github.com/hansard-search/hansard/corpus"
)

const checkHelp = `
Reads the whole index and verifies every checksum and every promise that its
parts make to each other. Changes nothing.
`

func (p *program) checkCommand() *cli.Command {
	return &cli.Command{
		Name:        "check",
		Usage:       "verify the index",
		Description: checkHelp,
		UsageText:   exits(exitFound, exitUsage, exitNone, exitDamaged, exitFailed),
		Flags:       []cli.Flag{presetFlag(), jsonFlag()},
		Action:      p.check,
	}
}

func (p *program) check(c *cli.Context) error {
	if err := atMost(c, 0); err != nil {
		return err
	}
	co, err := p.open(c)
	if err != nil {
		return err
	}
	defer co.Close()
	report, err := co.Check(c.Context)
	if err != nil {
		return err
	}
	if err := p.print.show(checkPage{report}); err != nil {
		return err
	}
	if report.OK {
		return nil
	}
	next := "repair: hansard repair"
	if len(report.Problems) > 0 && report.Problems[0].Repair != "" {
		next = "repair: " + report.Problems[0].Repair
	}
	return &failure{exitDamaged, "damaged", "the index is damaged", next}
}

// problemsShown is how many problems people get to read: one broken page is
// behind many of them.
const problemsShown = 10

// lacks says what an answer had to leave out.
func (s *screen) lacks(damaged []string) {
	for _, d := range damaged {
		s.put("damaged, and left out: ", line(d), " (hansard check)")
	}
}

type checkPage struct{ *corpus.CheckReport }

func (p checkPage) data() any { return p.CheckReport }

func (p checkPage) text(s *screen) {
	for i, b := range p.Problems {
		if i == problemsShown {
			s.put("and ", num(len(p.Problems)-i), " more (--json lists all)")
			break
		}
		s.put(line(b.File), ": ", line(b.Kind), ": ", line(b.Detail))
	}
	verdict := safe("ok: ")
	if !p.OK {
		verdict = count(len(p.Problems), "problem") + ": "
	}
	s.put(verdict, count(p.Checked.Shards, "shard"), ", ", count(p.Checked.Documents, "document"), ", ", num(p.Checked.Postings), " postings")
}
