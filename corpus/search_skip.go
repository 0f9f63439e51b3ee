package corpus

import (
	"cmp"
	"slices"

	"github.com/hansard-search/hansard/corpus/internal/rank"
	"github.com/hansard-search/hansard/corpus/internal/shard"
)

// A skipper scores those documents of a view that can reach a floor, and leaves
// out the others, whole blocks of them where it can. What it scores it scores
// as the scanner does, so that the numbers are the same.
//
// Words are taken in the order of what they can add at most. The first ones,
// without which the floor is out of reach, are read and give candidates with a
// bound of their score; the bounds are refined by the next words as long as there
// are many candidates, and what is left is scored. (This is MaxScore with the
// bounds of blocks.)
type skipper struct {
	*scanner
	cover  rank.Cover
	order  []int     // words, those that make a match first, the one that can add most first
	heads  int       // of order: how many make a match
	most   []float64 // by word: what it can add in the block at hand
	tables [][]*boundTable
	seen   []uint16
}

// A boundTable bounds what a list adds to a score, by count and length code.
type boundTable [boundCounts][256]float32

// boundCounts is how many counts a boundTable tells apart; the last one stands
// for all larger ones.
const boundCounts = 8

// slack makes up for rounding where bounds are compared with scores.
const slack = 1 + 1e-5

func newSkipper(s *scanner) *skipper {
	k := &skipper{scanner: s, cover: rank.NewCover(s.plan.total), most: make([]float64, len(s.plan.words)), tables: make([][]*boundTable, len(s.plan.words))}
	s.open()
	s.take()
	static := make([]float64, len(s.plan.words))
	for w := range s.plan.words {
		k.order = append(k.order, w)
		if !s.plan.words[w].minor {
			k.heads++
		}
		static[w] = s.plan.words[w].weight
		if len(s.bound[w].lists) == 0 && s.bound[w].days == nil {
			static[w] = 0
		}
	}
	slices.SortStableFunc(k.order, func(a, b int) int {
		x, y := &s.plan.words[a], &s.plan.words[b]
		if x.minor != y.minor {
			if x.minor {
				return 1
			}
			return -1
		}
		return cmp.Compare(static[b], static[a])
	})
	return k
}

// table returns the bounds of a word's lists of a group in a lane.
func (k *skipper) table(w, g, lane int) *boundTable {
	if k.tables[w] == nil {
		k.tables[w] = make([]*boundTable, len(k.plan.words[w].groups)*len(k.lanes))
	}
	at := &k.tables[w][g*len(k.lanes)+lane]
	if *at != nil {
		return *at
	}
	t := new(boundTable)
	p := &k.plan.words[w]
	weight := p.weight * p.groups[g].share * slack
	l := &k.lanes[lane]
	for c := range 256 {
		norm := max(l.norms[0][c], l.norms[1][c])
		for n := 1; n < boundCounts-1; n++ {
			t[n][c] = float32(weight * rank.Saturate(float64(n)*norm))
		}
		t[boundCounts-1][c] = float32(weight * rank.Saturate(shard.MaxCount*norm))
	}
	*at = t
	return t
}

// seek moves the word's cursors to the block and bounds what it can add there.
// Scores saturate, so that a word's lists add at most what they would add one by
// one, and no more than they would add together at their largest.
func (k *skipper) seek(w int, b uint32) float64 {
	p := &k.plan.words[w]
	if k.bound[w].days != nil {
		return p.weight
	}
	most := 0.0
	for g := range k.cursors[w] {
		lists, x := k.bound[w].lists[g], 0.0
		for n := range lists {
			l := &k.lanes[lists[n].lane]
			if c := &k.cursors[w][g][n]; l.scored && c.Seek(b) && c.Block == b {
				x += float64(c.MaxCount) * max(l.norms[0][c.MinCode], l.norms[1][c.MinCode])
			}
		}
		most += p.groups[g].share * rank.Saturate(x)
	}
	return p.weight * most
}

// reaches reports whether words that add at most sum, and weigh at most weight,
// could reach the floor.
func (k *skipper) reaches(floor, sum, weight float64) bool {
	return k.cover.Score(sum, min(weight, k.plan.total))*slack >= floor
}

// candidates puts those documents of a block into s.block that could reach the floor.
func (k *skipper) candidates(b uint32, floor float64) error {
	rest, weight := 0.0, 0.0
	for _, w := range k.order {
		k.most[w] = k.seek(w, b)
		if rest += k.most[w]; k.most[w] > 0 {
			weight += k.plan.words[w].weight
		}
	}
	n := 0
	for n < k.heads && k.reaches(floor, rest, weight) {
		w := k.order[n]
		if rest -= k.most[w]; k.most[w] > 0 {
			weight -= k.plan.words[w].weight
		}
		n++
	}
	if n == 0 {
		return nil
	}
	if err := k.load(b); err != nil {
		return err
	}
	k.seen = k.seen[:0]
	for _, w := range k.order[:n] {
		k.read(w, b)
	}
	least := float32((floor - max(rest, 0)) / slack)
	least -= 1e-6 * float32(floor)
	for _, i := range k.seen {
		if k.scratch.most[i] >= least && k.met[i] == 0 && k.pass.has(b<<shard.BlockShift|uint32(i)) {
			k.met[i] = wanted
			k.block = append(k.block, i)
		}
	}
	const enough = 16 // as many are scored as fast as they are refined
	for ; n < len(k.order) && len(k.block) > enough; n++ {
		w := k.order[n]
		rest -= k.most[w]
		k.refine(w, b)
		k.drop(floor, rest)
	}
	clear(k.scratch.most[:])
	return nil
}

// read adds a word's bounds to those of all documents that have it.
func (k *skipper) read(w int, b uint32) {
	if days := k.bound[w].days; days != nil {
		for i := uint32(0); i < shard.BlockDocs && int(b<<shard.BlockShift+i) < k.docs; i++ {
			if days.Contains(b<<shard.BlockShift | i) {
				k.scratch.most[i] += float32(k.plan.words[w].weight * slack)
				k.seen = append(k.seen, uint16(i))
			}
		}
		return
	}
	k.each(w, b, func(c *shard.Blocks, t *boundTable, codes []uint8) {
		n := c.Decode(&k.listed, &k.counts)
		for j, d := range k.listed[:n] {
			i := d & blockMask
			k.scratch.most[i] += t[min(k.counts[j], boundCounts-1)][codes[i]]
			k.seen = append(k.seen, uint16(i))
		}
	})
}

// refine adds a word's bounds to those of the candidates.
func (k *skipper) refine(w int, b uint32) {
	if days := k.bound[w].days; days != nil {
		for _, i := range k.block {
			if days.Contains(b<<shard.BlockShift | uint32(i)) {
				k.scratch.most[i] += float32(k.plan.words[w].weight * slack)
			}
		}
		return
	}
	k.each(w, b, func(c *shard.Blocks, t *boundTable, codes []uint8) {
		if len(k.block)*lookUp > c.Docs {
			n := c.Decode(&k.listed, &k.counts)
			for j, d := range k.listed[:n] {
				i := d & blockMask
				k.scratch.most[i] += t[min(k.counts[j], boundCounts-1)][codes[i]]
			}
			return
		}
		for _, i := range k.block {
			if n := c.Count(b<<shard.BlockShift | uint32(i)); n > 0 {
				k.scratch.most[i] += t[min(n, boundCounts-1)][codes[i]]
			}
		}
	})
}

// each calls fn for the word's lists in the block.
func (k *skipper) each(w int, b uint32, fn func(c *shard.Blocks, t *boundTable, codes []uint8)) {
	for g := range k.cursors[w] {
		lists := k.bound[w].lists[g]
		for n := range lists {
			lane := lists[n].lane
			if c := &k.cursors[w][g][n]; k.lanes[lane].scored && c.Docs > 0 && c.Block == b {
				fn(c, k.table(w, g, lane), k.codes[lane])
			}
		}
	}
}

// drop leaves out the candidates that cannot reach the floor any more.
func (k *skipper) drop(floor, rest float64) {
	least := float32((floor-max(rest, 0))/slack) - 1e-6*float32(floor)
	kept := k.block[:0]
	for _, i := range k.block {
		if k.scratch.most[i] >= least {
			kept = append(kept, i)
		} else {
			k.met[i] = 0
		}
	}
	k.block = kept
}

// finish scores what is in s.block, calls emit for what matches, and leaves the
// scratch all zero.
func (k *skipper) finish(b uint32, emit func(doc uint32, score float64)) {
	k.only = true
	k.words(b)
	k.only = false
	for _, i := range k.block {
		if k.met[i] != wanted {
			emit(b<<shard.BlockShift|uint32(i), k.cover.Score(k.sum[i], k.scratch.cover[i]))
		}
		k.sum[i], k.scratch.cover[i], k.met[i] = 0, 0, 0
	}
	k.block = k.block[:0]
}

// scan calls emit for each document that passes and whose score may be at least
// what floor returns at that moment, with its score.
func (k *skipper) scan(floor func() float64, emit func(doc uint32, score float64)) error {
	blocks := uint32((k.docs + shard.BlockDocs - 1) >> shard.BlockShift)
	for b := uint32(0); b < blocks; b++ {
		if k.pass.none(b) {
			continue
		}
		if least := floor(); least > 0 {
			if err := k.candidates(b, least); err != nil {
				return err
			}
			k.finish(b, emit)
			continue
		}
		if err := k.score(b); err != nil {
			return err
		}
		for _, i := range k.block {
			if d := b<<shard.BlockShift | uint32(i); k.pass.has(d) {
				emit(d, k.cover.Score(k.sum[i], k.scratch.cover[i]))
			}
			k.sum[i], k.scratch.cover[i], k.met[i] = 0, 0, 0
		}
		k.block = k.block[:0]
	}
	return nil
}

// sample calls emit for documents that have the rarest word of which there are
// at least enough, until emit returns false: what scores well without reading
// much.
func (k *skipper) sample(enough int, emit func(doc uint32, score float64) bool) error {
	defer k.open()
	for _, w := range k.order[:k.heads] {
		if k.bound[w].days != nil {
			continue
		}
		docs := 0
		for _, lists := range k.bound[w].lists {
			for n := range lists {
				if k.lanes[lists[n].lane].scored {
					docs = max(docs, lists[n].p.Len())
				}
			}
		}
		if docs >= enough {
			if docs > k.docs/16 {
				return nil // as common as that, any block will do
			}
			return k.sampleOf(w, emit)
		}
	}
	return nil
}

func (k *skipper) sampleOf(w int, emit func(doc uint32, score float64) bool) error {
	blocks := uint32((k.docs + shard.BlockDocs - 1) >> shard.BlockShift)
	more := true
	for b := uint32(0); b < blocks && more; b++ {
		if k.seek(w, b) == 0 {
			continue
		}
		if err := k.load(b); err != nil {
			return err
		}
		for _, lists := range k.cursors[w][:1] {
			for n := range lists {
				if c := &lists[n]; c.Docs > 0 && c.Block == b && k.lanes[k.bound[w].lists[0][n].lane].scored {
					for _, d := range k.listed[:c.DecodeDocs(&k.listed)] {
						if i := d & blockMask; k.met[i] == 0 && k.pass.has(d) {
							k.met[i] = wanted
							k.block = append(k.block, uint16(i))
						}
					}
				}
			}
		}
		k.finish(b, func(doc uint32, score float64) { more = emit(doc, score) && more })
	}
	return nil
}
