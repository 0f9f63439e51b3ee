package corpus

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/hansard-search/hansard/corpus/internal/files"
	"github.com/hansard-search/hansard/corpus/internal/published"
	"github.com/hansard-search/hansard/corpus/internal/shard"
)

// Flush writes what Add took and publishes it. After an error of writing, or of ctx
// before it began, it is still here, searchable in this process, and the next Flush
// tries again.
func (ix *Indexer) Flush(ctx context.Context) error {
	if err := cmp.Or(ix.usable(), ctx.Err()); err != nil {
		return err
	}
	t := ix.tail
	if t == nil {
		return nil
	}
	if t.failed != nil {
		ix.dropTail()
		return fmt.Errorf("%d turns that were added since the last flush are lost: %w", t.turns, t.failed)
	}
	if len(t.run.sealed) > 0 {
		done, err := t.publish()
		if !done {
			return err
		}
		if err == nil {
			t.run.writeLedger()
			err = t.run.mergeDue(ctx)
		}
		if err != nil {
			ix.dropTail()
			return errors.Join(err, ix.reload())
		}
	}
	ix.dropTail()
	return nil
}

// dropTail lets go of the tail, written or not.
func (ix *Indexer) dropTail() {
	ix.tail.release()
	ix.tail = nil
}

// publish merges the shards in memory into one on disk and publishes it. Where
// that fails the tail is what it was.
func (t *tail) publish() (done bool, err error) {
	r := t.run
	params := r.man.Params
	r.man = r.base.Manifest.Successor()
	r.man.Params = params
	h, err := r.foldInto(r.sealed)
	if err != nil {
		return false, err
	}
	parts := r.sealed
	r.sealed = []*published.View{{Handle: h}}
	err = r.writeManifest()
	if r.ix.snap != r.base {
		for _, v := range parts {
			v.Release()
		}
		return true, err
	}
	r.unfold(h)
	r.sealed = parts
	return false, err
}

// mergeInto writes a shard of the inputs, which commit makes durable, and opens it.
func (ix *Indexer) mergeInto(name string, inputs []shard.Input) (*published.Handle, error) {
	path := filepath.Join(ix.cfg.Dir, published.ShardsDir, name)
	info, err := shard.Merge(path+files.TempSuffix, shard.Options{FS: ix.fsys, Late: true}, inputs)
	if err != nil {
		return nil, fmt.Errorf("merging into %s: %w", name, err)
	}
	ix.late[name] = true
	return openWritten(ix.fsys, ix.cfg.Dir, name, info.Size)
}
