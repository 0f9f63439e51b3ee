package shard

import "github.com/hansard-search/hansard/corpus/internal/prefetch"

// A Mask is a set of the documents of one block: bit d&63 of word d>>6, where d
// is a document number less the block's first.
type Mask [BlockDocs / 64]uint64

// Has reports whether the set holds a document, which is below BlockDocs.
func (m *Mask) Has(d uint16) bool { return m[d>>6&(BlockDocs/64-1)]>>(d&63)&1 == 1 }

// Add puts a document, which is below BlockDocs, into the set.
func (m *Mask) Add(d uint16) { m[d>>6&(BlockDocs/64-1)] |= 1 << (d & 63) }

// Picked is what Pick found: documents, less the block's first, ascending, and
// their counts. The zero value is ready; what is behind the number that Pick
// returned is of no meaning.
type Picked struct {
	Docs   [BlockDocs]uint16
	Counts [BlockDocs]uint8
	at     [BlockDocs]uint16 // which of the block's documents each is
}

// Pick finds the documents of the present block that are in mask, all of them
// where it is nil, and returns how many there are. It allocates nothing, and
// reads counts of others only where they lie between. The processor is asked for what
// stands beside the documents it found before it reads the counts.
func (c *Blocks) Pick(mask *Mask, beside []uint8, p *Picked) int {
	if c.p.entries == nil {
		return c.pickFew(mask, p)
	}
	if mask == nil {
		n := c.below(p, c.container.Lows(&p.Docs, c.Block, c.start, c.Docs))
		prefetch.At(beside, p.Docs[:n])
		readCounts(c.exc, p.Counts[:c.Docs])
		return n
	}
	n := c.below(p, c.container.Pick((*[BlockDocs / 64]uint64)(mask), c.Block, c.start, c.Docs, &p.Docs, &p.at))
	prefetch.At(beside, p.Docs[:n])
	pickCounts(c.exc, c.Docs, p.at[:n], &p.Counts)
	return n
}

// PickFew is Pick for the few documents of a mask, ascending: it looks each up in
// lists that are longer.
func (c *Blocks) PickFew(mask *Mask, few []uint16, beside []uint8, p *Picked) int {
	if c.p.entries == nil || !c.container.Bitmap() && c.Docs < longList*len(few) {
		return c.Pick(mask, beside, p)
	}
	n := c.below(p, c.container.Among(few, c.Block, c.start, c.Docs, &p.Docs, &p.at))
	prefetch.At(beside, p.Docs[:n])
	pickCounts(c.exc, c.Docs, p.at[:n], &p.Counts)
	return n
}

// longList is from how many times as many documents on it is faster to look one
// up than to go through all.
const longList = 8

// Or adds the block's documents to dst, a bit a document number. Bits past the
// last document of the shard may be set where the file is damaged.
func (c *Blocks) Or(dst *Mask) {
	if c.p.entries != nil {
		c.container.Or((*[BlockDocs / 64]uint64)(dst), c.Block, c.start, c.Docs)
		return
	}
	in := c.first
	for i := range min(c.Docs, BlockDocs) {
		c.few(&in, i)
		dst.Add(uint16(in.doc & (BlockDocs - 1)))
	}
}

// Dense is Pick for all documents of the block, as a set and the counts of each,
// ascending. Of damaged bytes the set may have more documents than there are
// counts.
func (c *Blocks) Dense(docs *Mask, counts []uint8) {
	*docs = Mask{}
	if c.p.entries != nil {
		c.container.Or((*[BlockDocs / 64]uint64)(docs), c.Block, c.start, c.Docs)
		readCounts(c.exc, counts[:c.Docs])
		return
	}
	in := c.first
	for i := range min(c.Docs, BlockDocs) {
		c.few(&in, i)
		docs.Add(uint16(in.doc & (BlockDocs - 1)))
		counts[i] = in.count
	}
}

// below leaves out documents that the shard does not have, which only damaged
// bytes name: who reads documents has arrays of that length.
func (c *Blocks) below(p *Picked, n int) int {
	if c.Block >= c.p.limit>>BlockShift { // the last block
		for n > 0 && uint32(p.Docs[n-1]) >= c.p.limit&(BlockDocs-1) {
			n--
		}
	}
	return n
}

func (c *Blocks) pickFew(mask *Mask, p *Picked) int {
	in, n := c.first, 0
	for i := range min(c.Docs, BlockDocs) {
		c.few(&in, i)
		d := uint16(in.doc & (BlockDocs - 1))
		if mask == nil || mask.Has(d) {
			p.Docs[n], p.Counts[n] = d, in.count
			n++
		}
	}
	return n
}

// pickCounts writes the counts of those of a block's n documents that at names,
// ascending.
func pickCounts(b []byte, n int, at []uint16, counts *[BlockDocs]uint8) {
	if len(b) == n {
		for i, j := range at {
			counts[i] = 1
			if int(j) < len(b) {
				counts[i] = b[j]
			}
		}
		return
	}
	in := exceptions{b: b}
	for i, j := range at {
		counts[i] = in.of(int(j))
	}
}
