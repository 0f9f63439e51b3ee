package search

import (
	"cmp"
	"slices"

	"github.com/hansard-search/hansard/corpus/internal/published"
	"github.com/hansard-search/hansard/corpus/internal/rank"
	"github.com/hansard-search/hansard/corpus/internal/shard"
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
