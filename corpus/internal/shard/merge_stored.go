package shard

// A blockReader reads the documents of one input's stream, mostly in order,
// with the block that it is in unpacked at most once.
type blockReader struct {
	r      *Reader
	s      *streamReader
	open   bool
	block  block
	raw    []byte // unpacked; nil when not yet
	places []int  // in raw: where documents begin, and the end
}

// seek goes to the block that a document is in.
func (b *blockReader) seek(doc uint32) (err error) {
	if b.open && doc-b.block.first < b.block.docs {
		return nil
	}
	b.block, err = b.s.find(b.r.m, doc)
	b.open = err == nil
	b.places = b.places[:0]
	return err
}

// doc returns the bytes of a document of the present block.
func (b *blockReader) doc(doc uint32) (p []byte, err error) {
	if len(b.places) == 0 {
		if b.raw, err = b.s.unpack(b.r.m, b.block, b.raw); err != nil {
			return nil, err
		}
		end := len(b.raw)
		b.places = make([]int, 0, b.block.docs+1)
		total := 0
		err = b.s.each(b.r.m, b.block, b.raw, func(_ uint32, p []byte) error {
			b.places = append(b.places, total)
			total += len(p)
			return nil
		})
		if err != nil {
			return nil, err
		}
		for i := range b.places {
			b.places[i] += end - total
		}
		b.places = append(b.places, end)
	}
	i := doc - b.block.first
	return b.raw[b.places[i]:b.places[i+1]], nil
}

// stream takes over a stream: whole blocks as they lie where their documents
// stay together, the others document by document.
func (m *merger) stream(k Kind, stream int) error {
	to := &m.w.kinds[k].streams[stream]
	from := make([]blockReader, len(m.inputs))
	for i, in := range m.inputs {
		from[i] = blockReader{r: in.Reader, s: &in.Reader.kinds[k].streams[stream]}
	}
	order := m.order[k]
	for len(order) > 0 {
		n, err := m.copy(to, &from[order[0].input], order)
		if err != nil {
			return err
		}
		order = order[n:]
	}
	return m.w.out.err
}

// copy takes over the first documents of order and returns how many.
func (m *merger) copy(to *streamWriter, from *blockReader, order []source) (int, error) {
	s := order[0]
	if from.s.table.len == 0 {
		return 1, to.add(nil)
	}
	if err := from.seek(s.doc); err != nil {
		return 0, err
	}
	b := from.block
	// Passages are packed with the words of the new shard, and what a small shard did
	// not pack as it should be can be now.
	if to.stream != passageStream && int(b.raw) >= streamTarget[to.stream]/2 && together(order, b) {
		p, err := from.s.stored(from.r.m, b)
		if err != nil {
			return 0, err
		}
		if p[0] == streamCodec[to.stream] {
			m.took(len(p))
			return int(b.docs), to.copyBlock(b.docs, b.raw, p)
		}
	}
	p, err := from.doc(s.doc)
	if err != nil {
		return 0, err
	}
	m.took(len(p))
	if to.stream == passageStream && !m.same[s.input] {
		if p, err = m.translate(from.r, p); err != nil {
			return 0, err
		}
	}
	return 1, to.add(p)
}

// together reports whether order begins with all documents of a block.
func together(order []source, b block) bool {
	if order[0].doc != b.first || len(order) < int(b.docs) {
		return false
	}
	for i, s := range order[:b.docs] {
		if s.input != order[0].input || s.doc != b.first+uint32(i) {
			return false
		}
	}
	return true
}

// translate gives passages the slots of this program.
func (m *merger) translate(r *Reader, p []byte) ([]byte, error) {
	ps, err := r.passages(p)
	if err != nil {
		return nil, err
	}
	m.w.scratch, err = m.w.appendPassages(m.w.scratch[:0], &kindWriter{}, ps)
	return m.w.scratch, err
}
