package search

import (
	"math"

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

// laneNormsOf halves norms.
func laneNormsOf(n *rank.Norms) *laneNorms {
	half := new(laneNorms)
	for c := range n {
		half[c] = float32(n[c])
	}
	return half
}

// bounds are what the documents of a block can score at most, as far as their
// words are read. They are all zero between blocks.
type bounds struct {
	x     [shard.BlockDocs]float32 // occurrences of the word at hand
	fresh documents                // that have some
	at    [shard.BlockDocs]bound
	docs  documents // that have a bound
}

// A bound is what the words that were read make of a document at most.
type bound struct{ sum, cover float32 }

// documents of a block are put in without a branch, which nobody could foresee:
// it takes longer than to write one that the next overwrites.
type documents struct {
	all [2 * shard.BlockDocs]uint16 // twice, so that there is always a place behind the last one
	n   int
}

// add puts a document in when x, which is not negative, is 0.
func (d *documents) add(i uint16, x float32) {
	d.all[d.n&(2*shard.BlockDocs-1)] = i
	d.n -= int(none(x))
}

func (d *documents) list() []uint16 { return d.all[:min(d.n, len(d.all))] }

// fold adds a word to the bounds of those documents that have it: what their
// occurrences make of its weight.
func (b *bounds) fold(weight, cover float32) {
	const k1 = float32(rank.K1)
	weight *= k1 + 1
	for _, i := range b.fresh.list() {
		x := b.x[i&blockMask]
		b.x[i&blockMask] = 0
		b.add(i, weight*x/(x+k1), cover)
	}
	b.fresh.n = 0
}

// keep leaves out documents that have no bound and less of the word at hand than
// is enough.
func (b *bounds) keep(enough float32) {
	docs, kept := b.fresh.list(), 0
	for _, i := range docs {
		x := b.x[i&blockMask]
		low := below(x, enough) & none(b.at[i&blockMask].cover)
		docs[kept] = i
		kept += int(low + 1)
		b.x[i&blockMask] = math.Float32frombits(math.Float32bits(x) &^ uint32(low))
	}
	b.fresh.n = kept
}

// add adds to the bound of a document.
func (b *bounds) add(i uint16, sum, cover float32) {
	at := &b.at[i&blockMask]
	b.docs.add(i, at.cover)
	at.sum += sum
	at.cover += cover
}

// drop leaves those documents out of which the bounds are below least, when up
// is added to the sum and known, and per for what is covered, make the factor.
func (b *bounds) drop(least, up, known, per float32) {
	docs, kept := b.docs.list(), 0
	for _, i := range docs {
		at := &b.at[i&blockMask]
		low := below((at.sum+up)*(known+per*at.cover), least)
		docs[kept] = i
		kept += int(low + 1)
		at.sum = math.Float32frombits(math.Float32bits(at.sum) &^ uint32(low))
		at.cover = math.Float32frombits(math.Float32bits(at.cover) &^ uint32(low))
	}
	b.docs.n = kept
}

// clear makes the bounds all zero.
func (b *bounds) clear() {
	for _, i := range b.docs.list() {
		b.at[i&blockMask] = bound{}
	}
	b.docs.n = 0
}

// below is all ones where x is below y, neither of which is negative, or x less
// than everything: a branch that nobody can foresee takes longer.
func below(x, y float32) uint64 {
	return uint64(int64(int32(math.Float32bits(x)-math.Float32bits(y)) >> 31))
}

// none is all ones where x, which is not negative, is 0.
func none(x float32) uint64 { return uint64(int64(int32(math.Float32bits(x)-1) >> 31)) }
