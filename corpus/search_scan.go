package corpus

import (
	"sync"

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
	plan  *plan
	lanes []lane
	cols  []shard.Codes // by lane
	bound []boundWord
	many  bool // several slots are used
	tools bits // turns that used tools, nil where the factor does not matter
	docs  int  // of the view
	pass  bits // what may score
	live  bits // what is there
	only  bool // only documents that are in block already are scored

	cursors [][][]shard.Blocks
	codes   [][]uint8 // of the block, by lane

	fresh []uint16 // documents with occurrences of the group at hand
	block []uint16 // documents met in this block
	pool  *sync.Pool
	*scratch
}

// A scratch is what a scanner writes on. It is all zero between blocks but for
// listed and counts.
type scratch struct {
	listed [shard.BlockDocs]uint32
	counts [shard.BlockDocs]uint8
	x      [slots][shard.BlockDocs]float64 // occurrences of the group at hand
	sum    [shard.BlockDocs]float64        // score so far
	cover  [shard.BlockDocs]float64        // weight of the words met so far
	met    [shard.BlockDocs]uint16         // last word met, plus one, or wanted
	most   [shard.BlockDocs]float32        // of a skipper: bound of the score so far
}

// wanted marks a document that is to be scored and of which no word is met yet.
const wanted = ^uint16(0)

const blockMask = shard.BlockDocs - 1

// scan calls emit for each document that passes and has a word, with its score,
// in ascending order within a block; and others for those that are live, have a
// word and do not pass, when others is not nil.
func (s *scanner) scan(emit func(doc uint32, score float64), others func(doc uint32)) error {
	s.open()
	s.take()
	cover := rank.NewCover(s.plan.total)
	blocks := uint32((s.docs + shard.BlockDocs - 1) >> shard.BlockShift)
	for b := uint32(0); b < blocks; b++ {
		if others == nil && s.pass.none(b) {
			continue
		}
		if err := s.score(b); err != nil {
			return err
		}
		for _, i := range s.block {
			d := b<<shard.BlockShift | uint32(i)
			switch {
			case !s.live.has(d):
			case s.pass.has(d):
				emit(d, cover.Score(s.sum[i], s.cover[i]))
			case others != nil:
				others(d)
			}
			s.sum[i], s.cover[i], s.met[i] = 0, 0, 0
		}
		s.block = s.block[:0]
	}
	s.pool.Put(s.scratch)
	return nil
}

// take gets a scratch; who is done puts it back, all zero.
func (s *scanner) take() {
	if s.scratch, _ = s.pool.Get().(*scratch); s.scratch == nil {
		s.scratch = new(scratch)
	}
}

// open sets cursors before the first block. They point into bound.
func (s *scanner) open() {
	s.cursors = s.cursors[:0]
	for i := range s.bound {
		groups := make([][]shard.Blocks, len(s.bound[i].lists))
		for g, lists := range s.bound[i].lists {
			groups[g] = make([]shard.Blocks, len(lists))
			for n := range lists {
				groups[g][n] = lists[n].p.Blocks()
			}
		}
		s.cursors = append(s.cursors, groups)
	}
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

// load reads the length codes of a block.
func (s *scanner) load(b uint32) error {
	s.codes = s.codes[:0]
	for i := range s.cols {
		codes, err := s.cols[i].Block(b)
		if err != nil {
			return err
		}
		s.codes = append(s.codes, codes)
	}
	return nil
}

func (s *scanner) words(b uint32) {
	for _, minor := range []bool{false, true} {
		if minor && len(s.block) == 0 {
			return
		}
		for w := range s.plan.words {
			if s.plan.words[w].minor == minor {
				s.word(w, b)
			}
		}
	}
}

func (s *scanner) word(w int, b uint32) {
	if s.bound[w].days != nil {
		s.dated(w, b)
		return
	}
	for g := range s.cursors[w] {
		lists := s.bound[w].lists[g]
		for n := range lists {
			if c := &s.cursors[w][g][n]; s.lanes[lists[n].lane].scored && c.Seek(b) && c.Block == b {
				s.counted(c, lists[n].lane, s.only || s.plan.words[w].minor)
			}
		}
		s.fold(w, s.plan.words[w].groups[g].share)
	}
}

// lookUp is as many postings as are read in the time of looking one up.
const lookUp = 8

// counted adds a list's occurrences to the group at hand. Of a word that makes
// no match by itself only the documents met already are looked up, where they
// are so few that reading the whole block would take longer.
func (s *scanner) counted(c *shard.Blocks, at int, few bool) {
	if !few || len(s.block)*lookUp > c.Docs {
		s.count(c, at)
		return
	}
	l := &s.lanes[at]
	x := &s.x[l.slot]
	for _, i := range s.block {
		d := c.Block<<shard.BlockShift | uint32(i)
		n := c.Count(d)
		if n == 0 {
			continue
		}
		norms := l.norms[0]
		if s.tools != nil && s.tools.has(d) {
			norms = l.norms[1]
		}
		if x[i] == 0 {
			s.fresh = append(s.fresh, i)
		}
		x[i] += float64(n) * norms[s.codes[at][i]]
	}
}

// count adds a list's occurrences to the group at hand.
func (s *scanner) count(c *shard.Blocks, at int) {
	n := c.Decode(&s.listed, &s.counts)
	l := &s.lanes[at]
	codes, x := s.codes[at], &s.x[l.slot]
	plain, tooled := l.norms[0], l.norms[1]
	if s.tools == nil || plain == tooled {
		for k, d := range s.listed[:n] {
			i := d & blockMask
			if x[i] == 0 {
				s.fresh = append(s.fresh, uint16(i))
			}
			x[i] += float64(s.counts[k]) * plain[codes[i]]
		}
		return
	}
	tools := s.tools[c.Block<<(shard.BlockShift-6):]
	for k, d := range s.listed[:n] {
		i := d & blockMask
		norms := plain
		if tools[i>>6]>>(i&63)&1 == 1 {
			norms = tooled
		}
		if x[i] == 0 {
			s.fresh = append(s.fresh, uint16(i))
		}
		x[i] += float64(s.counts[k]) * norms[codes[i]]
	}
}

// fold makes scores of the group's occurrences. A document that has several of
// the slots is met first with the sum of all and then with nothing.
func (s *scanner) fold(w int, share float64) {
	p := &s.plan.words[w]
	for _, i := range s.fresh {
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
	s.fresh = s.fresh[:0]
}

// add gives a document of the block a word's score.
func (s *scanner) add(w int, i uint32, p *word, score float64) {
	if s.met[i] != uint16(w+1) {
		if s.met[i] == 0 {
			if p.minor || s.only {
				return
			}
			s.block = append(s.block, uint16(i))
		}
		if p.minor && s.met[i] == wanted {
			return
		}
		s.met[i] = uint16(w + 1)
		s.cover[i] += p.weight
	}
	s.sum[i] += p.weight * score
}

// dated counts a date as a word of the turns of that time.
func (s *scanner) dated(w int, b uint32) {
	p, days := &s.plan.words[w], s.bound[w].days
	if p.minor || s.only {
		for _, i := range s.block {
			if days.Contains(b<<shard.BlockShift | uint32(i)) {
				s.add(w, uint32(i), p, 1)
			}
		}
		return
	}
	from := b << shard.BlockShift
	for i := uint32(0); i < shard.BlockDocs && int(from+i) < s.docs; i++ {
		if days.Contains(from | i) {
			s.add(w, i, p, 1)
		}
	}
}
