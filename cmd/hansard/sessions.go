package main

import (
	"cmp"
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/hansard-search/hansard/corpus"
)

const sessionsHelp = `
Lists sessions, newest first, of which at least one turn passes the filters.

  hansard sessions --project api --after 2w
`

func (p *program) sessionsCommand() *cli.Command {
	flags := append([]cli.Flag{presetFlag()}, filterFlags()...)
	return &cli.Command{
		Name:        "sessions",
		Usage:       "list sessions, newest first",
		Description: sessionsHelp,
		UsageText:   exits(exitFound, exitNothing, exitUsage, exitNone, exitDamaged, exitFailed),
		Flags:       append(flags, append(pageFlags(50), jsonFlag())...),
		Action:      p.sessions,
	}
}

func (p *program) sessions(c *cli.Context) error {
	if err := atMost(c, 0); err != nil {
		return err
	}
	filter, err := p.filter(c)
	if err != nil {
		return err
	}
	offset, limit, err := paging(c)
	if err != nil {
		return err
	}
	r, err := p.reading(c)
	if err != nil {
		return err
	}
	defer r.close()
	found, err := r.corpus.Sessions(c.Context, filter, offset, limit)
	if err != nil {
		return err
	}
	if err := p.print.show(sessionsPage{found}); err != nil {
		return err
	}
	if found.Total == 0 {
		return errNothing
	}
	return nil
}

type sessionsPage struct{ *corpus.SessionList }

func (p sessionsPage) data() any { return p.SessionList }

func (p sessionsPage) text(s *screen) {
	s.lacks(p.Damaged)
	if p.Total == 0 {
		s.put("No sessions. Without filters: hansard sessions; with older ones: hansard index --since all")
		return
	}
	if len(p.Sessions) == 0 {
		s.put("No more: there are " + count(p.Total, "session") + ", and --offset counts from 0")
	}
	for i := range p.Sessions {
		if i > 0 {
			s.put()
		}
		sessionRow(s, &p.Sessions[i])
	}
	if next := p.Offset + len(p.Sessions); next < p.Total {
		s.put()
		s.put(s.dim(num(p.Total-next) + " more: --offset " + safe(fmt.Sprint(next))))
	}
}

// sessionRow is a session in two lines.
func sessionRow(s *screen, r *corpus.SessionRecord) {
	title := line(cmp.Or(r.Name, r.Asked, r.Summary, "(no title)"))
	s.put(s.bold(fit(title, max(s.width, 40))))
	s.para(2, s.dim(list(" · ", short(r.Project), s.date(r.Updated.Time), count(r.Turns, "turn"), count(r.Messages, "message"),
		line(r.Source), unless(r.Lane, "main"), gone(r.Missing))))
	s.put(s.dim("  " + s.showing(r.SessionID)))
}
