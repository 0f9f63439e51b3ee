package corpus

import (
	"context"
	"errors"
	"runtime"
	"sync"

	"github.com/hansard-search/hansard/corpus/internal/published"
	"github.com/hansard-search/hansard/corpus/internal/shard"
)

// Workers read transcripts side by side, each into a builder of its own, which is
// sealed when its shard has grown to its size: it is a shard of the run from then on.

// newBuilder makes a builder, which is for one worker, and ends with the run.
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

// readOne reads a transcript, and seals the shard that has grown to its size with it.
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
