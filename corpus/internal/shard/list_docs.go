package shard

// Few appends the documents, ascending, and their counts where they are so few
// that their list has no blocks; ok is false for more of them, of which Contains
// tells soon whether one is there.
func (p *Postings) Few(docs []uint32, counts []uint8) (_ []uint32, _ []uint8, ok bool) {
	if p.entries != nil {
		return docs, counts, false
	}
	for in := p.reader(); in.next(p.limit); {
		docs, counts = append(docs, in.doc), append(counts, in.count)
	}
	return docs, counts, true
}
