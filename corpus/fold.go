package corpus

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hansard-search/hansard/corpus/internal/files"
	"github.com/hansard-search/hansard/corpus/internal/manifest"
	"github.com/hansard-search/hansard/corpus/internal/published"
	"github.com/hansard-search/hansard/corpus/internal/shard"
)

// What a run of few turns wrote is in memory until it is published. It becomes one
// shard then, together with the published ones that it would be merged with right
// after: so a turn is written a time less, and with one manifest instead of two.

// holdFinished opens a shard that is so small that it stays in memory; nil for
// another.
func (b *builder) holdFinished() (*published.Handle, error) {
	p, err := b.writer.FinishBytes()
	if p == nil || err != nil {
		return nil, err
	}
	r, err := shard.OpenBytes(p)
	if err != nil {
		return nil, err
	}
	return published.NewHandle(r, strings.TrimSuffix(b.name, published.ShardExt)+"-held"), nil
}

// fold writes what the run has in memory.
func (r *run) fold() error {
	var held, written []*published.View
	for _, v := range r.sealed {
		if v.Held() {
			held = append(held, v)
		} else {
			written = append(written, v)
		}
	}
	if len(held) == 0 {
		return nil
	}
	h, err := r.foldInto(held)
	if err != nil {
		return err
	}
	r.sealed = append(written, &published.View{Handle: h})
	for _, v := range held {
		delete(r.gone, v)
		v.Release()
	}
	return nil
}

// foldInto makes a shard of those in memory and of the published ones that are
// due to be merged with it, which are folded then. Where these cannot be merged it
// does without: who merges them next tells.
func (r *run) foldInto(held []*published.View) (*published.Handle, error) {
	due, err := r.dueWith(held)
	if err != nil {
		return nil, err
	}
	name := published.ShardName(&r.next)
	if gone := r.goneOf(held[0]); len(due) == 0 && len(held) == 1 && gone[0].Len()+gone[1].Len() == 0 {
		return r.ix.writeHeld(name, held[0])
	}
	var h *published.Handle
	err = r.protected(func() (err error) {
		h, err = r.ix.mergeInto(name, r.inputs(slices.Concat(due, held)))
		return err
	})
	if err != nil && len(due) > 0 {
		due = nil
		h, err = r.ix.mergeInto(name, r.inputs(held))
	}
	r.folded = due
	return h, err
}

// writeHeld writes a shard in memory as it is.
func (ix *Indexer) writeHeld(name string, v *published.View) (*published.Handle, error) {
	path := filepath.Join(ix.cfg.Dir, published.ShardsDir, name) + files.TempSuffix
	f, err := ix.fsys.Create(path)
	if err != nil {
		return nil, fmt.Errorf("writing shard %s: %w", name, err)
	}
	_, err = v.WriteTo(f)
	if err = errors.Join(err, f.Close()); err != nil {
		ix.fsys.Remove(path)
		return nil, fmt.Errorf("writing shard %s: %w", name, err)
	}
	ix.late[name] = true
	return openWritten(ix.fsys, ix.cfg.Dir, name, v.Info().Size)
}

// dueWith are the published shards that have to be merged, as soon as one of held
// is there too.
func (r *run) dueWith(held []*published.View) ([]*published.View, error) {
	shards, err := r.entriesOf(r.base.Views)
	if err != nil {
		return nil, err
	}
	var whole manifest.Shard // has no name
	for _, v := range held {
		info := v.Info()
		whole.Size += info.Size
		whole.Turns += info.Turns
		whole.Sessions += info.Sessions
	}
	due := make(map[string]bool)
	for {
		picked := pickMerge(append(slices.Clone(shards), whole), r.opts.Small)
		picked = slices.DeleteFunc(picked, func(s manifest.Shard) bool { return s.Name == "" })
		if len(picked) == 0 || whole.Size+sizeOf(picked) > smallMerge {
			break
		}
		for _, s := range picked {
			due[s.Name] = true
			whole.Turns += s.Turns
			whole.Sessions += s.Sessions
		}
		whole.Size += sizeOf(picked)
		shards = slices.DeleteFunc(shards, func(s manifest.Shard) bool { return due[s.Name] })
	}
	return slices.DeleteFunc(slices.Clone(r.base.Views), func(v *published.View) bool { return !due[v.Name] }), nil
}

// unfold takes back what a failed publication folded.
func (r *run) unfold(h *published.Handle) {
	h.Release()
	r.folded = nil
	if r.ix.broken == nil {
		r.ix.fsys.Remove(filepath.Join(r.ix.cfg.Dir, published.ShardsDir, h.Name))
	}
}
