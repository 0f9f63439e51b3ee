package corpus

import (
	"math"
	bit "math/bits"

	"github.com/hansard-search/hansard/corpus/internal/rank"
	"github.com/hansard-search/hansard/corpus/internal/shard"
)

// slack makes up for rounding where bounds are compared with scores.
const slack = 1 + 1e-5

// A limit is the most that something can add to a score: the sum of words'
// scores, and the weight of these words.
type limit struct{ sum, cover float64 }

// laneNorms are a lane's norms in half the space: bounds need not be exact.
type laneNorms [256]float32

// laneNormsOf are the norms of lanes, of turns without tools, and with.
func laneNormsOf(lanes []lane) [][2]laneNorms {
	all := make([][2]laneNorms, len(lanes))
	for i := range lanes {
		for tools, n := range lanes[i].norms {
			for c := range n {
				all[i][tools][c] = float32(n[c])
			}
		}
	}
	return all
}

// bounds are what the documents of a block can score at most, as far as their
// words are read. They are all zero between blocks.
type bounds struct {
	x    [shard.BlockDocs]float32 // occurrences of the word at hand
	at   [shard.BlockDocs]struct{ sum, cover float32 }
	seen shard.Mask // documents that have a bound
}

// fold adds a word to the bounds of those documents that have it and are in
// mask (nil: all): what their occurrences in x make of its weight.
func (b *bounds) fold(has, mask *shard.Mask, weight, cover float32) {
	const k1 = float32(rank.K1)
	weight *= k1 + 1
	for n, word := range has {
		if mask != nil {
			word &= mask[n]
		}
		b.seen[n] |= word
		for m := word; m != 0; m &= m - 1 {
			i := (n<<6 | bit.TrailingZeros64(m)) & blockMask
			x := b.x[i]
			b.x[i] = 0
			b.at[i].sum += weight * x / (x + k1)
			b.at[i].cover += cover
		}
	}
}

// add adds a weight to the bounds of those documents in has that are in mask
// (nil: all).
func (b *bounds) add(has, mask *shard.Mask, weight, cover float32) {
	for n, word := range has {
		if mask != nil {
			word &= mask[n]
		}
		b.seen[n] |= word
		for m := word; m != 0; m &= m - 1 {
			at := &b.at[n<<6|bit.TrailingZeros64(m)]
			at.sum += weight
			at.cover += cover
		}
	}
}

// clear makes the bounds all zero.
func (b *bounds) clear() {
	for n, word := range b.seen {
		if word != 0 {
			clear(b.at[n<<6 : (n+1)<<6])
		}
	}
	b.seen = shard.Mask{}
}

// below is all ones where x is below y, neither of which is negative: a branch
// that nobody can foresee takes longer.
func below(x, y float32) uint64 {
	return uint64(int64(int32(math.Float32bits(x)-math.Float32bits(y)) >> 31))
}
