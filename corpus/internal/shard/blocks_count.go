package shard

// Count returns how often a document of the present block has the term, at
// most MaxCount; 0 when it lacks it. It costs a look into the block, not the
// reading of it: for the few documents that matter among many.
func (c *Blocks) Count(doc uint32) uint8 {
	if c.p.entries == nil {
		return c.p.fewCount(doc)
	}
	if !c.container.Contains(uint16(doc)) {
		return 0
	}
	return countAt(c.exc, c.container.Below(uint16(doc), c.start), c.Docs)
}

// Or adds the block's documents to dst, a bit a document number. Bits past the
// last document of the shard may be set where the file is damaged.
func (c *Blocks) Or(dst *[BlockDocs / 64]uint64) {
	if c.p.entries != nil {
		c.container.Or(dst, c.Block, c.start, c.Docs)
		return
	}
	in := c.first
	for i := range min(c.Docs, BlockDocs) {
		if i > 0 {
			in.one, in.left = false, 1
			in.next(c.p.limit)
		}
		low := in.doc & (BlockDocs - 1)
		dst[low>>6] |= 1 << (low & 63)
	}
}
