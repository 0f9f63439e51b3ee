package main

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/hansard-search/hansard/corpus"
)

const showHelp = `
Shows a turn whole, or the messages of a session page by page. Search results
name both ids; the first eight characters or more do where they are unique.

  hansard show 60b4b528
  hansard show 0fe553fc --offset 50
`

func (p *program) showCommand() *cli.Command {
	return &cli.Command{
		Name:        "show",
		Usage:       "show a turn or a session",
		ArgsUsage:   "SESSION | TURN",
		Description: showHelp,
		UsageText:   exits(exitFound, exitNothing, exitUsage, exitNone, exitDamaged, exitFailed),
		Flags:       append([]cli.Flag{presetFlag()}, append(pageFlags(50), jsonFlag())...),
		Action:      p.show,
	}
}

func (p *program) show(c *cli.Context) error {
	if c.NArg() == 0 {
		return usage("hansard search and hansard sessions print ids", "show needs the id of a turn or a session")
	}
	if err := atMost(c, 1); err != nil {
		return err
	}
	offset, limit, err := paging(c)
	if err != nil {
		return err
	}
	d, err := p.desk(c)
	if err != nil {
		return err
	}
	r, err := d.reading(c.Context)
	if err != nil {
		return err
	}
	defer r.close()
	id := strings.TrimSpace(c.Args().First())
	session, turn, err := r.corpus.Resolve(c.Context, id)
	if damage := (*corpus.DamageError)(nil); errors.Is(err, corpus.ErrNotFound) && !errors.As(err, &damage) {
		return notFound(id, d.preset.Name, err)
	}
	if err != nil {
		return err
	}
	if turn != "" {
		t, err := r.corpus.Turn(c.Context, turn)
		if err != nil {
			return err
		}
		return p.print.show(turnPage{t, true})
	}
	page, err := r.corpus.Session(c.Context, session, offset, limit)
	if err != nil {
		return err
	}
	return p.print.show(sessionPage{page})
}

// notFound says why an id names neither a turn nor a session.
func notFound(id, preset string, err error) error {
	f := &failure{exitNothing, "not-found", fmt.Sprintf("no turn or session %q in %s", id, preset), "hansard search and hansard sessions print ids"}
	switch {
	case corpus.Ambiguous(err):
		f.Message = err.Error()
	case len(id) < corpus.MinPrefix:
		f.Next = fmt.Sprintf("the first %d characters of an id are needed, %s", corpus.MinPrefix, f.Next)
	}
	return f
}

// A turnPage is a whole turn.
type turnPage struct {
	*corpus.TurnRecord
	alone bool // not one of many
}

func (p turnPage) data() any { return p.TurnRecord }

func (p turnPage) text(s *screen) {
	s.lacks(p.Damaged)
	t := p.TurnRecord
	s.put(s.bold(cmp.Or(line(t.Name), fit(line(t.Prompt), s.width))))
	s.para(0, s.dim(list(" · ", short(t.Project), line(t.Branch), s.date(t.Created.Time), line(t.Model), unless(string(t.State), "final"), gone(t.Missing))))
	s.para(0, s.dim("turn "+line(t.TurnID)+" · session "+list(", ", lines(t.Places)...)))
	s.put()
	s.item(0, s.bold("? "), clean(t.Prompt))
	s.put()
	if answer := cmp.Or(t.Summary, t.Partial); answer != "" {
		s.item(0, s.bold("> "), clean(answer))
	} else {
		s.put(s.dim("(no answer)"))
	}
	if p.alone {
		p.footer(s)
	}
	s.put()
}

// footer says what else belongs to the turn.
func (p turnPage) footer(s *screen) {
	var tools []safe
	for _, t := range p.Tools {
		tools = append(tools, line(t.Name)+" "+num(t.Count))
	}
	s.put()
	s.rows(
		"tools", list(", ", tools...),
		"files", list(", ", lines(p.Paths)...),
		"tokens", num(int(p.Usage.Input))+" in, "+num(int(p.Usage.Output))+" out",
		"transcript", line(p.Path),
		"read on", s.showing(p.SessionID),
	)
}

// A sessionPage is a page of a session's messages.
type sessionPage struct{ *corpus.SessionPage }

func (p sessionPage) data() any { return p.SessionPage }

func (p sessionPage) text(s *screen) {
	s.lacks(p.Damaged)
	sessionRow(s, &p.Session)
	if len(p.Messages) == 0 && p.Total > 0 {
		s.put()
		s.put("No more: it has " + count(p.Total, "message") + ", and --offset counts from 0")
	}
	for _, m := range p.Messages {
		s.put()
		who := line(m.Role)
		if m.Tool != "" {
			who += " " + line(m.Tool)
		}
		at := safe("")
		if !m.Time.IsZero() {
			at = s.stamp(m.Time.Time)
		}
		s.put(s.dim(safe(fmt.Sprintf("%d  ", m.MsgIdx))), s.bold(who), s.dim("  "+at))
		s.para(2, clean(m.Text))
	}
	if next := p.Offset + len(p.Messages); next < p.Total {
		s.put()
		s.put(s.dim(num(p.Total-next) + " more: " + s.showing(p.Session.SessionID) + " --offset " + safe(fmt.Sprint(next))))
	}
}
