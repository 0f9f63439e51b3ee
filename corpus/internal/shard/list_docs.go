package shard

// Few appends the documents to docs, ascending, where they are so few that their
// list has no blocks; ok is false for more of them, of which Contains tells
// soon whether one is there.
func (p *Postings) Few(docs []uint32) (_ []uint32, ok bool) {
	if p.entries != nil {
		return docs, false
	}
	for in := p.reader(); in.next(p.limit); {
		docs = append(docs, in.doc)
	}
	return docs, true
}
