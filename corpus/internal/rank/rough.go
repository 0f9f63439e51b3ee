package rank

import (
	"math"
	"math/bits"
)

// RoughDocs is of how many documents a Rough holds scores.
const RoughDocs = 4096

// A Rough holds bounds of the scores of a block of documents in a byte each, so
// that 64 of them are made at a time: of words that most documents have, nearly
// none can reach the floor, and telling these takes longer than to score the
// others. It is written word by word, each of them lane by lane.
type Rough struct {
	x     [RoughDocs]uint8 // what the word's occurrences add up to, as a logarithm; 0: none
	sum   [RoughDocs]uint8
	words [RoughDocs]uint8 // which words the document has, a bit each
	n     int              // words so far
}

// RoughWords is of how many words a Rough knows which documents have them.
const RoughWords = 6

// RoughRoom is how many counts lie behind those that Occur reads.
const RoughRoom = 64

// Occurrences are kept as logarithms, steps to a doubling: what one counts in a
// text and how often it is there are added then. The smallest stands for all that
// is less, the largest for all that is more.
const (
	steps     = 32
	leastX    = 1.0 / 8 // a step before the smallest
	counted   = 64      // counts of which the logarithm is known; of others it is the largest
	distances = 128     // likewise, between two that are added
)

// stepOf is the smallest logarithm that stands for x or more.
func stepOf(x float64) uint8 {
	return uint8(min(max(math.Ceil(steps*math.Log2(x/leastX)), 1), 255))
}

// A stepTable is what Occur looks up.
type stepTable struct {
	count [counted]uint8   // what a count adds
	both  [distances]uint8 // what the sum of two adds to the larger one, by their distance
}

var stepsOf = func() (t stepTable) {
	for n := 2; n < counted-1; n++ {
		t.count[n] = uint8(math.Ceil(steps * math.Log2(float64(n))))
	}
	t.count[counted-1] = 255
	for d := range t.both {
		t.both[d] = uint8(math.Ceil(steps * math.Log2(1+math.Exp2(-float64(d)/steps))))
	}
	return t
}()

// RoughNorms are a surface's Norms as logarithms.
type RoughNorms struct {
	step  [256]uint8
	tools uint8 // what is added where tools were used
}

// NewRoughNorms makes them of the norms of turns without tools, and with.
func NewRoughNorms(norms [2]*Norms) *RoughNorms {
	r := new(RoughNorms)
	for c, x := range norms[0] {
		r.step[c] = stepOf(x)
		r.tools = max(r.tools, stepOf(norms[1][c])-min(r.step[c], stepOf(norms[1][c])))
	}
	return r
}

// RoughScores are the scores of a word by the logarithm of its occurrences, in
// some unit.
type RoughScores [256]uint8

// Fill sets them for a word that counts weight units at least.
func (s *RoughScores) Fill(weight float64) {
	for x := range s[1:] {
		s[x+1] = uint8(min(math.Ceil(weight*saturated[x+1]), 255))
	}
}

// saturated is what Saturate makes of an x by its logarithm.
var saturated = func() (t [256]float64) {
	for x := 1; x < 255; x++ {
		t[x] = Saturate(leastX * math.Exp2(float64(x)/steps))
	}
	t[255] = K1 + 1
	return t
}()

// Begin forgets all words.
func (r *Rough) Begin() { r.n = 0 }

// Occur adds what a lane holds of the word at hand: which documents have it, and
// for each of those how often, ascending, with RoughRoom behind. codes are the
// lengths of all documents, tools those in which tools were used. It is the
// word's first lane unless more.
func (r *Rough) Occur(has *[RoughDocs / 64]uint64, counts []uint8, codes *[RoughDocs]uint8, norms *RoughNorms, tools *[RoughDocs / 64]uint64, more bool) {
	n := 0
	for _, w := range has {
		n += bits.OnesCount64(w)
	}
	occur(&r.x, has, counts[:n+RoughRoom], codes, norms, tools, more)
}

// Word adds up the scores of the word of which all lanes are there.
func (r *Rough) Word(scores *RoughScores) {
	fold(&r.sum, &r.words, &r.x, scores, 1<<r.n, r.n > 0)
	r.n++
}

// RoughNever is more than any sum is.
const RoughNever = 255

// Over leaves those documents in want of which the sum is at least what is asked
// of documents that have these words, a bit each.
func (r *Rough) Over(least *[1 << RoughWords]uint8, want *[RoughDocs / 64]uint64) {
	over(&r.sum, &r.words, least, want)
}

// occurPlain is occur for any processor; likewise those that follow.
func occurPlain(x *[RoughDocs]uint8, has *[RoughDocs / 64]uint64, counts []uint8, codes *[RoughDocs]uint8, norms *RoughNorms, tools *[RoughDocs / 64]uint64, more bool) {
	if !more {
		clear(x[:])
	}
	n := 0
	for i, w := range has {
		tooled := tools[i]
		for ; w != 0; w &= w - 1 {
			bit := bits.TrailingZeros64(w)
			d := i<<6 | bit
			step := addSteps(norms.step[codes[d]], norms.tools&-uint8(tooled>>bit&1))
			step = addSteps(step, stepsOf.count[min(counts[n], counted-1)])
			if a := x[d]; a != 0 {
				high, low := max(a, step), min(a, step)
				step = addSteps(high, stepsOf.both[min(high-low, distances-1)])
			}
			x[d] = step
			n++
		}
	}
}

// addSteps adds up to the largest.
func addSteps(a, b uint8) uint8 { return uint8(min(uint(a)+uint(b), 255)) }

func foldPlain(sum, words, x *[RoughDocs]uint8, scores *RoughScores, word uint8, more bool) {
	if !more {
		clear(sum[:])
		clear(words[:])
	}
	for i, step := range x {
		if step != 0 {
			sum[i] = addSteps(sum[i], scores[step])
			words[i] |= word
		}
	}
}

func overPlain(sum, words *[RoughDocs]uint8, least *[1 << RoughWords]uint8, want *[RoughDocs / 64]uint64) {
	for i := range want {
		over := uint64(0)
		for bit := range 64 {
			if min(sum[i<<6|bit], RoughNever-1) >= least[words[i<<6|bit]&(1<<RoughWords-1)] {
				over |= 1 << bit
			}
		}
		want[i] &= over
	}
}
