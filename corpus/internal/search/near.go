package search

import (
	"bytes"
	"cmp"
	bit "math/bits"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/hansard-search/hansard/corpus/internal/published"
	"github.com/hansard-search/hansard/corpus/internal/rank"
	"github.com/hansard-search/hansard/corpus/internal/shard"
	"github.com/hansard-search/hansard/corpus/internal/signal"
	"github.com/hansard-search/hansard/corpus/internal/terms"
	"github.com/hansard-search/hansard/surfaces"
)

// A nearReader tells how close to each other the words of the query's pairs
// stand in turns. It is for one goroutine.
type nearReader struct {
	q       *Search
	most    float64 // of any turn: all pairs side by side
	words   []int   // of the pairs, the rarest first
	begins  []int   // by word: the pair that begins with it, behind the one that ends with it
	told    bool    // the sites of a turn tell of all of them
	matcher *terms.Matcher
	word    []int      // by target
	holders [][]holder // by view: by place in words and lane
	holds   []uint64   // by word: lanes, as bits, in which the turn at hand has it
	sums    []float64  // by lane: of the pairs that the turn at hand can have in it
	keep    int        // of how many rows more texts are kept: those read first are mostly shown
	room    *orderRoom
	take    func(terms.Match) bool // note
}

// A nearness is where pairs of words can stand close together in a turn.
type nearness struct {
	most  float64 // how close they are at most, in one text
	lanes uint64  // as bits, that have both words of a pair
}

// nearReader makes a reader of the plan's pairs, once their weights are known.
func (q *Search) nearReader() *nearReader {
	pl := q.plan
	n := &nearReader{q: q, holds: make([]uint64, len(pl.Words)), holders: make([][]holder, len(q.snap.views)),
		begins: make([]int, len(pl.Words)), sums: make([]float64, len(q.lanes)), room: q.orderRoom()}
	for i, p := range pl.Pairs {
		n.most += p.Weight
		if i == 0 {
			n.words = append(n.words, p.First)
		}
		n.words = append(n.words, p.Second)
		n.begins[p.Second] = i + 1
	}
	slices.SortFunc(n.words, func(a, b int) int { return cmp.Compare(pl.Words[a].Docs, pl.Words[b].Docs) })
	n.told = !slices.ContainsFunc(n.words, func(w int) bool { return q.sited[w] == nowhereNoted })
	n.matcher, n.word = q.text.of(pl, n.words) // the other words would only hold it up
	n.take = n.note
	n.room.leave(q.searcher) // what read for another matcher
	return n
}

// A holder tells which turns have a word in a lane.
type holder struct {
	any  bool // all may have it: postings do not tell
	few  []uint32
	many *shard.Postings
}

func (h *holder) has(doc uint32) bool {
	if h.any || h.many != nil {
		return h.any || h.many.Contains(doc)
	}
	_, ok := slices.BinarySearch(h.few, doc)
	return ok
}

// bound lowers the bound of a row's score to what can be said without its text:
// which pairs of words stand in one surface, and only where that leaves it first,
// how old it is, which reads some place of a large column.
func (n *nearReader) bound(c *contender) error {
	if !c.paired && !c.record() {
		c.pairs, c.paired = n.possible(&c.ranked), true
		if most := n.first(c); most < c.most {
			c.most = most
			return nil
		}
	}
	updated, err := c.time()
	if err != nil {
		return published.Damage(c.ref.view.Name, err)
	}
	const day = 24 * 60 * 60 * 1000
	c.recency = rank.Recency(float64(n.q.snap.Manifest.IndexedAt-updated) / day)
	c.most, c.bounded = (c.score+rank.Near*c.pairs.most)*c.recency, true
	return nil
}

// possible says where pairs can stand close together in a turn, from its words: in
// one of its texts, so that pairs of two lanes do not add up.
func (n *nearReader) possible(r *ranked) (can nearness) {
	q := n.q
	for _, w := range n.words {
		n.holds[w] = unknown
	}
	for i, w := range n.words {
		var told bool
		if n.holds[w], told = r.sites.of(q.sited[w], len(q.lanes)); !told {
			n.holds[w] = n.lookUp(i, r.ref, n.partners(w))
		}
	}
	clear(n.sums)
	for i := range q.plan.Pairs {
		p := &q.plan.Pairs[i]
		both := n.holds[p.First] & n.holds[p.Second]
		can.lanes |= both
		for ; both != 0; both &= both - 1 {
			l := bit.TrailingZeros64(both)
			n.sums[l] += p.Weight
			can.most = max(can.most, n.sums[l])
		}
	}
	return can
}

// unknown stands for lanes of a word that nobody looked up.
const unknown = ^uint64(0)

// partners are the lanes in which a word can be of use in the turn at hand: those
// that have one of the words beside it, or may have.
func (n *nearReader) partners(word int) (lanes uint64) {
	pairs, i := n.q.plan.Pairs, n.begins[word]
	if i > 0 {
		lanes = n.holds[pairs[i-1].First]
	}
	if i < len(pairs) {
		lanes |= n.holds[pairs[i].Second]
	}
	return lanes
}

// lookUp finds in postings those lanes of some, as bits, that have the i-th word in
// a turn.
func (n *nearReader) lookUp(i int, ref docRef, some uint64) (lanes uint64) {
	view, all := slices.Index(n.q.snap.views, ref.view), len(n.q.lanes)
	if n.holders[view] == nil {
		n.holders[view] = n.holdersIn(view)
	}
	return n.lanes(n.holders[view][i*all:][:all], ref.doc, some)
}

// lanes are those of some, as bits, that have a word in a turn.
func (n *nearReader) lanes(holders []holder, doc uint32, some uint64) (lanes uint64) {
	for l := range holders {
		if some>>l&1 == 1 && n.q.lanes[l].scored && holders[l].has(doc) {
			lanes |= 1 << l
		}
	}
	return lanes
}

// holdersIn makes the holders of a view, by place in words and lane.
func (n *nearReader) holdersIn(view int) []holder {
	q := n.q
	all := make([]holder, len(n.words)*len(q.lanes))
	for i, w := range n.words {
		holders := all[i*len(q.lanes):][:len(q.lanes)]
		if q.plan.Words[w].AnyForm() {
			for l := range holders {
				holders[l].any = true
			}
			continue
		}
		lists := firstGroup(q.bound[view][w].lists)
		for k := range lists {
			h := &holders[lists[k].lane] // the only list: other forms have keys of their own
			few, ok := n.room.fewDocs(&lists[k].p)
			if h.few = few.docs; !ok {
				h.many = &lists[k].p
			}
		}
	}
	return all
}

// read reads a row: how close its words stand. After it, the row's score is known.
func (n *nearReader) read(c *contender) error {
	if c.read {
		return nil
	}
	c.read = true
	ok, err := c.pairs.lanes == 0, error(nil)
	if !ok && c.ref.view.texts.Add(1) > n.q.scale.Plain {
		ok, err = n.readPieces(c)
	}
	if !ok && err == nil {
		err = n.readTexts(c, c.pairs.lanes)
	}
	c.unrepeated = c.closeTogether()
	return err
}

// settle reads which prompt a row has that was read.
func (n *nearReader) settle(c *contender) error {
	if c.settled {
		return nil
	}
	return n.readTexts(c, 0)
}

// readPieces is readTexts for texts that are packed, without the prompt; ok is
// false for others.
func (n *nearReader) readPieces(c *contender) (ok bool, err error) {
	view := slices.Index(n.q.snap.views, c.ref.view)
	p := n.room.pieces(n.q, view, n.matcher)
	ok, err = p.Read(shard.Turn, c.ref.doc, func(s surfaces.Name, codes []uint16) (more bool) {
		if l := n.q.laneOf(s); l >= 0 && c.pairs.lanes>>l&1 == 1 {
			n.matcher.ScanPieces(codes, p, n.places())
			c.near = max(c.near, n.closeness())
		}
		return true
	})
	return ok, published.Damage(c.ref.view.Name, err)
}

// readTexts reads the texts of a row: which prompt it has, and how close its words
// stand in some lanes.
func (n *nearReader) readTexts(c *contender, lanes uint64) error {
	c.settled = true
	look := func(s surfaces.Name, text string) {
		if s == surfaces.UserPrompt {
			c.prompt = n.promptHash(text)
		}
		if l := n.q.laneOf(s); l >= 0 && lanes>>l&1 == 1 {
			n.matcher.Scan(text, n.places())
			c.near = max(c.near, n.closeness())
		}
	}
	var err error
	if n.keep--; n.keep >= 0 {
		c.texts, err = n.room.passages(c.ref)
		for i := range c.texts {
			look(c.texts[i].Surface, c.texts[i].Text)
		}
		return err
	}
	return published.Damage(c.ref.view.Name, c.ref.view.ReadPassages(shard.Turn, c.ref.doc, look))
}

// closeTogether is the score of a row whose text was read.
func (c *contender) closeTogether() float64 { return (c.score + rank.Near*c.near) * c.recency }

// How far apart matches stand is exact as far as it counts.
const _ = uint(terms.Reach - rank.NearWindow)

// places returns what notes where the pairs' words stand in a text.
func (n *nearReader) places() (take func(terms.Match) bool) {
	at := n.room.at
	for len(at) < len(n.holds) {
		at = append(at, nil)
	}
	n.room.at = at
	for _, w := range n.words {
		at[w] = at[w][:0]
	}
	return n.take
}

func (n *nearReader) note(f terms.Match) bool {
	at := &n.room.at[n.word[f.Target]]
	if k := len(*at); k == 0 || (*at)[k-1] < f.Pos {
		*at = append(*at, f.Pos)
	}
	return true
}

// closeness is how close to each other the pairs' words stand in the text of which
// the places were noted.
func (n *nearReader) closeness() float64 { return rank.Closeness(n.q.plan.Pairs, n.room.at) }

// promptHash is the same for prompts that differ in capitals and blanks only.
func (n *nearReader) promptHash(text string) signal.Hash {
	b := n.room.folded[:0]
	for i := 0; i < len(text); {
		if c := small[text[i]]; c != 0 {
			b = append(b, c)
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		i += size
		switch {
		case !unicode.IsSpace(r):
			b = utf8.AppendRune(b, unicode.ToLower(r))
		case len(b) > 0 && b[len(b)-1] != ' ':
			b = append(b, ' ')
		}
	}
	n.room.folded = b
	return signal.OfBytes(bytes.TrimSuffix(b, []byte(" ")))
}

// small is the small letter of a byte, or the byte; 0 for blanks and for what is
// no character by itself.
var small = func() (t [256]byte) {
	for c := range byte(utf8.RuneSelf) {
		if !unicode.IsSpace(rune(c)) {
			t[c] = byte(unicode.ToLower(rune(c)))
		}
	}
	return t
}()
