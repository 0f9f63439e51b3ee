package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"

	"github.com/hansard-search/hansard/corpus"
	"github.com/hansard-search/hansard/strategies"
)

const (
	// synopsisIn bounds what the command gets to read of a session, in bytes: more
	// than such a program takes in costs time and tells it nothing.
	synopsisIn = 256 << 10
	// synopsisOut bounds what is kept of its answer: it is shown as one passage.
	synopsisOut = 4 << 10
	// synopsisBatch is how many are indexed at once: a killed run loses no more.
	synopsisBatch = 20
)

// synopses is what became of the synopses of a corpus.
type synopses struct {
	Due      int              `json:"due"`
	Written  int              `json:"written"`
	Window   string           `json:"window,omitempty"` // where it is closed
	Failures []synopsisFailed `json:"failures"`
}

type synopsisFailed struct {
	Session string `json:"sessionId"`
	Error   string `json:"error"`
}

// synopses has the preset's command write what is missing. The window is
// looked at before each session.
func (d *desk) synopses(ctx context.Context, dry bool) (*synopses, error) {
	policy := d.preset.Synopsis
	out := &synopses{Failures: []synopsisFailed{}}
	since, err := policy.Since(d.Now())
	if err != nil {
		return out, err
	}
	c, err := d.open()
	if errors.Is(err, corpus.ErrNoCorpus) {
		return out, nil
	}
	if err != nil {
		return out, err
	}
	defer c.Close()
	ids, err := c.Unsummed(ctx, since)
	if err != nil {
		return out, err
	}
	out.Due = len(ids)
	batch := map[string]strategies.Synopsis{}
	for _, id := range ids {
		if !policy.Window.Has(d.Now()) {
			out.Window = policy.Window.String()
			break
		}
		if dry {
			continue
		}
		y, err := d.synopsis(ctx, c, id)
		if ctx.Err() != nil {
			return out, ctx.Err()
		}
		if err != nil {
			out.Failures = append(out.Failures, synopsisFailed{id, err.Error()})
			continue
		}
		batch[id] = y
		if len(batch) == synopsisBatch {
			if err := d.keep(ctx, c, batch, out); err != nil {
				return out, err
			}
		}
	}
	return out, d.keep(ctx, c, batch, out)
}

// keep indexes synopses and empties the batch.
func (d *desk) keep(ctx context.Context, c *corpus.Corpus, batch map[string]strategies.Synopsis, out *synopses) error {
	if len(batch) == 0 {
		return nil
	}
	if _, err := d.index(ctx, errand{params: d.params(c), wait: lockWait, synopses: batch}); err != nil {
		return err
	}
	out.Written += len(batch)
	clear(batch)
	return nil
}

// synopsis runs the command on one session.
func (d *desk) synopsis(ctx context.Context, c *corpus.Corpus, id string) (y strategies.Synopsis, err error) {
	page, err := c.Session(ctx, id, 0, -1)
	if err != nil {
		return y, err
	}
	y.Time = d.Now()
	if n := len(page.Messages); n > 0 {
		y.After = page.Messages[n-1].TurnID
	}
	policy := d.preset.Synopsis
	ctx, cancel := context.WithTimeout(ctx, policy.Limit())
	defer cancel()
	cmd := exec.CommandContext(ctx, policy.Command[0], policy.Command[1:]...)
	cmd.WaitDelay = time.Second // what it started may hold its output open
	cmd.Stdin = strings.NewReader(conversation(page))
	var said, complained bytes.Buffer
	cmd.Stdout, cmd.Stderr = &limited{&said, synopsisOut}, &limited{&complained, synopsisOut}
	err = cmd.Run()
	y.Text = strings.ToValidUTF8(strings.TrimSpace(said.String()), "")
	switch {
	case ctx.Err() != nil:
		return y, fmt.Errorf("%s took longer than %s", policy.Command[0], policy.Limit())
	case err != nil:
		first, _, _ := strings.Cut(strings.TrimSpace(complained.String()), "\n")
		return y, fmt.Errorf("%s: %w: %s", policy.Command[0], err, first)
	case y.Text == "":
		return y, fmt.Errorf("%s said nothing", policy.Command[0])
	}
	return y, nil
}

// conversation is a session as the command reads it: who said what, without
// tools. Of a long one the end is kept, where it says what came of it.
func conversation(page *corpus.SessionPage) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s\n", page.Session.Project, page.Session.Name)
	for _, m := range page.Messages {
		if m.Tool == "" && m.Text != "" {
			fmt.Fprintf(&b, "\n%s: %s\n", m.Role, m.Text)
		}
	}
	text := b.String()
	return strings.ToValidUTF8(text[max(0, len(text)-synopsisIn):], "")
}

// limited takes everything and keeps the beginning.
type limited struct {
	to   io.Writer
	left int
}

func (l *limited) Write(b []byte) (int, error) {
	n := min(len(b), l.left)
	l.left -= n
	if _, err := l.to.Write(b[:n]); err != nil {
		return 0, err
	}
	return len(b), nil
}
