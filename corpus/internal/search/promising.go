package search

import (
	bit "math/bits"

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
func (k *skipper) promising(want int, emit emitter) error {
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
		k.in = k.pass.all(b)
		k.undone(b)
		if k.unscored(b, &k.in); k.best64(b, want/int(n)+1) {
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
			all.cover += k.plan.Words[w].Weight
		}
	}
	rest := all
	if !k.crowded(b, 0, k.heads) || !k.choose(0, 0, &rest) {
		return false
	}
	k.rough.unit = roughMost / (all.sum - rest.sum)
	high := k.cover.Score(all.sum, all.cover)
	for range rounds {
		k.roughen(b)
		some, low := k.highest(&high, rest, want)
		if count(some) <= 2*want {
			return k.choice(some)
		}
		top, _ := k.needs(low, rest)
		k.rough.unit = roughLow / top
	}
	return false
}

// rounds is how often rough scores are made until they tell as few documents from the
// others as are wanted: those of common words are small beside one of a rare word.
// halvings is how often the range of scores is halved to find these.
const rounds, halvings = 3, 7

// highest returns documents of k.in that have the highest rough scores, low at least,
// want of them where there are so many. It lowers high to a score that fewer have.
func (k *skipper) highest(high *float64, rest limit, want int) (some shard.Mask, low float64) {
	for range halvings {
		mid, docs := (low+*high)/2, k.in
		if _, ok := k.needs(mid, rest); !ok {
			low = mid
			continue
		}
		if k.dense.Over(k.rough.leasts(), (*[shard.BlockDocs / 64]uint64)(&docs)); count(docs) < want {
			*high = mid
		} else {
			low, some = mid, docs
		}
	}
	return some, low
}

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
