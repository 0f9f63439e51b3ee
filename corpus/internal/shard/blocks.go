package shard

import (
	"encoding/binary"

	"github.com/hansard-search/hansard/corpus/internal/postings"
)

// Blocks goes through postings, a block of BlockDocs document numbers at a
// time, in ascending order; blocks without postings are left out. Next costs a
// few instructions, only Decode reads postings. It is for one goroutine.
//
//	for c := p.Blocks(); c.Next(); {
//		if bound(c.MaxCount, c.MinCode) > threshold {
//			n := c.Decode(&docs, &counts)
//		}
//	}
type Blocks struct {
	Block    uint32 // document number >> BlockShift
	Docs     int    // number of documents, at least 1
	MaxCount uint8  // no document of the block has a larger count
	MinCode  uint8  // nor a smaller length code

	p *Postings
	// Many documents: those entries that are left, exceptions from the block's
	// on, the container that the block is in, and the documents of the container
	// before the block.
	entries   []byte
	exc, next []byte
	index     int
	container postings.Container
	start     int
	begun     bool
	// Few documents: the reader at the block's first one, and behind its last.
	first, after fewReader
	peeked       bool // after.doc is read, and of the next block
}

// Blocks returns a cursor before the first block. It points to p.
func (p *Postings) Blocks() Blocks {
	c := Blocks{p: p, entries: p.entries, next: p.exc}
	if p.entries == nil {
		c.after = p.reader()
	}
	return c
}

// Next moves to the next block; false at the end, for good.
func (c *Blocks) Next() bool {
	if c.p.entries == nil {
		return c.nextFew()
	}
	if len(c.entries) == 0 {
		return c.end()
	}
	e := c.entries
	c.entries = e[entrySize:]
	block := uint32(le16(e))
	if c.begun && block>>4 == c.Block>>4 {
		c.start += c.Docs
	} else if !c.enter(block) {
		return c.end()
	}
	c.Block, c.MaxCount, c.MinCode = block, e[2], e[3]
	c.Docs = int(le16(e[4:])) + 1
	n := min(int(le16(e[6:])), len(c.next))
	c.exc, c.next = c.next[:n], c.next[n:]
	return true
}

func (c *Blocks) end() bool {
	c.Docs = 0
	return false
}

// enter finds the container of a block, which is after the present one. A
// container is sixteen blocks.
func (c *Blocks) enter(block uint32) bool {
	if c.begun {
		c.index++
	}
	c.begun, c.start = true, 0
	for ; c.index < c.p.view.Containers(); c.index++ {
		c.container = c.p.view.Container(c.index)
		if uint32(c.container.Key) == block>>4 {
			return true
		}
	}
	c.entries = nil
	return false
}

func (c *Blocks) nextFew() bool {
	if !c.peeked && !c.after.next(c.p.limit) {
		return c.end()
	}
	// The reader that gives the block's first document again, as its next.
	c.first = fewReader{b: c.after.b, doc: c.after.doc, count: c.after.count, one: true}
	c.Block, c.Docs, c.MaxCount, c.MinCode = c.after.doc>>BlockShift, 1, c.p.most, c.p.code
	c.peeked = false
	for c.after.next(c.p.limit) {
		if c.after.doc>>BlockShift != c.Block {
			c.peeked = true
			break
		}
		c.Docs++
	}
	return true
}

// Seek moves on to the first block that is not before block, staying where it
// is when the present one is not; false when there is none.
func (c *Blocks) Seek(block uint32) bool {
	for c.Docs == 0 || c.Block < block {
		if c.leap(block); !c.Next() {
			return false
		}
	}
	return true
}

// leap leaves out what lies before block in a list of many documents, of which Next
// would read more.
func (c *Blocks) leap(block uint32) {
	docs, exc, e := 0, 0, c.entries // docs are those in the block's container
	for ; len(e) >= entrySize; e = e[entrySize:] {
		row := binary.LittleEndian.Uint64(e)
		b := uint32(row & 0xffff)
		if b >= block {
			break
		}
		if exc += int(row >> 48); b>>4 == block>>4 {
			docs += int(row>>32&0xffff) + 1
		}
	}
	if len(e) == len(c.entries) {
		return
	}
	c.entries, c.next = e, c.next[min(exc, len(c.next)):]
	if docs == 0 || len(e) == 0 || uint32(le16(e))>>4 != block>>4 {
		return
	}
	if c.begun && c.Block>>4 == block>>4 {
		c.start += docs
	} else if c.enter(block) {
		c.Block, c.Docs, c.start = block, 0, docs
	}
}

// Decode writes the block's documents, ascending, and their counts, and
// returns how many there are: Docs. It allocates nothing.
func (c *Blocks) Decode(docs *[BlockDocs]uint32, counts *[BlockDocs]uint8) int {
	if c.p.entries == nil {
		return c.decodeFew(docs, counts)
	}
	n := c.decode(docs)
	readCounts(c.exc, counts[:c.Docs])
	return n
}

// DecodeDocs is Decode without the counts.
func (c *Blocks) DecodeDocs(docs *[BlockDocs]uint32) int {
	if c.p.entries == nil {
		return c.decodeFew(docs, nil)
	}
	return c.decode(docs)
}

// decode gives documents below the limit only, whatever the bytes: who reads
// them has arrays of that length.
func (c *Blocks) decode(docs *[BlockDocs]uint32) int {
	n := c.container.Decode(docs, c.Block, c.start, c.Docs)
	if c.Block >= c.p.limit>>BlockShift { // the last block
		for i, doc := range docs[:n] {
			if doc >= c.p.limit {
				return i
			}
		}
	}
	return n
}

func (c *Blocks) decodeFew(docs *[BlockDocs]uint32, counts *[BlockDocs]uint8) int {
	in := c.first
	n := min(c.Docs, BlockDocs)
	for i := range n {
		c.few(&in, i)
		docs[i] = in.doc
		if counts != nil {
			counts[i] = in.count
		}
	}
	return n
}

// few moves in, which is c.first at first, to the i-th document of the block of a
// list that has few, from the one before.
func (c *Blocks) few(in *fewReader, i int) {
	if i > 0 {
		in.one, in.left = false, 1
		in.next(c.p.limit)
	}
}
