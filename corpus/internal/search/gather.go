package search

import (
	bit "math/bits"
	"slices"

	"github.com/hansard-search/hansard/corpus/internal/rank"
	"github.com/hansard-search/hansard/corpus/internal/shard"
)

// enough is how much of a word a document needs at least that has none of the
// others that were read.
func (k *skipper) enough(w int, floor float64, rest limit) float32 {
	p := &k.plan.Words[w]
	sum := floor/slack/k.cover.Score(1, rest.cover+p.Weight) - rest.sum*slack
	most := p.Weight * slack * (rank.K1 + 1)
	return float32(max(0, rank.K1*sum/max(most-sum, 0)/(slack*slack)))
}

// gather adds a word's bounds to those of the documents in mask (nil: all) that
// have it, of those that have no bound at least that much of it.
func (k *skipper) gather(w int, b uint32, mask *shard.Mask, enough float32) {
	p := &k.plan.Words[w]
	if k.days[w] != nil {
		k.gatherDays(w, b, mask)
		return
	}
	share := 0.0
	for g := range k.cursors.of[w] {
		lists := k.bound[w].lists[g]
		for n := range lists {
			c := &k.cursors.of[w][g][n]
			if !k.lanes[lists[n].lane].scored || c.Docs == 0 || c.Block != b {
				continue
			}
			if g == 0 {
				k.occurrences(c, lists[n].lane, mask)
			}
			share = max(share, k.shares(w, g))
		}
	}
	if enough > 0 {
		k.bounds.keep(enough)
	}
	k.bounds.fold(float32(p.Weight*share*slack), float32(p.Weight))
}

// gatherDays is gather for a date.
func (k *skipper) gatherDays(w int, b uint32, mask *shard.Mask) {
	weight := k.plan.Words[w].Weight
	for n, word := range k.days[w].words(b) {
		if mask != nil {
			word &= mask[n]
		}
		for ; word != 0; word &= word - 1 {
			k.bounds.add(uint16(n<<6|bit.TrailingZeros64(word)), float32(weight*slack), float32(weight))
		}
	}
}

// shares is what share of a word's weight the groups up to g have together. The
// texts that have a word's very form have it among all forms, which are the
// first group: as often at most, so that its bound holds for both.
func (k *skipper) shares(w, g int) float64 {
	sum := 0.0
	for _, x := range k.plan.Words[w].Groups[:g+1] {
		sum += x.Share
	}
	return sum
}

// occurrences adds up what stands in a list of the group at hand.
func (k *skipper) occurrences(c *cursor, at int, mask *shard.Mask) {
	n := k.pick(c, at, mask)
	c.kept = k.kept.keep(k.round, &k.picked, n)
	codes, x, counts, fresh := k.codes[at], &k.bounds.x, &k.picked.Counts, &k.bounds.fresh
	plain, tooled := k.lanes[at].halved[0], k.lanes[at].halved[1]
	if k.tools == nil || k.lanes[at].norms[0] == k.lanes[at].norms[1] {
		for j, i := range k.picked.Docs[:n] {
			fresh.add(i, x[i&blockMask])
			x[i&blockMask] += float32(counts[j]) * plain[codes[i]]
		}
		return
	}
	tools := k.tools[c.Block<<(shard.BlockShift-6):]
	for j, i := range k.picked.Docs[:n] {
		norms := plain
		if tools[i>>6]>>(i&63)&1 == 1 {
			norms = tooled
		}
		fresh.add(i, x[i&blockMask])
		x[i&blockMask] += float32(counts[j]) * norms[codes[i]]
	}
}

// drop leaves the candidates out that cannot reach the floor, puts the others
// into k.want and reports whether there are any.
func (k *skipper) drop(floor float64, rest limit) bool {
	k.bounds.drop(k.limits(floor, rest))
	docs := k.bounds.docs.list()
	k.want = shard.Mask{}
	for _, i := range docs {
		k.want.Add(i)
	}
	k.wanted(docs)
	return len(docs) > 0
}

// wanted says which documents k.want has: few are looked up one by one.
func (k *skipper) wanted(docs []uint16) {
	if k.few = nil; len(docs) <= fewAtOnce {
		slices.Sort(docs)
		k.few = docs
	}
}

// choice makes a set of documents the candidates and reports whether there are any.
func (k *skipper) choice(docs shard.Mask) bool {
	n := count(docs)
	k.want, k.few = docs, nil
	if n <= fewAtOnce {
		k.few = k.lone[:0]
		for i, w := range docs {
			for ; w != 0; w &= w - 1 {
				k.few = append(k.few, uint16(i<<6|bit.TrailingZeros64(w)))
			}
		}
	}
	return n > 0
}

// limits are what a bound is compared with, and by.
func (k *skipper) limits(floor float64, rest limit) (least, up, known, per float32) {
	base, each := k.cover.Score(1, 0), k.cover.Score(1, 1)-k.cover.Score(1, 0)
	return float32(floor / slack), float32(rest.sum * slack), float32(base + each*rest.cover), float32(each)
}

// fewAtOnce is up to how many documents of a block are looked up one by one.
const fewAtOnce = 32
