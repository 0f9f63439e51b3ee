package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/hansard-search/hansard/corpus"
)

const recentHelp = `
Says what the last sessions of a project were about: title, what was asked
first, what was concluded last. It is short, so that a new session can begin
with it: hansard install puts it there.

  hansard recent
  hansard recent --cwd ~/api --limit 5 --budget 800 --after 30d

The project is the folder's repository, or the folder. The session that asks is
left out, with its relatives.
`

const (
	recentLimit  = 3     // sessions: more are not read at the start of another one
	recentBudget = 300   // tokens, what a block at the start of every session may cost
	recentSince  = "14d" // what is older is searched for, not remembered
	tokenBytes   = 4     // of a token in prose and code, near enough to keep a budget
)

func (p *program) recentCommand() *cli.Command {
	return &cli.Command{
		Name:        "recent",
		Usage:       "say what the last sessions of a project were about",
		Description: recentHelp,
		UsageText:   exits(exitFound, exitNothing, exitUsage, exitLocked, exitNone, exitDamaged, exitFailed),
		Flags: []cli.Flag{
			presetFlag(),
			&cli.StringFlag{Name: "cwd", Usage: "the project of folder `DIR` (default: this one)"},
			&cli.IntFlag{Name: "limit", Value: recentLimit, Usage: "at most `N` sessions"},
			&cli.IntFlag{Name: "budget", Value: recentBudget, Usage: "at most about `N` tokens"},
			&cli.StringFlag{Name: "after", Value: recentSince, Usage: "sessions since `D`: 7d, 2w, 2026-01-01"},
			&cli.StringSliceFlag{Name: "exclude", Usage: "leave out session `ID` and its relatives (repeat)"},
			&cli.BoolFlag{Name: "hook", DisableDefaultText: true, Usage: "as the hook of an agent: read its JSON, never fail, build nothing"},
			jsonFlag(),
		},
		Action: p.recent,
	}
}

func (p *program) recent(c *cli.Context) error {
	if !c.Bool("hook") {
		return p.recall(c, "", nil)
	}
	var told struct {
		Session string `json:"session_id"`
		Cwd     string `json:"cwd"`
	}
	if p.in != nil {
		b, _ := io.ReadAll(io.LimitReader(p.in, 1<<20)) // a hook's input is small; none is fine
		_ = json.Unmarshal(b, &told)
	}
	var asking []string
	if told.Session != "" {
		asking = append(asking, told.Session)
	}
	p.err = io.Discard // an agent shows a hook's complaints to a user who asked for nothing
	p.print = p.printer(c.Bool("json"))
	_ = p.recall(c, told.Cwd, asking)
	return nil
}

// recall shows the block. cwd is the agent's folder, where a hook tells.
func (p *program) recall(c *cli.Context, cwd string, asking []string) error {
	if err := atMost(c, 0); err != nil {
		return err
	}
	limit, budget := c.Int("limit"), c.Int("budget")
	if limit <= 0 || budget <= 0 {
		return usage("the defaults are 3 and 300", "--limit and --budget must be above 0")
	}
	after, err := p.date(c, "after", false)
	if err != nil {
		return err
	}
	if s := c.String("cwd"); s != "" || cwd == "" {
		cwd = p.Expand(s)
	}
	d, err := p.desk(c)
	if err != nil {
		return err
	}
	if c.Bool("hook") && !d.built {
		return errNothing
	}
	r, err := d.fresh(c.Context, nil, true, nil)
	if err != nil {
		return err
	}
	defer r.close()
	page := recentPage{Cwd: repository(cwd), Budget: budget, Sessions: []recentSession{}}
	f := corpus.Filter{Cwd: page.Cwd, Lane: "main", After: after, Exclude: append(append(asking, p.asking()...), c.StringSlice("exclude")...)}
	if !r.corpus.Sample { // which are nobody's project
		if err := page.fill(c.Context, r.corpus, f, limit); err != nil {
			return err
		}
	}
	page.Text = page.words(&screen{now: p.Now()})
	page.Tokens = tokens(page.Text)
	return p.showRecent(page, c.Bool("json"))
}

// showRecent shows nothing where there is nothing to say, but to a program. People
// are told beside it where there may be more.
func (p *program) showRecent(page recentPage, json bool) error {
	if len(page.Sessions) > 0 || json {
		if err := p.print.show(page); err != nil || len(page.Sessions) > 0 {
			return err
		}
		return errNothing
	}
	return &failure{exitNothing, "not-found", "no session in " + page.Cwd + " lately",
		"longer ago: hansard recent --after 1y; everywhere: hansard sessions"}
}

// repository is the folder above dir, or dir itself, that git works on; dir
// where there is none, and where dir is of another system.
func repository(dir string) string {
	if !filepath.IsAbs(dir) {
		return dir
	}
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			return at
		}
		if at == filepath.Dir(at) {
			return dir
		}
	}
}

// A recentPage is the block both ways.
type recentPage struct {
	Cwd      string          `json:"cwd"`
	Budget   int             `json:"budget"`
	Tokens   int             `json:"tokens"` // about
	Text     string          `json:"text"`
	Sessions []recentSession `json:"sessions"`
}

type recentSession struct {
	corpus.SessionRecord
	Asked     string `json:"asked"`
	Concluded string `json:"concluded,omitempty"`
}

// fill takes the newest sessions, one of each family.
func (p *recentPage) fill(ctx context.Context, c *corpus.Corpus, f corpus.Filter, limit int) error {
	seen := map[string]bool{}
	for offset := 0; len(p.Sessions) < limit; {
		list, err := c.Sessions(ctx, f, offset, 2*limit)
		if err != nil {
			return err
		}
		for _, r := range list.Sessions {
			if len(p.Sessions) == limit || r.Family != "" && seen[r.Family] {
				continue
			}
			seen[r.Family] = true
			s := recentSession{SessionRecord: r}
			if err := s.ends(ctx, c); err != nil {
				return err
			}
			p.Sessions = append(p.Sessions, s)
		}
		if offset += len(list.Sessions); len(list.Sessions) == 0 {
			break
		}
	}
	return nil
}

// ends reads the first question and the last answer of the session.
func (s *recentSession) ends(ctx context.Context, c *corpus.Corpus) error {
	for t, err := range c.Export(ctx, corpus.Filter{Session: s.SessionID}) {
		if err != nil {
			return err
		}
		if s.Asked == "" {
			s.Asked = t.Prompt
		}
		if t.Summary != "" {
			s.Concluded = t.Summary
		}
	}
	return nil
}

func tokens(text string) int { return (len(text) + tokenBytes - 1) / tokenBytes }

// words is the block as text. Each session gets an equal share of what the
// budget leaves, and what one does not need goes to those after it; answers are
// worth more than questions.
func (p *recentPage) words(s *screen) string {
	if len(p.Sessions) == 0 {
		return ""
	}
	text := "Recent conversations in " + string(short(p.Cwd)) + " (hansard search finds more):\n"
	for i := range p.Sessions {
		share := (p.Budget*tokenBytes - len(text)) / (len(p.Sessions) - i)
		text += p.Sessions[i].words(s, share)
	}
	return text
}

func (r *recentSession) words(s *screen, room int) string {
	title := line(r.Name)
	if title == "" {
		title = "Untitled"
	}
	head := fmt.Sprintf("- %s (%s, %s; hansard show %s)\n", cut(string(title), 80), ago(s.now, r.Updated.Time), count(r.Turns, "turn"), prefix(r.SessionID))
	if len(head) > room {
		return "" // a budget too small for this one
	}
	const labels = len("  asked: \n") + len("  concluded: \n")
	room = max(room-len(head)-labels, 0)
	answer, question := string(line(r.Concluded)), string(line(r.Asked))
	question = cut(question, max(room/3, room-len(answer)))
	answer = cut(answer, room-len(question))
	text := head
	if question != "" {
		text += "  asked: " + question + "\n"
	}
	if answer != "" {
		text += "  concluded: " + answer + "\n"
	}
	return text
}

// cut takes the beginning of a text, whole characters, at most so many bytes.
func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	if text = strings.ToValidUTF8(text[:max(most-len("…"), 0)], ""); text == "" {
		return ""
	}
	return text + "…"
}

func (p recentPage) data() any { return p }

func (p recentPage) text(s *screen) { s.buf.WriteString(p.Text) }

// prefix is as much of an id as tells it from others, and as show takes.
func prefix(id string) safe { return line(id[:min(len(id), corpus.MinPrefix)]) }
