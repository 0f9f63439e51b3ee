package corpus

import (
	"math"
	bit "math/bits"

	"github.com/hansard-search/hansard/corpus/internal/rank"
	"github.com/hansard-search/hansard/corpus/internal/shard"
)

// A denseBlock is what the rough scores of a block are made of.
type denseBlock struct {
	rank.Rough
	docs   shard.Mask
	counts [shard.BlockDocs + rank.RoughRoom]uint8
	codes  [shard.BlockDocs]uint8
	tools  shard.Mask
}

// roughWords are the words of which rough scores are made.
type roughWords struct {
	words  []int // of the block at hand
	scores []roughScores
	unit   float64 // of all scores
}

// roughScores are the scores of a word in a unit; 0: of nothing.
type roughScores struct {
	of   rank.RoughScores
	unit float64
}

// narrow leaves documents out of k.in that have none of the words known beforehand
// and cannot reach the floor, where the words that are to be read, order[from:to],
// stand in many. rest is what those from from on could add. What is left needs no
// other bounds where told.
func (k *skipper) narrow(b uint32, floor float64, from, to int, rest limit) (told bool) {
	if !k.crowded(b, from, to) || !k.choose(from, to, &rest) {
		return false
	}
	r := &k.rough
	need := k.needs(floor, rest)
	if u := r.unit * need; !(u >= roughLow && u <= roughHigh) {
		r.unit = roughLeast / need
	}
	var least [1 << rank.RoughWords]uint8
	if need <= 0 || !k.leasts(floor, rest, &least) {
		return false
	}
	k.roughen(b)
	left := k.in
	k.dense.Over(&least, (*[shard.BlockDocs / 64]uint64)(&left))
	docs := k.bounds.docs.list()
	for _, i := range docs {
		if k.in.Has(i) {
			left.Add(i)
		}
	}
	k.in = left
	return rest.sum == 0 && len(docs) == 0
}

// crowded reports whether words of the order stand in many documents of the block.
func (k *skipper) crowded(b uint32, from, to int) bool {
	n := 0
	for _, w := range k.order[from:to] {
		for g := range min(len(k.cursors.of[w]), 1) {
			for i := range k.cursors.of[w][g] {
				if c := &k.cursors.of[w][g][i]; c.Docs > 0 && c.Block == b {
					n += c.Docs
				}
			}
		}
	}
	return n >= k.crowd
}

// choose takes the words of which rough scores are made, the first ones of the
// order, out of rest, and reports whether all up to to are among them, of some.
func (k *skipper) choose(from, to int, rest *limit) bool {
	words := k.rough.words[:0]
	for n, w := range k.order[from:] {
		if k.most[w] == 0 {
			continue
		}
		if k.days[w] != nil || len(words) == rank.RoughWords {
			if from+n < to {
				return false
			}
			continue
		}
		words = append(words, w)
		k.took(rest, w)
	}
	k.rough.words = words
	return len(words) > 0
}

// What a document needs that has all words should be about roughLeast units: of
// more, sums would be cut off that are not far above; of less, rounding leaves too
// many documents.
const roughLow, roughLeast, roughHigh = 110, 190, 230

// needs is what the words of the rough scores have to add up to in a document that
// has all of them, where others add rest.
func (k *skipper) needs(floor float64, rest limit) float64 {
	cover := rest.cover
	for _, w := range k.rough.words {
		cover += k.plan.words[w].weight
	}
	return floor/slack/k.cover.Score(1, cover) - rest.sum*slack
}

// leasts says what sum documents need, by the words that they have. It reports false
// where documents with none of the words have enough.
func (k *skipper) leasts(floor float64, rest limit, least *[1 << rank.RoughWords]uint8) bool {
	r := &k.rough
	var covers [1 << rank.RoughWords]float64
	covers[0] = rest.cover
	for p := range 1 << len(r.words) {
		if p > 0 {
			covers[p] = covers[p&(p-1)] + k.plan.words[r.words[bit.TrailingZeros(uint(p))]].weight
		}
		need := floor/slack/k.cover.Score(1, covers[p]) - rest.sum*slack
		if p == 0 && need <= 0 {
			return false
		}
		least[p] = uint8(min(max(math.Floor(r.unit*need), 0), 255))
	}
	least[0] = 255
	return true
}

// roughen makes the rough scores of the block at hand.
func (k *skipper) roughen(b uint32) {
	d := &k.dense
	d.Begin()
	d.tools = shard.Mask{}
	if k.tools != nil {
		copy(d.tools[:], k.tools.words(b))
	}
	for _, w := range k.rough.words {
		more := false
		lists := k.bound[w].lists[0]
		for n := range lists {
			c := &k.cursors.of[w][0][n]
			if at := lists[n].lane; k.lanes[at].scored && c.Docs > 0 && c.Block == b {
				c.Dense(&d.docs, d.counts[:])
				d.Occur((*[shard.BlockDocs / 64]uint64)(&d.docs), d.counts[:], k.wholeCodes(at), k.lanes[at].rough, (*[shard.BlockDocs / 64]uint64)(&d.tools), more)
				more = true
			}
		}
		d.Word(k.scored(w))
	}
}

// scored are the rough scores of a word.
func (k *skipper) scored(w int) *rank.RoughScores {
	r := &k.rough
	for len(r.scores) < len(k.plan.words) {
		r.scores = append(r.scores, roughScores{})
	}
	s := &r.scores[w]
	if s.unit != r.unit {
		s.of.Fill(r.unit * k.plan.words[w].weight * k.shares(w, len(k.plan.words[w].groups)-1) * slack)
		s.unit = r.unit
	}
	return &s.of
}

// wholeCodes are the codes of the block at hand, with some for documents that are
// not there.
func (k *skipper) wholeCodes(lane int) *[shard.BlockDocs]uint8 {
	codes := k.codes[lane]
	if len(codes) < shard.BlockDocs {
		codes = k.dense.codes[:copy(k.dense.codes[:], codes)]
	}
	return (*[shard.BlockDocs]uint8)(codes[:shard.BlockDocs])
}
