package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/hansard-search/hansard/corpus"
)

const (
	// patience is how long a run may take before people want to see it move.
	patience = 500 * time.Millisecond
	// redraw is how often the bar moves: as often as the eye follows.
	redraw = 65 * time.Millisecond
	// barWidth leaves room on a narrow terminal for the words beside it.
	barWidth = 30
)

// A bar shows how far the indexer is: on a terminal, and only when it takes
// longer than a moment. On a pipe it is nothing.
type bar struct {
	world
	since time.Time
	drawn time.Time // zero: not yet
}

func (w world) progress() *bar { return &bar{world: w, since: w.Now()} }

// move is called by the indexer.
func (b *bar) move(p corpus.Progress) {
	now := b.Now()
	if b.errWidth == 0 || now.Sub(b.since) < patience || now.Sub(b.drawn) < redraw {
		return
	}
	b.drawn = now
	fmt.Fprintf(b.err, "\r\x1b[K%s", barText(p, b.errWidth))
}

// done takes the bar away.
func (b *bar) done() {
	if !b.drawn.IsZero() {
		fmt.Fprint(b.err, "\r\x1b[K")
	}
}

// barText is the bar on one line of so many columns.
func barText(p corpus.Progress, columns int) safe {
	done, total := p.BytesDone, p.BytesTotal
	of := size(done) + " of " + size(total)
	if total == 0 {
		done, total = int64(p.Done), int64(p.Total)
		of = num(p.Done) + " of " + count(p.Total, "transcript")
	}
	full := 0
	if total > 0 {
		full = int(barWidth * min(done, total) / total)
	}
	drawn := safe(strings.Repeat("█", full) + strings.Repeat("░", barWidth-full))
	return fit("reading transcripts "+drawn+" "+of, columns-1)
}
