package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/hansard-search/hansard/corpus"
	"github.com/hansard-search/hansard/samples"
)

// samples opens a corpus of the built-in samples in a temporary folder, which
// goes with close. old is the corpus that turned out to be empty, or nil.
// looked are the folders in which there was nothing.
func (d *desk) samples(ctx context.Context, old *corpus.Corpus, looked []corpus.Root) (*reading, error) {
	if old != nil {
		old.Close()
	}
	tmp, err := os.MkdirTemp("", "hansard-samples-")
	if err != nil {
		return nil, fmt.Errorf("laying out samples: %w", err)
	}
	c, err := d.sampleCorpus(ctx, tmp)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(tmp))
	}
	var dirs []string
	for _, r := range looked {
		dirs = append(dirs, r.Dir)
	}
	d.print.warn("no transcripts in " + strings.Join(dirs, ", ") + "; elsewhere? --source claude=DIR or pi=DIR")
	return &reading{c, corpus.RefreshDone, func() {
		c.Close()
		_ = os.RemoveAll(tmp) // the system clears it otherwise
	}}, nil
}

func (d *desk) sampleCorpus(ctx context.Context, tmp string) (*corpus.Corpus, error) {
	dir := filepath.Join(tmp, "transcripts")
	if err := samples.Lay(dir); err != nil {
		return nil, err
	}
	roots := []corpus.Root{
		{Kind: "claude", Dir: filepath.Join(dir, samples.ClaudeDir)},
		{Kind: "pi", Dir: filepath.Join(dir, samples.PiDir)},
	}
	s := &desk{program: d.program, preset: d.preset, data: tmp}
	if _, err := s.index(ctx, errand{params: corpus.Params{Since: "all", Roots: roots}}); err != nil {
		return nil, err
	}
	c, err := s.open()
	if err == nil {
		c.Sample = true
	}
	return c, err
}
