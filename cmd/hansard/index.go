package main

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/hansard-search/hansard/corpus"
	"github.com/hansard-search/hansard/presets"
)

const indexHelp = `
Brings the index up to date with the transcripts. Only what changed is read;
when nothing did, that is found out in a moment. Searching does the same first,
so this command is for hooks, for the first time, and for changing what is kept.

What is asked for by flags is remembered, and later runs go on with it. A
change of the preset in config.jsonc replaces it.

  --since, --project, --max-sessions   say which sessions are looked at; what is
      in the index stays, whether it is outside or its transcript is gone
  --include full          every text of the assistant, not only its final answer
  --include tools         names, paths, commands and written text of tool calls
  --include tool-output   what tools answered, too
  --include subagents, headless, cron   sessions that nobody typed
  --include none          back to prompts, answers, titles and summaries
`

// lockWait is how long index waits for another writer: longer than an
// ordinary run takes.
const lockWait = 10 * time.Second

func (p *program) indexCommand() *cli.Command {
	return &cli.Command{
		Name:        "index",
		Usage:       "bring the index up to date, or change what it keeps",
		Description: indexHelp,
		UsageText:   exits(exitFound, exitUsage, exitLocked, exitDamaged, exitFailed),
		Flags: []cli.Flag{
			presetFlag(),
			&cli.BoolFlag{Name: "full", DisableDefaultText: true, Usage: "read every transcript again; nothing that is gone is lost"},
			&cli.StringFlag{Name: "since", Usage: "sessions active since `D`: 90d, 2026-01-01, all"},
			projectFlag(),
			&cli.IntFlag{Name: "max-sessions", Usage: "the newest `N` sessions; 0: all"},
			&cli.StringSliceFlag{Name: "include", Usage: "keep `WHAT` too: full, tools, tool-output, subagents, headless, cron, none (repeat)"},
			sourceFlag(), jsonFlag(),
		},
		Action: p.index,
	}
}

func (p *program) index(c *cli.Context) error {
	if err := atMost(c, 0); err != nil {
		return err
	}
	d, err := p.desk(c)
	if err != nil {
		return err
	}
	old, err := d.open()
	if err == nil {
		defer old.Close()
	} else if e := (*corpus.DamageError)(nil); !errors.Is(err, corpus.ErrNoCorpus) && !errors.As(err, &e) {
		return err
	}
	params := d.params(old)
	if err := p.change(c, &params); err != nil {
		return err
	}
	if !c.IsSet("source") {
		if err := d.checkRoots(true); err != nil {
			return err
		}
	}
	report, err := d.index(c.Context, errand{params: params, old: old, wait: lockWait, full: c.Bool("full")})
	if err != nil {
		return err
	}
	return p.print.show(reportPage{report})
}

// change puts the flags that were given into the parameters.
func (p *program) change(c *cli.Context, params *corpus.Params) error {
	if c.IsSet("since") {
		since := c.String("since")
		if _, err := presets.ParseSince(since, p.Now()); err != nil {
			return usage("", "--since: %v", err)
		}
		params.Since = since
	}
	if c.IsSet("project") {
		params.Projects = slices.DeleteFunc(p.projects(c), func(s string) bool { return s == "" }) // one that is "" takes them back
	}
	if c.IsSet("max-sessions") {
		if params.MaxSessions = c.Int("max-sessions"); params.MaxSessions < 0 {
			return usage("0 means all", "--max-sessions cannot be negative")
		}
	}
	if c.IsSet("include") {
		words, err := presets.ParseInclude(c.StringSlice("include"))
		if err != nil {
			return usage(helpOf("index"), "--include: %v", err)
		}
		params.Include = words
	}
	if c.IsSet("source") {
		roots, err := p.roots(c)
		if err != nil {
			return err
		}
		params.Roots = roots
	}
	return nil
}

// skippedLines is how many lines that could not be used are named on a screen.
const skippedLines = 10

type reportPage struct{ *corpus.Report }

func (p reportPage) data() any { return p.Report }

func (p reportPage) text(s *screen) {
	r := p.Report
	took := safe(fmt.Sprintf("%.1f s", float64(r.ElapsedMs)/1000))
	if r.Changes() == 0 {
		s.put("nothing new: ", count(r.Turns, "turn"), " of ", count(r.Sessions, "session"), ", looked at ",
			count(r.Transcripts.Seen, "transcript"), " in ", took)
	} else {
		s.put(count(r.Turns, "turn"), " of ", count(r.Sessions, "session"), ": ", num(r.Added), " added, ", num(r.Changed),
			" changed, ", num(r.Removed), " removed")
		s.put("read ", size(r.BytesRead), " of ", num(r.Transcripts.Opened), " of ", count(r.Transcripts.Seen, "transcript"), " in ", took)
	}
	if r.Transcripts.Gone > 0 {
		s.put(count(r.Transcripts.Gone, "transcript"), " gone since; what was said there stays searchable")
	}
	if r.SkippedTotal == 0 {
		return
	}
	shown, paths := slices.Clone(r.Skipped), 0
	for _, k := range shown {
		if k.Line == 0 {
			paths++
		}
	}
	lines := r.SkippedTotal - paths
	s.put(list(" and ", when(paths > 0, count(paths, "path")), when(lines > 0, count(lines, "line"))), " could not be used:")
	slices.SortStableFunc(shown, func(a, b corpus.SkippedLine) int { return min(a.Line, 1) - min(b.Line, 1) }) // whole files first
	shown = shown[:min(len(shown), skippedLines)]
	for _, k := range shown {
		at := line(k.Path)
		if k.Line > 0 {
			at += ":" + safe(fmt.Sprint(k.Line))
		}
		s.para(2, at+" "+line(k.Reason))
	}
	if more := r.SkippedTotal - len(shown); more > 0 {
		s.put("  and ", num(more), " more; --json names ", num(len(r.Skipped)))
	}
}
