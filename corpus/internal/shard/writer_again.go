package shard

// Next is NewWriter with the memory of a writer that is finished: what it grew to is
// about what the next shard needs, and need not be made, cleared and collected again.
func (w *Writer) Next(path string, opts Options) *Writer {
	n := NewWriter(path, opts)
	n.again = true
	for k := range n.kinds {
		n.kinds[k].renew(&w.kinds[k])
	}
	for i, f := range w.fields {
		if f != nil {
			f.terms.renew()
			n.fields[i] = &fieldWriter{terms: f.terms, codes: f.codes[:0], lengths: f.lengths[:0]}
		}
	}
	n.sessions.renew(&w.sessions)
	n.words.renew(&w.words)
	n.marked, n.scratch = w.marked[:0], usual(w.scratch)
	return n
}

// unusual is the size from which on the bytes of a document are not copied where that
// can be spared, and a buffer is not kept for the next.
const unusual = 1 << 20

// usual empties a buffer, and gives up one that a document of unusual size needed.
func usual(b []byte) []byte {
	if cap(b) > unusual {
		return nil
	}
	return b[:0]
}

// Full reports whether the writer takes limit bytes of memory. What it has besides
// from an earlier shard is given up where this one turns out to need other memory.
func (w *Writer) Full(limit int64) bool {
	n, spare := w.Memory(), int64(0)
	for x := range w.lexicons {
		spare += x.pool.spare()
	}
	if n+spare > limit+limit/8 {
		for x := range w.lexicons {
			x.pool.drop()
		}
	}
	return n >= limit
}

func (w *Writer) lexicons(yield func(*lexicon) bool) {
	for _, f := range w.fields {
		if f != nil && !yield(&f.terms) {
			return
		}
	}
	_ = yield(&w.kinds[Turn].facets) && yield(&w.kinds[Session].facets)
}

// renew empties the lexicon. Terms stay, without documents, as long as most of them
// had some: nearly all will come again.
func (x *lexicon) renew() {
	had := 0
	for i := range x.terms {
		if r := &x.terms[i]; r.docs > 0 {
			had++
		}
	}
	if 2*had < len(x.terms) {
		clear(x.slots)
		clear(x.queue.ids)
		x.terms, x.text = x.terms[:0], x.text[:0]
	}
	for i := range x.terms {
		r := &x.terms[i]
		*r = termRow{text: r.text, size: r.size}
	}
	x.pool.renew()
}

func (k *kindWriter) renew(from *kindWriter) {
	from.facets.renew()
	k.rows, k.owners, k.facets = from.rows[:0], from.owners[:0], from.facets
	k.keys = keyWriter{from.keys.ends[:0], from.keys.text[:0]}
	for i := range k.streams {
		s, from := &k.streams[i], &from.streams[i]
		s.heads, s.bytes, s.buf = usual(from.heads), usual(from.bytes), usual(from.buf)
	}
}

func (r *roll) renew(from *roll) {
	clear(from.ords)
	r.ords, r.hashes = from.ords, from.hashes[:0]
	r.keys = keyWriter{from.keys.ends[:0], from.keys.text[:0]}
}

func (w *wordWriter) renew(from *wordWriter) {
	clear(from.table.slots)
	clear(from.once)
	clear(from.marks.packed)
	w.table = wordTable{from.table.keys[:0], from.table.slots}
	w.once, w.buf, w.marks.packed = from.once, usual(from.buf), from.marks.packed
}
