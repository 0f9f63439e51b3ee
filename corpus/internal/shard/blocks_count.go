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
