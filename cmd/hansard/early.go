package main

import (
	"context"

	"github.com/hansard-search/hansard/corpus"
)

// An early answer is looked for while the index is brought up to date. Mostly
// nothing is new, and then it is the answer.
type early struct {
	query  corpus.Query
	of     *corpus.Corpus // nil: not begun
	epoch  string
	stop   func()
	answer chan *corpus.Answer
}

// begin asks old, which was just opened.
func (e *early) begin(ctx context.Context, old *corpus.Corpus) {
	ctx, e.stop = context.WithCancel(ctx)
	e.of, e.epoch, e.answer = old, old.Epoch(), make(chan *corpus.Answer, 1) // nobody may come for it
	go func() {
		a, err := old.Search(ctx, e.query)
		if err != nil {
			a = nil // the same again will tell
		}
		e.answer <- a
	}()
}

// settle is the answer of c, which is what there is after the refresh.
func (e *early) settle(ctx context.Context, c *corpus.Corpus) (*corpus.Answer, error) {
	if e.of == nil {
		return c.Search(ctx, e.query)
	}
	defer e.stop()
	if e.of == c && e.epoch != "" && c.Epoch() == e.epoch {
		if a := <-e.answer; a != nil {
			return a, nil
		}
	}
	e.stop()
	return c.Search(ctx, e.query)
}
