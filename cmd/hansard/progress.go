package main

import (
	"time"

	"github.com/schollz/progressbar/v3"

	"github.com/hansard-search/hansard/corpus"
)

// patience is how long a run may take before people want to see it move.
const patience = 500 * time.Millisecond

// A bar shows how far the indexer is: on a terminal, and only when it takes
// longer than a moment. On a pipe it is nothing.
type bar struct {
	world
	since time.Time
	drawn *progressbar.ProgressBar
}

func (w world) progress() *bar { return &bar{world: w, since: w.Now()} }

// move is called by the indexer.
func (b *bar) move(p corpus.Progress) {
	if b.errWidth == 0 || b.Now().Sub(b.since) < patience {
		return
	}
	done, total := p.BytesDone, p.BytesTotal
	if total == 0 {
		done, total = int64(p.Done), int64(p.Total)
	}
	if b.drawn == nil {
		b.drawn = progressbar.NewOptions64(total,
			progressbar.OptionSetWriter(b.err),
			progressbar.OptionSetDescription("reading transcripts"),
			progressbar.OptionShowBytes(p.BytesTotal > 0),
			progressbar.OptionSetWidth(max(10, min(40, b.errWidth-60))), // beside the words and figures
			progressbar.OptionThrottle(65*time.Millisecond),
			progressbar.OptionClearOnFinish(),
		)
	}
	b.drawn.ChangeMax64(total)
	_ = b.drawn.Set64(min(done, total)) // a bar that cannot be drawn is no reason to stop
}

// done takes the bar away.
func (b *bar) done() {
	if b.drawn != nil {
		_ = b.drawn.Clear()
	}
}
