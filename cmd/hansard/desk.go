package main

import (
	"context"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/hansard-search/hansard/corpus"
	"github.com/hansard-search/hansard/presets"
	"github.com/hansard-search/hansard/strategies"
)

// A desk is where one command works: a preset, and the folder of its corpus.
type desk struct {
	*program
	preset presets.Preset
	data   string // folder of all corpora
	built  bool   // there is an index, or the remains of one
}

// desk finds the preset of --preset.
func (p *program) desk(c *cli.Context) (*desk, error) { return p.named(c.String("preset")) }

// named finds a preset by its name; "" is the default one.
func (p *program) named(preset string) (*desk, error) {
	file, err := p.config()
	if err != nil {
		return nil, err
	}
	d := &desk{program: p}
	if d.preset, err = file.Lookup(preset); err != nil {
		return nil, err
	}
	if t, ok := p.print.(*textPrinter); ok && d.preset.Name != file.Default {
		t.screen.named = d.preset.Name
	}
	if d.data, err = p.dataDir(); err != nil {
		return nil, err
	}
	d.built = corpus.Built(d.dir())
	return d, nil
}

// dataDir is the folder of all corpora.
func (p *program) dataDir() (string, error) {
	dir, err := p.DataDir()
	if err != nil {
		return "", usage("", "%v", err)
	}
	return dir, nil
}

// config reads the config file and passes its warnings on.
func (p *program) config() (*presets.File, error) {
	file, err := p.Load()
	if err != nil {
		return nil, err
	}
	for _, w := range file.Warnings {
		p.print.warn(w)
	}
	return file, nil
}

func (d *desk) dir() string { return filepath.Join(d.data, d.preset.Name) }

// open opens what is published. The caller closes it.
func (d *desk) open() (*corpus.Corpus, error) {
	c, err := corpus.Open(d.dir())
	if err != nil {
		return nil, err
	}
	c.Name = d.preset.Name
	return c, nil
}

// open opens the index of the corpus that a command line names.
func (p *program) open(c *cli.Context) (*corpus.Corpus, error) {
	d, err := p.desk(c)
	if err != nil {
		return nil, err
	}
	return d.open()
}

// params are those to go on with: the ones that the index was built under,
// or the preset's for a new index or after a change of the config. old may be nil.
func (d *desk) params(old *corpus.Corpus) corpus.Params {
	fresh := d.preset.Params(d.Env)
	if old == nil {
		return fresh
	}
	return presets.Choose(d.Env, old.Params(), fresh)
}

// checkRoots complains about folders that the config names and that are not
// there. Where there is an index already, searching it needs none of them.
func (d *desk) checkRoots(must bool) error {
	err := d.preset.MissingRoot()
	if err == nil || must {
		return err
	}
	d.print.warn(err.Error())
	return nil
}

// An errand is one run of the indexer.
type errand struct {
	params corpus.Params  // remembered with the index
	roots  []corpus.Root  // read instead of params.Roots when not empty
	old    *corpus.Corpus // open on the index, nil where there is none
	wait   time.Duration  // for the lock
	full   bool
	small  bool

	synopses map[string]strategies.Synopsis // to be kept with their sessions
}

// index runs the indexer once.
func (d *desk) index(ctx context.Context, e errand) (*corpus.Report, error) {
	read := e.params
	if len(e.roots) > 0 {
		read.Roots = e.roots
	}
	cfg, err := d.Corpus(d.data, d.preset.Name, read)
	if err != nil {
		return nil, err
	}
	if e.old == nil {
		expectAll()
	}
	bar := d.progress()
	defer bar.done()
	cfg.Holder, cfg.Wait, cfg.Reader = d.command, e.wait, e.old
	cfg.Progress = func(p corpus.Progress) { expect(p.BytesTotal); bar.move(p) }
	opts := corpus.SyncOptions{Full: e.full, Small: e.small, Params: e.params}
	if len(e.synopses) > 0 {
		cfg.Strategy = strategies.WithSynopsis(cfg.Strategy, e.synopses)
		opts.Reread = slices.Collect(maps.Keys(e.synopses))
	}
	return corpus.Sync(ctx, cfg, opts)
}
