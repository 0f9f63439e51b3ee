package corpus

import (
	"context"
	"errors"

	"github.com/hansard-search/hansard/corpus/internal/manifest"
	"github.com/hansard-search/hansard/corpus/internal/published"
	"github.com/hansard-search/hansard/corpus/internal/signal"
	"github.com/hansard-search/hansard/corpus/internal/stored"
	"github.com/hansard-search/hansard/corpus/internal/transcripts"
)

// Sync brings the corpus up to date with its sources and publishes it: it looks
// at the stat of every transcript, reads on in those that changed, and writes the
// turns whose content hash is another than before. When nothing changed it opens
// no transcript, writes nothing, and leaves the ledger alone. After an error what
// is published is what it was or, when only the merging behind it failed, what the
// run made of it; the indexer can be used on.
func (ix *Indexer) Sync(ctx context.Context, opts SyncOptions) (*Report, error) {
	if err := ix.usable(); err != nil {
		return nil, err
	}
	if err := ix.Flush(ctx); err != nil {
		return nil, err
	}
	r := ix.begin(opts)
	r.man.Params = opts.Params.manifest(ix.cfg.Strategy)
	r.key = readingKey(r.man.Params)
	r.holds = true
	err := r.protected(func() error { return r.all(ctx) })
	r.end()
	if err != nil {
		return nil, errors.Join(err, ix.reload())
	}
	return r.finish(), nil
}

// all is the whole of a run.
func (r *run) all(ctx context.Context) error {
	jobs, err := r.scan(ctx)
	if err != nil {
		return err
	}
	if err := r.pickNewest(ctx, jobs); err != nil {
		return err
	}
	if r.wantsLedger(jobs) {
		r.openLedger()
	}
	if err := r.renew(); err != nil {
		return err
	}
	if err := r.readAll(ctx, jobs); err != nil {
		return err
	}
	return r.publish(ctx)
}

// protected turns faults in the files that the run has mapped into errors.
func (r *run) protected(do func() error) error {
	return published.Protect(func(addr uintptr) (file string, ok bool) {
		if r.ix.table.Holds(addr) {
			return r.ix.table.Ref().Name, true
		}
		return r.base.Holder(addr)
	}, do)
}

// begin starts a run from what is published.
func (ix *Indexer) begin(opts SyncOptions) *run {
	r := &run{
		ix: ix, opts: opts, base: ix.snap.Retain(), man: ix.snap.Manifest.Successor(), started: ix.cfg.Now(), walks: ix.ahead,
		keys:     make(map[*published.View]*[2]keySet),
		gone:     make(map[*published.View]*published.Gone),
		moved:    make(map[signal.Hash][]stored.Place),
		vanished: make(map[string]bool), tombs: tombs(ix.snap.Manifest.Tombstones),
	}
	r.report = Report{Preset: ix.cfg.Name, Skipped: []SkippedLine{}}
	if r.walks != nil {
		r.started, ix.ahead = r.walks.began, nil
	}
	r.next.Store(r.man.Next)
	r.notes = !opts.Small && r.hasLedger()
	return r
}

// stage notes a row for the table, which one goroutine at a time may change.
func (r *run) stage(row *transcripts.Row) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.rows = append(r.rows, row)
}

func (r *run) putStaged() {
	for _, row := range r.rows {
		r.ix.table.Put(row)
	}
	r.rows = nil
}

// end lets go of what the run held. Unfinished shards are dropped.
func (r *run) end() {
	for _, b := range r.builders {
		b.abort()
	}
	r.returnAnalyzers()
	for _, v := range r.sealed {
		r.ix.discard(v.Handle)
		v.Release()
	}
	r.base.Release()
	r.dropLedger()
}

// finish completes the report with the totals of what is published now.
func (r *run) finish() *Report {
	m := r.ix.snap.Manifest
	rep := r.report
	rep.Turns, rep.Records = liveCounts(m)
	rep.Sessions = rep.Records
	rep.Unchanged = rep.Turns - rep.Added - rep.Changed
	rep.ElapsedMs = r.ix.cfg.Now().Sub(r.started).Milliseconds()
	return &rep
}

// liveCounts is the number of live turns and session records.
func liveCounts(m *manifest.Manifest) (turns, sessions int) {
	for i := range m.Shards {
		s := &m.Shards[i]
		turns += s.Turns - goneLen(s.GoneTurns)
		sessions += s.Sessions - goneLen(s.GoneSessions)
	}
	return turns, sessions
}

func goneLen(b []byte) int {
	s, err := published.ParseGone(b)
	if err != nil {
		return 0
	}
	return s.Len()
}
