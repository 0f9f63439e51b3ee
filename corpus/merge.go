package corpus

import (
	"context"
	"fmt"
	"math"
	"runtime/debug"
	"slices"

	"github.com/hansard-search/hansard/corpus/internal/manifest"
	"github.com/hansard-search/hansard/corpus/internal/published"
	"github.com/hansard-search/hansard/corpus/internal/shard"
)

// Shards are merged in tiers: a tier holds shards of up to mergeFanout times the
// size of the tier below, and when it has mergeFanout of them they become one.
// A byte is then written about log6(index/tierFloor) times: 7 times on the way
// from a one-turn shard to a gigabyte, with at most 5 shards a tier at rest.
const (
	mergeFanout = 6
	tierFloor   = 16 << 10 // bytes; smaller shards are of one tier
	maxShards   = 40       // what a reader opens at most

	// A shard of which more than this part is gone is written again.
	maxGone = 0.20

	// A refresh inside a search, or the end of a tail, merges at most this much and
	// leaves the rest to index; but where nobody runs that, and there are crowded
	// shards or more, it is as much as keeps them below maxShards.
	smallMerge   = 1 << 20
	crowdedMerge = 32 << 20
	crowded      = maxShards - 2*mergeFanout

	// A merge takes some 50 bytes of memory a document, so it makes no shard of more:
	// then an index of any size is made within the same memory.
	maxMergeDocs = 5 << 18

	// From here on a merge needs the memory that reading took: the analyzers' words
	// are some 15 MB a worker, its own tables 50 bytes a turn.
	largeMerge = 256 << 20
)

// mergeDue merges until no merge is due, publishing each.
func (r *run) mergeDue(ctx context.Context) error {
	for {
		picked := pickMerge(r.ix.snap.Manifest.Shards, r.opts.Small)
		if len(picked) == 0 || ctx.Err() != nil {
			return ctx.Err()
		}
		if err := r.merge(picked); err != nil {
			return fmt.Errorf("merging: %w", err)
		}
	}
}

// pickMerge chooses the shards to merge next, none when all is well.
func pickMerge(shards []manifest.Shard, small bool) []manifest.Shard {
	most := mergeMost(len(shards), small)
	tiers := make(map[int][]manifest.Shard)
	for _, s := range shards {
		t := tierOf(s.Size)
		tiers[t] = append(tiers[t], s)
	}
	for t := range maxShards {
		if picked := mergeable(tiers[t]); len(picked) >= mergeFanout && sizeOf(picked) <= most {
			return picked
		}
	}
	for _, s := range shards {
		gone, all := goneLen(s.GoneTurns)+goneLen(s.GoneSessions), s.Turns+s.Sessions
		if !small && float64(gone) > maxGone*float64(all) {
			return []manifest.Shard{s}
		}
	}
	if len(shards) > maxShards {
		bySize := slices.SortedFunc(slices.Values(shards), func(a, b manifest.Shard) int { return int(a.Size - b.Size) })
		return bySize[:len(shards)-maxShards+mergeFanout]
	}
	return nil
}

// mergeable are shards of a tier, the first ones, as many as one shard can take.
func mergeable(tier []manifest.Shard) (fit []manifest.Shard) {
	docs := 0
	for _, s := range tier {
		if n := s.Turns + s.Sessions; docs+n <= maxMergeDocs {
			docs += n
			fit = append(fit, s)
		}
	}
	return fit
}

// mergeMost is how many bytes are merged at once at most.
func mergeMost(shards int, small bool) int64 {
	switch {
	case !small:
		return math.MaxInt64
	case shards >= crowded:
		return crowdedMerge
	}
	return smallMerge
}

func tierOf(size int64) int {
	t := 0
	for limit := int64(tierFloor); size > limit; limit *= mergeFanout {
		t++
	}
	return t
}

// sizeOf is what shards take on disk, in bytes.
func sizeOf(shards []manifest.Shard) (sum int64) {
	for _, s := range shards {
		sum += s.Size
	}
	return sum
}

// merge makes one shard of the picked ones and publishes it in their place.
func (r *run) merge(picked []manifest.Shard) error {
	ix := r.ix
	if sizeOf(picked) > largeMerge {
		r.returnAnalyzers()
		ix.analyzers = nil
		debug.FreeOSMemory()
	}
	var inputs []shard.Input
	for _, v := range ix.snap.Views {
		if slices.ContainsFunc(picked, func(s manifest.Shard) bool { return s.Name == v.Name }) {
			inputs = append(inputs, shard.Input{Reader: v.Reader, GoneTurns: v.Gone[shard.Turn], GoneSessions: v.Gone[shard.Session]})
		}
	}
	if len(inputs) != len(picked) {
		return fmt.Errorf("a shard to merge is damaged; run hansard repair")
	}
	h, err := ix.mergeInto(published.ShardName(&r.next), inputs)
	if err != nil {
		return err
	}
	defer h.Release()
	return r.publishMerged(h, picked)
}

// publishMerged puts the merged shard where the newest of the picked ones was.
func (r *run) publishMerged(h *published.Handle, picked []manifest.Shard) error {
	e, err := newEntry(h, published.Gone{})
	if err != nil {
		return err
	}
	m := r.ix.snap.Manifest.Successor()
	m.Shards = slices.DeleteFunc(m.Shards, func(s manifest.Shard) bool {
		return slices.ContainsFunc(picked, func(p manifest.Shard) bool { return p.Name == s.Name })
	})
	if e != nil {
		m.Shards = append(m.Shards, *e)
	}
	defer r.ix.discard(h)
	return r.commit(m)
}
