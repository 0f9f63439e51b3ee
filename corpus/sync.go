package corpus

import (
	"context"
	"errors"
	"runtime"
	"sync"

	"github.com/hansard-search/hansard/corpus/internal/manifest"
	"github.com/hansard-search/hansard/corpus/internal/published"
	"github.com/hansard-search/hansard/corpus/internal/shard"
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
		replaced: make(map[signal.Hash][]stored.Place),
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

func (r *run) newBuilder() *builder {
	b := &builder{author: author{strategy: r.ix.cfg.Strategy, analyzer: r.ix.analyzer()}, fsys: r.ix.fsys, dir: r.ix.cfg.Dir, next: &r.next, holds: r.holds}
	r.builders = append(r.builders, b)
	return b
}

// readAll reads the jobs with as many workers as there are processors.
func (r *run) readAll(ctx context.Context, jobs []job) error {
	oldestFirst(jobs)
	r.report.Transcripts.Opened = len(jobs)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	work := make(chan *job, 1) // or a worker waits for who hands the jobs out
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(jobs)) {
		b := r.newBuilder()
		workers.Go(func() {
			for j := range work {
				if err := r.protected(func() error { return r.readOne(ctx, b, j) }); err != nil {
					cancel(err)
				}
			}
		})
	}
	r.feed(ctx, jobs, work)
	close(work)
	workers.Wait()
	return context.Cause(ctx)
}

// feed hands the jobs to the workers and tells how far they are.
func (r *run) feed(ctx context.Context, jobs []job, work chan<- *job) {
	p := Progress{Total: len(jobs)}
	for i := range jobs {
		p.BytesTotal += jobs[i].toRead()
	}
	for i := range jobs {
		select {
		case work <- &jobs[i]:
		case <-ctx.Done():
			return
		}
		p.Done++
		p.BytesDone += jobs[i].toRead()
		if r.ix.cfg.Progress != nil {
			r.ix.cfg.Progress(p)
		}
	}
}

// toRead is about how many bytes of the transcript will be read.
func (j *job) toRead() int64 {
	if j.row == nil || j.whole {
		return j.info.Size
	}
	return max(0, j.info.Size-j.row.From.Offset)
}

func (r *run) readOne(ctx context.Context, b *builder, j *job) error {
	if ctx.Err() != nil {
		return nil
	}
	if err := r.read(ctx, b, j); err != nil {
		return err
	}
	if !b.full() {
		return nil
	}
	return r.seal(b)
}

// seal finishes a builder's shard. Other workers go on meanwhile: they find what is
// in it as before, and from then on in the shard.
func (r *run) seal(b *builder) error {
	r.mu.Lock()
	err := r.amendMoved(b)
	r.mu.Unlock()
	if err != nil {
		return err
	}
	h, err := b.finish()
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.take(b, h)
	r.forgetSealed()
	return nil
}

// forgetSealed gives the memory of the run's shards back: each turn is looked for
// in all of them.
func (r *run) forgetSealed() {
	for _, v := range r.sealed {
		v.Forget()
	}
}

// sealLocked is seal while others wait. Holds mu.
func (r *run) sealLocked(b *builder) error {
	if err := r.amendMoved(b); err != nil {
		return err
	}
	h, err := b.finish()
	if err == nil {
		r.take(b, h)
	}
	return err
}

// take takes a builder's finished shard over; nil when there is none. Holds mu.
func (r *run) take(b *builder, h *published.Handle) {
	if h == nil {
		return
	}
	keys := &[2]keySet{keySetOf(b.slots[shard.Turn].numbers), keySetOf(b.slots[shard.Session].numbers)}
	v := b.handOver(h)
	r.keys[v] = keys
	r.sealed = append(r.sealed, v)
}

// sealAll finishes what the workers began, side by side, with the turns that moved
// since they were written.
func (r *run) sealAll() error {
	handles, errs := make([]*published.Handle, len(r.builders)), make([]error, len(r.builders))
	lists, err := r.spread()
	if err != nil {
		return err
	}
	moved, done := make([][]amendment, len(r.builders)), make([][]amendment, len(r.builders))
	for i, b := range r.builders {
		moved[i] = r.movedIn(b) // before any of them takes what it writes again out of the map
	}
	var sealing sync.WaitGroup
	for i, b := range r.builders {
		sealing.Go(func() {
			errs[i] = r.protected(func() (err error) {
				if done[i], err = b.amendAll(moved[i]); err != nil {
					return err
				}
				if err = r.moveInto(b, lists[i]); err != nil {
					return err
				}
				handles[i], err = b.finish()
				return err
			})
		})
	}
	sealing.Wait()
	for i, b := range r.builders {
		r.amended(b, done[i])
		r.take(b, handles[i])
		b.spent = nil
	}
	return errors.Join(errs...)
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
