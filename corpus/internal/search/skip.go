package search

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
// bound of their score; the next words are looked up in the candidates only, of
// which there are fewer after each, and what is left is scored. (This is
// MaxScore with the bounds of blocks.) Where the first words are common, rough
// scores of all tell what is left.
type skipper struct {
	scanner
	cover    rank.Cover
	order    []int      // words, those that make a match first, the one that can add most first
	heads    int        // of order: how many make a match
	most     []float64  // by word: what it can add in the block at hand
	days     []bits     // by word
	crowd    int        // see scale
	forecast *forecast  // what is known beforehand; nil: nothing
	done     []done     // what is scored already of some blocks
	in       shard.Mask // what is looked at of the block at hand
	want     shard.Mask // candidates of the block at hand
	lone     [fewAtOnce]uint16
	rough    roughWords
}

// ready makes a skipper of a scanner that is one.
func (k *skipper) ready() {
	words := k.plan.Words
	k.cover = rank.NewCover(k.plan.Total)
	k.scanner.open()
	for w := range words {
		k.order, k.most = append(k.order, w), append(k.most, 0)
		if !words[w].Minor {
			k.heads++
		}
		var days bits
		if b := &k.bound[w]; b.days != nil {
			days = bitsOf(b.days, (k.docs+shard.BlockDocs-1)&^blockMask)
		}
		k.days = append(k.days, days)
	}
	slices.SortStableFunc(k.order, func(a, b int) int {
		x, y := &words[a], &words[b]
		if x.Minor != y.Minor {
			if x.Minor {
				return 1
			}
			return -1
		}
		return cmp.Compare(k.static(b), k.static(a))
	})
}

// static is what a word can add in the view.
func (k *skipper) static(w int) float64 {
	if b := &k.bound[w]; b.days == nil && len(b.lists) == 0 {
		return 0
	}
	return k.plan.Words[w].Weight
}

// seek moves the word's cursors to the block and bounds what it can add there.
// Scores saturate, so that a word's lists add at most what they would add
// together at their largest.
func (k *skipper) seek(w int, b uint32) float64 {
	p := &k.plan.Words[w]
	if k.bound[w].days != nil {
		return p.Weight
	}
	most := 0.0
	for g := range k.cursors.of[w] {
		lists, x := k.bound[w].lists[g], 0.0
		for n := range lists {
			l := &k.lanes[lists[n].lane]
			if c := &k.cursors.of[w][g][n]; l.scored && c.Seek(b) && c.Block == b {
				x += float64(c.MaxCount) * max(l.norms[0][c.MinCode], l.norms[1][c.MinCode])
			}
		}
		most += p.Groups[g].Share * rank.Saturate(x)
	}
	return p.Weight * most
}

// reaches reports whether words that add at most sum, and weigh at most weight,
// could reach the floor.
func (k *skipper) reaches(floor, sum, weight float64) bool {
	return k.cover.Score(sum, min(weight, k.plan.Total))*slack >= floor
}

// candidates puts those documents of k.in, of a block, that could reach the floor into
// k.want and reports whether there are any. It leaves their bounds, which are to be
// cleared.
func (k *skipper) candidates(b uint32, floor float64) (bool, error) {
	var rest limit // what the words that were not read yet could add
	n := 0
	if k.forecast != nil {
		n = k.forecast.words
	}
	for _, w := range k.order[n:] {
		if k.most[w] = k.seek(w, b); k.most[w] > 0 {
			rest.sum += k.most[w]
			rest.cover += k.plan.Words[w].Weight
		}
	}
	from, all := n, rest
	for ; n < k.heads && k.reaches(floor, rest.sum, rest.cover); n++ {
		k.took(&rest, k.order[n])
	}
	if from > 0 {
		k.recall(b, floor, all, n > from)
	}
	if n == from && k.bounds.docs.n == 0 {
		return false, nil
	}
	if err := k.load(b); err != nil {
		return false, err
	}
	if k.narrow(b, floor, from, n, all) {
		return k.choice(k.in), nil
	}
	in := k.within(k.in)
	for i, w := range k.order[from:n] {
		enough := float32(0)
		if from+i+1 == n {
			enough = k.enough(w, floor, rest)
		}
		k.gather(w, b, in, enough)
	}
	any := k.drop(floor, rest)
	for ; any && n < len(k.order); n++ {
		if w := k.order[n]; k.most[w] > 0 {
			k.took(&rest, w)
			k.gather(w, b, &k.want, 0)
			any = k.drop(floor, rest)
		}
	}
	return any, nil
}

// within makes k.in of a set of documents and returns it, nil for everything:
// there is a faster way to read all.
func (k *skipper) within(docs shard.Mask) *shard.Mask {
	k.in, k.few = docs, nil
	if docs == everything {
		return nil
	}
	return &k.in
}

// took leaves a word out of what the others could add.
func (k *skipper) took(rest *limit, w int) {
	if k.most[w] > 0 {
		rest.sum = max(rest.sum-k.most[w], 0)
		rest.cover = max(rest.cover-k.plan.Words[w].Weight, 0)
	}
}

// blocks is how many blocks of documents there are.
func (s *scanner) blocks() uint32 {
	return uint32((s.docs + shard.BlockDocs - 1) >> shard.BlockShift)
}

// twin makes k, which has nothing but room, a skipper of the same view for another
// goroutine.
func (k *skipper) twin(of *skipper) {
	room := *k
	*k = *of
	k.order, k.days = append(room.order, of.order...), append(room.days, of.days...)
	k.most = append(room.most, of.most...)
	k.cols, k.codes = append(room.cols, of.cols...), room.codes
	k.cursors, k.scratch, k.mask, k.few = room.cursors, nil, nil, nil
	k.done, k.rough = append(room.done, of.done...), roughWords{scores: room.rough.scores}
	k.open()
}

// scan calls emit for each document of a range of blocks that passes and whose
// score may be at least what floor returns at that moment, with its score.
func (k *skipper) scan(from, to uint32, floor func() float64, emit emitter) error {
	for b := from; b < to; b++ {
		if k.pass.none(b) {
			continue
		}
		k.in = k.pass.all(b)
		k.undone(b)
		if err := k.block(b, floor(), emit); err != nil {
			return err
		}
	}
	return nil
}

// rescore is scan for those documents only that are in docs.
func (k *skipper) rescore(from, to uint32, docs bits, floor float64, emit emitter) error {
	for b := from; b < to; b++ {
		if docs.none(b) {
			continue
		}
		k.in = docs.all(b)
		k.pass.and(b, &k.in)
		if err := k.block(b, floor, emit); err != nil {
			return err
		}
	}
	return nil
}

// block calls emit for those documents of a block that are in k.in and whose
// score may be at least floor.
func (k *skipper) block(b uint32, floor float64, emit emitter) error {
	any := true
	var err error
	if floor > 0 {
		any, err = k.candidates(b, floor)
		k.bounds.clear()
	} else {
		k.want, k.few = k.in, nil
		k.unscored(b, &k.want)
		err = k.load(b)
	}
	if any && err == nil {
		k.finish(b, emit)
	}
	return err
}

// finish scores the candidates and calls emit for those that match.
func (k *skipper) finish(b uint32, emit emitter) {
	k.mask = &k.want
	k.words(b)
	k.each(b, k.cover, emit)
}
