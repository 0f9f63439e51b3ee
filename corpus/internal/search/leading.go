package search

import (
	bit "math/bits"

	"github.com/hansard-search/hansard/corpus/internal/rank"
	"github.com/hansard-search/hansard/corpus/internal/shard"
)

// A leading finds the best turns of sessions in a view: of some turns it scores
// those of each session that have the highest bounds, and of the others only those
// that could still be among the best.
type leading struct {
	*skipper
	q     *Search
	view  int
	emit  emitter
	turns []leadingTurn // of the block at hand, ascending
	runs  []leadingRun  // of turns, a session each
	docs  shard.Mask    // that are chosen
}

// A leadingTurn is a turn that may be among the best of its session.
type leadingTurn struct {
	doc  uint16
	most float32 // bound of its score
}

// A leadingRun is turns of a session up to the one before to.
type leadingRun struct {
	number uint32
	to     int
	bar    float32 // turns of which the bound is below it are not scored yet
}

// block scores those turns of l.in, of a block, that can be among the best of their
// sessions and whose score may be at least floor.
func (l *leading) block(b uint32, floor float64) error {
	any, err := l.candidates(b, floor)
	if any && err == nil {
		l.divide(b)
	}
	l.bounds.clear()
	if any && err == nil {
		l.score(b, l.highest)
		l.score(b, l.others)
	}
	return err
}

// divide takes the candidates of a block apart by sessions.
func (l *leading) divide(b uint32) {
	l.turns, l.runs = l.turns[:0], l.runs[:0]
	base, end := b<<shard.BlockShift, uint32(0)
	for n, w := range l.want {
		for ; w != 0; w &= w - 1 {
			i := uint32(n<<6 | bit.TrailingZeros64(w))
			if base|i >= end {
				s := l.q.skips.stretches[l.view].of(base | i)
				l.runs = append(l.runs, leadingRun{number: l.q.found.at(l.view, s.Session)})
				end = s.End
			}
			l.turns = append(l.turns, leadingTurn{uint16(i), l.likely(l.bounds.at[i&blockMask])})
			l.runs[len(l.runs)-1].to = len(l.turns)
		}
	}
}

// score scores those turns of each session that choose puts into a set.
func (l *leading) score(b uint32, choose func(r *leadingRun, turns []leadingTurn, least float32, docs *shard.Mask)) {
	l.docs = shard.Mask{}
	l.q.skips.mu.Lock()
	from := 0
	for i := range l.runs {
		r := &l.runs[i]
		best := &l.q.found.hits[r.number].best
		choose(r, l.turns[from:r.to], float32(best[len(best)-1]/slack), &l.docs)
		from = r.to
	}
	l.q.skips.mu.Unlock()
	if l.choice(l.docs) {
		l.finish(b, l.emit)
	}
}

// highest chooses the turns of a session with the highest bounds.
func (l *leading) highest(r *leadingRun, turns []leadingTurn, least float32, docs *shard.Mask) {
	var top [len(rank.Best{})]float32
	for i := range turns {
		x := turns[i].most
		for n := range top {
			if x > top[n] {
				x, top[n] = top[n], x
			}
		}
	}
	r.bar = max(least, top[len(top)-1])
	for i := range turns {
		if turns[i].most >= r.bar {
			docs.Add(turns[i].doc)
		}
	}
}

// others chooses the turns of a session that were not chosen and could be among its
// best.
func (l *leading) others(r *leadingRun, turns []leadingTurn, least float32, docs *shard.Mask) {
	for i := range turns {
		if x := turns[i].most; x < r.bar && x >= least {
			docs.Add(turns[i].doc)
		}
	}
}
