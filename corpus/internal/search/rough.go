package search

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
	needs  [1 << rank.RoughWords]float64
	least  [1 << rank.RoughWords]uint8 // in units
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
	top, ok := k.needs(floor, rest)
	if !ok {
		return false
	}
	if u := r.unit * top; top > 0 && !(u >= roughLow && u <= roughHigh) {
		r.unit = roughMost / top
	}
	k.roughen(b)
	left := k.in
	k.dense.Over(r.leasts(), (*[shard.BlockDocs / 64]uint64)(&left))
	docs := k.bounds.docs.list()
	for _, i := range docs {
		if k.in.Has(i) {
			left.Add(i)
		}
	}
	k.in = left
	return rest == limit{} && len(docs) == 0
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
	words, all := k.rough.words[:0], true
	for n, w := range k.order[from:] {
		if k.most[w] == 0 {
			continue
		}
		if k.days[w] != nil || len(words) == rank.RoughWords {
			if from+n < to {
				return false
			}
			all = false
			continue
		}
		words = append(words, w)
		k.took(rest, w)
	}
	if k.rough.words = words; all {
		*rest = limit{} // but for rounding
	}
	return len(words) > 0
}

// The most that a document needs should be about roughMost units: of more, sums are
// cut off that are not far above; of less, rounding leaves too many documents.
const roughLow, roughMost, roughHigh = 150, 230, 250

// needs notes what the words of the rough scores have to add up to in a document, by
// which of them it has, where others add rest, and infinity where they cannot. It
// returns the most of others, and false where documents with none have enough.
func (k *skipper) needs(floor float64, rest limit) (top float64, ok bool) {
	r := &k.rough
	var sums, covers [1 << rank.RoughWords]float64
	covers[0] = rest.cover
	for p := range 1 << len(r.words) {
		if p > 0 {
			w := r.words[bit.TrailingZeros(uint(p))]
			sums[p] = sums[p&(p-1)] + k.most[w]
			covers[p] = covers[p&(p-1)] + k.plan.Words[w].Weight
		}
		need := floor/slack/k.cover.Score(1, covers[p]) - rest.sum*slack
		if p == 0 && need <= 0 {
			return 0, false
		}
		if r.needs[p] = need; sums[p]*slack < need {
			r.needs[p] = math.Inf(1)
			continue
		}
		top = max(top, need)
	}
	return top, true
}

// leasts are the needs in units.
func (r *roughWords) leasts() *[1 << rank.RoughWords]uint8 {
	for p := range 1 << len(r.words) {
		if r.least[p] = rank.RoughNever; !math.IsInf(r.needs[p], 1) {
			r.least[p] = uint8(min(max(math.Floor(r.unit*r.needs[p]), 0), rank.RoughNever-1))
		}
	}
	return &r.least
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
	for len(r.scores) < len(k.plan.Words) {
		r.scores = append(r.scores, roughScores{})
	}
	s := &r.scores[w]
	if s.unit != r.unit {
		s.of.Fill(r.unit * k.plan.Words[w].Weight * k.shares(w, len(k.plan.Words[w].Groups)-1) * slack)
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
