package corpus

import (
	bit "math/bits"

	"github.com/hansard-search/hansard/corpus/internal/rank"
	"github.com/hansard-search/hansard/corpus/internal/shard"
)

// samples is how many blocks a sample is taken from where words are too common to
// read their lists beforehand.
const samples = 8

// A done is what was scored of a block beforehand.
type done struct {
	block uint32
	docs  shard.Mask
}

// promising scores those documents of some blocks that most likely score well, want
// of all: by their rough scores.
func (k *skipper) promising(want int, emit func(doc uint32, score float64)) error {
	blocks := k.blocks()
	n := min(samples, blocks)
	for i := range n {
		b := i * blocks / n
		if k.pass.none(b) {
			continue
		}
		if err := k.load(b); err != nil {
			return err
		}
		if k.in = k.pass.all(b); k.best64(b, want/int(n)+1) {
			k.done = append(k.done, done{b, k.want})
			k.finish(b, emit)
		}
	}
	return nil
}

// best64 makes those documents of k.in candidates that have the highest rough scores,
// want at least, and reports whether there are so many and words so common.
func (k *skipper) best64(b uint32, want int) bool {
	var all limit
	for _, w := range k.order {
		if k.most[w] = k.seek(w, b); k.most[w] > 0 {
			all.sum += k.most[w]
			all.cover += k.plan.words[w].weight
		}
	}
	rest := all
	if !k.crowded(b, 0, k.heads) || !k.choose(0, 0, &rest) {
		return false
	}
	k.rough.unit = roughHigh / (all.sum - rest.sum)
	k.roughen(b)
	var least [1 << rank.RoughWords]uint8
	var left shard.Mask
	low, high := 0.0, k.cover.Score(all.sum, all.cover)
	for range halvings {
		mid := (low + high) / 2
		docs := k.in
		if !k.leasts(mid, rest, &least) {
			return false
		}
		if k.dense.Over(&least, (*[shard.BlockDocs / 64]uint64)(&docs)); count(docs) < want {
			high = mid
		} else {
			low, left = mid, docs
		}
	}
	return k.choice(left)
}

// halvings is how often the range of scores is halved to find as many as are wanted.
const halvings = 7

func count(docs shard.Mask) (n int) {
	for _, w := range docs {
		n += bit.OnesCount64(w)
	}
	return n
}

// undone leaves what is scored out of k.in.
func (k *skipper) undone(b uint32) {
	for i := range k.done {
		if d := &k.done[i]; d.block == b {
			for n, w := range d.docs {
				k.in[n] &^= w
			}
		}
	}
}
