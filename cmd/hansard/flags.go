package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/hansard-search/hansard/corpus"
	"github.com/hansard-search/hansard/presets"
	"github.com/hansard-search/hansard/surfaces"
)

// Flags that several commands share, and what they mean.

func presetFlag() cli.Flag {
	return &cli.StringFlag{Name: "preset", Usage: "the corpus `NAME` (see hansard presets; default: sessions)"}
}

func jsonFlag() cli.Flag {
	return &cli.BoolFlag{Name: "json", DisableDefaultText: true, Usage: "print JSON instead of text"}
}

func sourceFlag() cli.Flag {
	return &cli.StringSliceFlag{Name: "source", Usage: "read `KIND=DIR` instead of the usual folders (" + strings.Join(presets.Kinds(), ", ") + "; repeat)"}
}

func projectFlag() cli.Flag {
	return &cli.StringSliceFlag{Name: "project", Usage: "sessions begun in `P`: the whole path or its last parts (repeat: any)"}
}

func pageFlags(limit int) []cli.Flag {
	return []cli.Flag{
		&cli.IntFlag{Name: "offset", Usage: "leave out the first `N`"},
		&cli.IntFlag{Name: "limit", Value: limit, Usage: "at most `N`"},
	}
}

func filterFlags() []cli.Flag {
	return []cli.Flag{
		projectFlag(),
		&cli.StringFlag{Name: "cwd", Usage: "turns in folder `DIR` or below"},
		&cli.StringFlag{Name: "branch", Usage: "turns on git branch `B` (* allowed)"},
		&cli.StringFlag{Name: "model", Usage: "turns answered by model `M` (* allowed)"},
		&cli.StringFlag{Name: "tool", Usage: "turns that called tool `T` (* allowed)"},
		&cli.StringFlag{Name: "path", Usage: "turns that touched file `P`: the whole path or its last parts"},
		&cli.StringFlag{Name: "agent", Usage: "turns of agent `A`: " + strings.Join(presets.Kinds(), ", ")},
		&cli.StringFlag{Name: "lane", Usage: "turns of lane `L`: main, subagent, headless or cron"},
		&cli.StringFlag{Name: "session", Usage: "turns of session `ID`"},
		&cli.StringSliceFlag{Name: "exclude", Usage: "leave out session `ID` and its relatives (repeat)"},
		&cli.StringFlag{Name: "after", Usage: "turns since `D`: 7d, 2w, yesterday, 2026-01-01, a time"},
		&cli.StringFlag{Name: "before", Usage: "turns before `D`; a bare date includes that day"},
		&cli.StringSliceFlag{Name: "surface", Usage: "matches on surface `S` only (repeat: any)"},
	}
}

// filter reads the flags of filterFlags.
func (p *program) filter(c *cli.Context) (f corpus.Filter, err error) {
	f = corpus.Filter{
		Projects: p.projects(c), Branch: c.String("branch"), Model: c.String("model"), Tool: c.String("tool"),
		Path: p.ExpandIfPath(c.String("path")), Session: c.String("session"), Exclude: c.StringSlice("exclude"),
	}
	if s := c.String("cwd"); s != "" {
		f.Cwd = p.Expand(s)
	}
	if f.Source, err = choice(c, "agent", presets.Kinds()...); err != nil {
		return f, err
	}
	if f.Lane, err = choice(c, "lane", corpus.Lanes()...); err != nil {
		return f, err
	}
	if f.After, err = p.date(c, "after", false); err != nil {
		return f, err
	}
	if f.Before, err = p.date(c, "before", true); err != nil {
		return f, err
	}
	f.Surfaces, err = surfaceNames(c)
	return f, err
}

// projects reads projectFlag.
func (p *program) projects(c *cli.Context) (list []string) {
	for _, s := range c.StringSlice("project") {
		list = append(list, p.ExpandIfPath(s))
	}
	return list
}

// choice is a flag that knows its values; "" when it is not given.
func choice(c *cli.Context, flag string, values ...string) (string, error) {
	s := strings.ToLower(c.String(flag))
	if s == "" {
		return "", nil
	}
	for _, v := range values {
		if s == v || s == v+"s" {
			return v, nil
		}
	}
	return "", usage("use one of "+strings.Join(values, ", "), "--%s: unknown %q", flag, s)
}

func (p *program) date(c *cli.Context, flag string, end bool) (t time.Time, err error) {
	s := c.String(flag)
	if s == "" {
		return t, nil
	}
	t, err = corpus.ParseDate(s, p.Now(), end)
	if err != nil {
		return t, usage("use "+corpus.DateForms, "--%s: %q is no date", flag, s)
	}
	return t, nil
}

func surfaceNames(c *cli.Context) ([]surfaces.Name, error) {
	names := commas(c.StringSlice("surface"))
	if len(names) == 0 {
		return nil, nil
	}
	set, err := surfaces.Parse(names...)
	if err != nil {
		return nil, usage("hansard presets lists what each corpus keeps", "--surface: %v", err)
	}
	return set.Names(), nil
}

// commas takes values apart at their commas.
func commas(values []string) (words []string) {
	for _, s := range values {
		for w := range strings.SplitSeq(s, ",") {
			if w = strings.TrimSpace(w); w != "" {
				words = append(words, w)
			}
		}
	}
	return words
}

// atMost is an error for a command that was given more than n arguments.
func atMost(c *cli.Context, n int) error {
	if c.NArg() <= n {
		return nil
	}
	return usage(helpOf(c.Command.Name), "%q is too much", c.Args().Get(n))
}

// paging reads the flags of pageFlags.
func paging(c *cli.Context) (offset, limit int, err error) {
	offset, limit = c.Int("offset"), c.Int("limit")
	if offset < 0 || limit < 0 {
		return 0, 0, usage("numbers count from 0", "--offset and --limit cannot be negative")
	}
	return offset, limit, nil
}

// roots reads --source.
func (p *program) roots(c *cli.Context) ([]corpus.Root, error) {
	var list []corpus.Root
	for _, spec := range c.StringSlice("source") {
		r, err := p.ParseRoot(spec)
		if err != nil {
			return nil, fmt.Errorf("--source: %w", err)
		}
		list = append(list, r)
	}
	return list, nil
}
