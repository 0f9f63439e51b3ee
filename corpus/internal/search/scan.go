package search

import (
	"sync"

	"github.com/hansard-search/hansard/corpus/internal/prefetch"
	"github.com/hansard-search/hansard/corpus/internal/query"
	"github.com/hansard-search/hansard/corpus/internal/rank"
	"github.com/hansard-search/hansard/corpus/internal/shard"
)

// A scanner scores the documents of one kind of a view, a block of them at a
// time: what a block needs stays in the processor's nearest cache, and nothing
// is allocated. It is used once, by one goroutine.
//
// The order of additions for one document is the order of the query's words and
// of a word's keys, whatever the shards are, so that equal documents have equal
// scores and a plain scorer computes the same numbers.
type scanner struct {
	plan  *query.Plan
	lanes []lane
	cols  []shard.Codes // by lane
	bound []boundWord
	many  bool        // several slots are used
	tools bits        // turns that used tools, nil where the factor does not matter
	docs  int         // of the view
	pass  bits        // what may score
	live  bits        // what is there
	mask  *shard.Mask // only these documents of the block are scored; nil: all
	few   []uint16    // the mask's documents, where they are few
	sited []uint8     // by word: see sites; nil: nobody asks

	cursors cursors
	round   uint32    // how many blocks were loaded
	codes   [][]uint8 // of the block, by lane

	pool *sync.Pool
	*scratch
}

// A scratch is what a scanner writes on. It is all zero between blocks but for
// picked, dense and kept.
type scratch struct {
	picked shard.Picked
	dense  denseBlock
	x      [slots][shard.BlockDocs]float64 // occurrences of the group at hand
	tally  [shard.BlockDocs]docSum
	here   shard.Mask // documents met
	some   []uint16   // documents with occurrences of the group at hand
	block  []uint16   // documents met in this block
	kept   kept
	bounds
}

// A docSum is what is known of a document of the block so far.
type docSum struct {
	sum   float64
	cover float64 // weight of the words met
	sites sites
	met   uint16 // last word met, plus one
}

const blockMask = shard.BlockDocs - 1

// An emitter is told of a document that was scored.
type emitter = func(doc uint32, score float64, has sites)

// scan calls emit for each document that passes and has a word, with its score,
// in ascending order within a block; and others for those that are live, have a
// word and do not pass, when others is not nil.
func (s *scanner) scan(emit emitter, others func(doc uint32)) error {
	cover := rank.NewCover(s.plan.Total)
	return s.scanBlocks(others != nil, func(b uint32) {
		s.each(b, cover, func(doc uint32, score float64, has sites) {
			switch {
			case !s.live.has(doc):
			case s.pass.has(doc):
				emit(doc, score, has)
			case others != nil:
				others(doc)
			}
		})
	})
}

// scanBlocks scores the blocks, those of which no document passes only if all are
// wanted, and calls scored after each, which leaves the scratch all zero.
func (s *scanner) scanBlocks(all bool, scored func(b uint32)) error {
	s.open()
	s.take()
	for b := range s.blocks() {
		if !all && s.pass.none(b) {
			continue
		}
		if err := s.score(b); err != nil {
			return err
		}
		scored(b)
	}
	s.pool.Put(s.scratch)
	return nil
}

// take gets a scratch; who is done puts it back, all zero.
func (s *scanner) take() {
	if s.scratch, _ = s.pool.Get().(*scratch); s.scratch == nil {
		s.scratch = &prefetch.Written(make([]scratch, 1))[0]
	}
}

// writing lends a scratch while do is done. One is enough for all views that are
// scored one after the other; it is all zero only where nothing goes wrong.
func (s *scanner) writing(do func() error) error {
	s.take()
	err := do()
	if err == nil {
		s.pool.Put(s.scratch)
	}
	s.scratch = nil
	return err
}

// score adds up the words of one block: first those that make a match, then
// those that only add to one.
func (s *scanner) score(b uint32) error {
	if err := s.load(b); err != nil {
		return err
	}
	s.words(b)
	return nil
}

// load reads the length codes of a block. Nothing is kept of its lists yet.
func (s *scanner) load(b uint32) error {
	s.codes = s.codes[:0]
	s.round++
	s.kept.n = 0
	for i := range s.cols {
		codes, err := s.cols[i].Block(b)
		if err != nil {
			return err
		}
		s.codes = append(s.codes, codes)
	}
	return nil
}

// words scores the documents of the block that are in the mask.
func (s *scanner) words(b uint32) {
	for _, minor := range []bool{false, true} {
		if minor && len(s.block) == 0 {
			return
		}
		for w := range s.plan.Words {
			if s.plan.Words[w].Minor == minor {
				s.word(w, b)
			}
		}
	}
}

// word adds a word's score. One that makes no match by itself is looked for in
// the documents met already.
func (s *scanner) word(w int, b uint32) {
	mask := s.mask
	if s.plan.Words[w].Minor && s.few == nil {
		mask = &s.here
	}
	if s.bound[w].days != nil {
		s.dated(w, b, mask)
		return
	}
	for g := range s.cursors.of[w] {
		lists := s.bound[w].lists[g]
		for n := range lists {
			if c := &s.cursors.of[w][g][n]; s.lanes[lists[n].lane].scored && c.Seek(b) && c.Block == b {
				s.count(c, lists[n].lane, mask, s.site(w, g, lists[n].lane))
			}
		}
		s.fold(w, s.plan.Words[w].Groups[g].Share)
	}
}

// pick finds the documents of a list that are in the mask, in a lane.
func (s *scanner) pick(c *cursor, at int, mask *shard.Mask) int {
	if c.kept.round == s.round {
		return s.kept.pick(c.kept, mask, &s.picked)
	}
	if mask != nil && s.few != nil {
		return c.PickFew(mask, s.few, s.codes[at], &s.picked)
	}
	return c.Pick(mask, s.codes[at], &s.picked)
}

// count adds a list's occurrences to the group at hand, and its site to those of its
// documents.
func (s *scanner) count(c *cursor, at int, mask *shard.Mask, site sites) {
	n := s.pick(c, at, mask)
	l := &s.lanes[at]
	codes, x, counts := s.codes[at], &s.x[l.slot], &s.picked.Counts
	plain, tooled := l.norms[0], l.norms[1]
	if s.tools == nil || plain == tooled {
		for k, i := range s.picked.Docs[:n] {
			if x[i&blockMask] == 0 {
				s.some = append(s.some, i)
			}
			x[i&blockMask] += float64(counts[k]) * plain[codes[i]]
			s.tally[i&blockMask].sites |= site
		}
		return
	}
	tools := s.tools[c.Block<<(shard.BlockShift-6):]
	for k, i := range s.picked.Docs[:n] {
		norms := plain
		if tools[i>>6]>>(i&63)&1 == 1 {
			norms = tooled
		}
		if x[i&blockMask] == 0 {
			s.some = append(s.some, i)
		}
		x[i&blockMask] += float64(counts[k]) * norms[codes[i]]
		s.tally[i&blockMask].sites |= site
	}
}

// fold makes scores of the group's occurrences. A document that has several of
// the slots is met first with the sum of all and then with nothing.
func (s *scanner) fold(w int, share float64) {
	p := &s.plan.Words[w]
	for _, i := range s.some {
		x := s.x[slotPrompt][i]
		if s.many {
			x = joined(x, s.x[slotAnswer][i], s.x[slotFull][i])
			s.x[slotAnswer][i], s.x[slotFull][i] = 0, 0
		}
		if x > 0 {
			s.x[slotPrompt][i] = 0
			s.add(w, uint32(i), p, share*rank.Saturate(x))
		}
	}
	s.some = s.some[:0]
}

// add gives a document of the block a word's score.
func (s *scanner) add(w int, i uint32, p *query.Word, score float64) {
	t := &s.tally[i]
	if t.met != uint16(w+1) {
		if t.met == 0 {
			if p.Minor {
				return
			}
			s.block = append(s.block, uint16(i))
			s.here.Add(uint16(i))
		}
		t.met = uint16(w + 1)
		t.cover += p.Weight
	}
	t.sum += p.Weight * score
}

// dated counts a date as a word of the turns of that time.
func (s *scanner) dated(w int, b uint32, mask *shard.Mask) {
	p, days := &s.plan.Words[w], s.bound[w].days
	from := b << shard.BlockShift
	for i := uint32(0); i < shard.BlockDocs && int(from+i) < s.docs; i++ {
		if (mask == nil || mask.Has(uint16(i))) && days.Contains(from|i) {
			s.add(w, i, p, 1)
		}
	}
}

// each calls fn for the documents of the block that were met, with their
// scores, and leaves the scratch all zero.
func (s *scanner) each(b uint32, cover rank.Cover, fn emitter) {
	for _, i := range s.block {
		t := &s.tally[i&blockMask]
		fn(b<<shard.BlockShift|uint32(i), cover.Score(t.sum, t.cover), t.sites)
		*t, s.here[i>>6] = docSum{}, 0
	}
	s.block = s.block[:0]
}
