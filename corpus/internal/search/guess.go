package search

import (
	"slices"

	"github.com/hansard-search/hansard/corpus/internal/shard"
)

// Of many blocks some, spread over all, tell about where the floor of sessions will
// be: one in so many of the best sessions is among theirs. To score fewer documents
// beforehand costs less than to score as many as make the floor certain. A floor that
// is guessed too high leaves more sessions open, and out of those that nothing is
// found of perhaps one that could come among the first: orderOpen sees that, as it
// sees it of any floor.

// These are how many sessions more have to reach a floor that is guessed, of those
// that are put in order and of those that are shown: chance may have put some of the
// best into the blocks that are read.
const guessedMore, guessedAhead = 5, 2

// every is of how many blocks one is read to guess the floor; of 1 none: where they
// are few, or not many documents have the rarest words, or the floor has to be certain
// or others were sampled in whole.
func (q *Search) every(k *skipper, f *forecast, want int) uint32 {
	n := uint32(q.scale.Sampled)
	if !q.skips.open || len(q.skips.leaders.heap) > 0 || n == 0 || k.blocks() < 2*n || k.holding(f) < want {
		return 1
	}
	return k.blocks() / n
}

// holding is about how many documents have the rarest words.
func (k *skipper) holding(f *forecast) (docs int) {
	for _, w := range k.order[:f.words] {
		docs += k.longest(w)
	}
	return docs
}

// even reports whether the blocks that are read, one in every, have about their share
// of the documents that have the rarest words.
func (k *skipper) even(f *forecast, every uint32) bool {
	read, all := len(f.docs)*int(every), k.holding(f)
	return read <= 2*all && all <= 2*read
}

// guess raises the floor to about where it would be if all blocks had been sampled,
// not one in every, and notes what was scored of these.
func (q *Search) guess(k *skipper, f *forecast, every int) {
	s := q.skips
	k.scoredOf(f)
	var scores []float64
	for _, number := range q.found.touched {
		if h := &q.found.hits[number]; h.turns > 0 {
			scores = append(scores, -h.score)
		}
	}
	slices.Sort(scores)
	if n := s.leaders.most/every + guessedMore; n < len(scores) {
		s.floor.raise(s.reach(-scores[n]))
	}
	if n := s.ahead.most/every + guessedAhead; n < len(scores) {
		s.floor.raise(s.reachAhead(-scores[n]))
	}
}

// scoredOf notes which documents are scored already.
func (k *skipper) scoredOf(f *forecast) {
	for b := range k.blocks() {
		var docs shard.Mask
		any := false
		for n, to := f.block(b); n < to; n++ {
			if f.bounds[n].sum < 0 {
				docs.Add(f.docs[n])
				any = true
			}
		}
		if any {
			k.done = append(k.done, done{b, docs})
		}
	}
}
