package search

import (
	"cmp"
	"context"
	"math"
	bit "math/bits"
	"runtime"
	"sync"

	"github.com/hansard-search/hansard/corpus/internal/published"
	"github.com/hansard-search/hansard/corpus/internal/rank"
	"github.com/hansard-search/hansard/corpus/internal/shard"
)

// A together is scanSessions on all processors. Blocks are scored by several
// goroutines; what is found in them is put down by one at a time, by which nobody has
// to wait: who finds another at it leaves it to that one.
type together struct {
	q       *Search
	session []func(doc uint32) uint32 // by view
	cover   rank.Cover

	mu   sync.Mutex // of what follows
	busy bool       // somebody puts down
	left []*blockFound
}

// A blockFound is what was found in a block of a view.
type blockFound struct {
	view  int
	n     int
	turns [shard.BlockDocs]foundTurn // ascending
}

// A foundTurn is a turn that matches, and its score where it passes.
type foundTurn struct {
	doc   uint32
	pass  bool
	sites sites
	score float64
}

// several reports whether it is worth while to have several goroutines score all turns
// that match. What they leave to each other is memory: not of any number of turns.
func (q *Search) several() bool {
	blocks := uint32(0)
	for _, v := range q.snap.views {
		blocks = max(blocks, uint32(v.Len(shard.Turn))>>shard.BlockShift)
	}
	if blocks < 2*q.scale.Share {
		return false
	}
	n := q.mostMatching()
	return n >= q.scale.Several && n <= q.scale.All
}

// scanTogether scores all turns that match, for their sessions.
func (q *Search) scanTogether(ctx context.Context) error {
	w := &together{q: q, cover: rank.NewCover(q.plan.total)}
	shares := make([]share, len(q.snap.views))
	for i, v := range q.snap.views {
		k := q.searcher.skipper() // of which only the scanner is used
		defer q.searcher.keepSkipper(k)
		if err := q.scanTurnsOf(&k.scanner, i, v); err != nil {
			return published.Damage(v.Name, err)
		}
		session, err := v.sessionsOfTurns()
		if err != nil {
			return published.Damage(v.Name, err)
		}
		k.open()
		w.session = append(w.session, session)
		s := &shares[i]
		s.view, s.k, s.blocks, s.each = i, k, k.blocks(), 1
	}
	err := q.goThrough(shares, runtime.GOMAXPROCS(0), func(view int, k *skipper, from, to uint32) error {
		for b := from; b < to && ctx.Err() == nil; b++ {
			if err := w.block(view, &k.scanner, b); err != nil {
				return err
			}
		}
		return nil
	})
	return cmp.Or(err, ctx.Err())
}

// block scores a block, that of which no turn passes only if others count.
func (w *together) block(view int, s *scanner, b uint32) error {
	if w.q.asked.Pass[view] == nil && s.pass.none(b) {
		return nil
	}
	if err := s.score(b); err != nil || len(s.block) == 0 {
		return err
	}
	f, _ := w.q.searcher.found.Get().(*blockFound)
	if f == nil {
		f = new(blockFound)
	}
	f.view, f.n = view, 0
	w.collect(f, s, b)
	w.put(f)
	return nil
}

// collect finds the turns of a block that match, in ascending order.
func (w *together) collect(f *blockFound, s *scanner, b uint32) {
	for n, left := range s.here {
		s.here[n] = 0
		word := int(b)<<(shard.BlockShift-6) + n
		live, pass := s.live.word(word), s.pass.word(word)
		for ; left != 0; left &= left - 1 {
			i := bit.TrailingZeros64(left)
			t := &s.tally[(n<<6|i)&blockMask]
			if live>>i&1 == 1 {
				f.turns[f.n&blockMask] = foundTurn{uint32(word<<6 | i), pass>>i&1 == 1, t.sites, w.cover.Score(t.sum, t.cover)}
				f.n++
			}
			*t = docSum{}
		}
	}
	s.block = s.block[:0]
}

// put puts down what was found, and what others left meanwhile, or leaves it.
func (w *together) put(f *blockFound) {
	for more := w.leave(f); more; f, more = w.next() {
		w.found(f)
		w.q.searcher.found.Put(f)
	}
}

// leave leaves what was found to who puts down, if somebody does.
func (w *together) leave(f *blockFound) (alone bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.busy {
		w.left = append(w.left, f)
		return false
	}
	w.busy = true
	return true
}

// next returns what others left.
func (w *together) next() (left *blockFound, more bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := len(w.left)
	if n == 0 {
		w.busy = false
		return left, false
	}
	left, w.left = w.left[n-1], w.left[:n-1]
	return left, true
}

// found puts down turns.
func (w *together) found(f *blockFound) {
	q, session := w.q, w.session[f.view]
	var h *sessionHit
	last := uint32(math.MaxUint32)
	for i := range f.turns[:f.n] {
		t := &f.turns[i]
		if ord := session(t.doc); ord != last {
			h, last = q.found.hit(q.found.at(f.view, ord)), ord
		}
		switch {
		case !t.pass:
			h.other = true
		case t.score < h.best[len(h.best)-1]:
			h.turns++
		default:
			q.turnFound(h, uint32(f.view), t.doc, t.score, t.sites)
		}
	}
}
