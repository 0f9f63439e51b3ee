package search

import "github.com/hansard-search/hansard/corpus/internal/shard"

// A kept is what was picked of a block's lists for bounds: it has all that is to be
// scored, so that short lists need not be looked up again for scores.
type kept struct {
	n      int
	docs   [keptAtMost]uint16
	counts [keptAtMost]uint8
}

// A span is where the documents of a list are that were kept when a round, which
// begins with a block, was the present one.
type span struct {
	round    uint32 // 0: none
	from, to uint16
}

// keptAtOnce is up to how many documents of a list are kept: to look a few up in the
// list is faster than to go through more. keptAtMost are those of all lists.
const keptAtOnce, keptAtMost = 128, 2048

// keep keeps the n documents that were picked of a list, if they are few.
func (p *kept) keep(round uint32, picked *shard.Picked, n int) span {
	from, to := p.n, p.n+n
	if n > keptAtOnce || to > keptAtMost {
		return span{}
	}
	p.n = to
	copy(p.docs[from:to], picked.Docs[:n])
	copy(p.counts[from:to], picked.Counts[:n])
	return span{round, uint16(from), uint16(to)}
}

// pick is what Pick finds in a list that is kept.
func (p *kept) pick(in span, mask *shard.Mask, picked *shard.Picked) (n int) {
	docs, counts := p.docs[in.from:in.to], p.counts[in.from:in.to]
	for j, i := range docs {
		picked.Docs[n&blockMask], picked.Counts[n&blockMask] = i, counts[j]
		n += int(mask[i>>6&(shard.BlockDocs/64-1)] >> (i & 63) & 1)
	}
	return n
}
