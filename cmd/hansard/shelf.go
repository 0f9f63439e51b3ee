package main

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/hansard-search/hansard/corpus"
	"github.com/hansard-search/hansard/mcp"
	"github.com/hansard-search/hansard/presets"
)

// freshFor is how long what was read counts as up to date: agents ask several
// questions in a row, and nobody types faster.
const freshFor = 2 * time.Second

// A shelf keeps corpora open between the calls of a server. It is safe for
// concurrent use.
type shelf struct {
	*program
	preset  string // that is meant by ""
	mu      sync.Mutex
	drawers map[string]*drawer
}

// A drawer holds the corpus of one preset.
type drawer struct {
	mu     sync.Mutex
	corpus *corpus.Corpus // nil: not open yet
	state  string         // what became of the last refresh
	at     time.Time      // of the last refresh
}

// Open returns a corpus after bringing it up to date, at most once in a while.
// It stays open: a corpus sees by itself what is published.
func (s *shelf) Open(ctx context.Context, preset string) (*mcp.Reading, error) {
	if preset == "" {
		preset = s.preset
	}
	d, err := s.named(preset)
	if e := (*presets.ConfigError)(nil); errors.As(err, &e) && preset != s.preset {
		return nil, corpus.ErrNoCorpus
	}
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	w := s.drawers[d.preset.Name]
	if w == nil {
		w = &drawer{}
		s.drawers[d.preset.Name] = w
	}
	s.mu.Unlock()
	return w.open(ctx, d)
}

func (w *drawer) open(ctx context.Context, d *desk) (*mcp.Reading, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.corpus != nil && d.Now().Sub(w.at) < freshFor {
		return w.reading(), nil
	}
	if w.corpus == nil {
		old, err := d.open()
		if err != nil && !errors.Is(err, corpus.ErrNoCorpus) {
			return nil, err
		}
		w.corpus = old
	}
	r, err := d.refreshed(ctx, w.corpus, nil)
	switch {
	case err != nil:
		if w.corpus != nil {
			w.corpus.Close() // it may be closed already; the next call opens it anew
			w.corpus = nil
		}
		return nil, err
	case r.corpus.Sample: // gone after the call; the next one looks again
		w.corpus = nil
		return &mcp.Reading{Corpus: r.corpus, Refresh: r.refresh, Close: r.close}, nil
	}
	w.corpus, w.state = r.corpus, r.refresh
	if r.refresh != corpus.RefreshLocked { // else the next call tries again
		w.at = d.Now()
	}
	return w.reading(), nil
}

func (w *drawer) reading() *mcp.Reading {
	return &mcp.Reading{Corpus: w.corpus, Refresh: w.state, Close: func() {}}
}

func (s *shelf) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, w := range s.drawers {
		if w.corpus != nil {
			w.corpus.Close()
		}
	}
}
