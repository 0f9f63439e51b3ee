package shard

// A blockReader reads the documents of one input's stream, mostly in order,
// with the block that it is in unpacked at most once.
type blockReader struct {
	r      *Reader
	s      *streamReader
	open   bool
	block  block
	raw    []byte // unpacked
	places []int  // in raw or packed: where documents begin, and the end; none when not yet read
	packed []byte // words, as they lie in the file
	sizes  []int  // of the documents in packed: lengths unpacked
	read   int64  // where in the file the block before ends
}

// around is how much a system may map of a file where a byte of it is read.
const around = 64 << 10

// seek goes to the block that a document is in.
func (m *merger) seek(b *blockReader, doc uint32) (err error) {
	if b.open && doc-b.block.first < b.block.docs {
		return nil
	}
	b.block, err = b.s.find(b.r.m, doc)
	b.open = err == nil
	b.places, b.packed = b.places[:0], nil
	if gap := b.block.off - b.read; gap >= 0 && gap < around {
		m.took(int(gap + b.block.stored))
	} else {
		m.took(int(around + b.block.stored))
	}
	b.read = b.block.off + b.block.stored
	return err
}

// doc returns the bytes of a document of the present block.
func (b *blockReader) doc(doc uint32) (p []byte, err error) {
	if len(b.places) == 0 {
		if b.raw, err = b.s.unpack(b.r.m, b.block, b.raw); err != nil {
			return nil, err
		}
		end := len(b.raw)
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

// packedDoc returns a document of the present block packed as words, and how long
// it is unpacked; ok is false when the block is packed otherwise.
func (b *blockReader) packedDoc(doc uint32) (size int, p []byte, ok bool, err error) {
	if len(b.places) == 0 {
		p, err := b.s.stored(b.r.m, b.block)
		if err != nil || p[0] != codecWords {
			return 0, nil, false, err
		}
		if b.packed, b.sizes, b.places, ok = packedPlaces(p[1:], b.block.docs, b.sizes[:0], b.places); !ok {
			return 0, nil, false, b.damage()
		}
	} else if b.packed == nil {
		return 0, nil, false, nil
	}
	i := doc - b.block.first
	return b.sizes[i], b.packed[b.places[i]:b.places[i+1]], true, nil
}

// packedPlaces finds the documents of a block of words: their bytes, how long each
// is unpacked, and where it begins and the last ends.
func packedPlaces(p []byte, docs uint32, sizes, places []int) (packed []byte, s, at []int, ok bool) {
	heads, end := cursor{b: p}, 0
	for range docs {
		sizes = append(sizes, int(heads.int(maxBlock)))
		places = append(places, end)
		end += int(heads.int(maxBlock))
	}
	return heads.b, sizes, append(places, end), !heads.bad && end == len(heads.b)
}

func (b *blockReader) damage() error {
	return b.r.m.damage(b.s.table.name, "block of document %d", b.block.first)
}

// stream takes over a stream: whole blocks as they lie where their documents
// stay together, the others document by document.
func (m *merger) stream(k Kind, stream int) error {
	if stream == passageStream && m.words != nil {
		return m.passages(k)
	}
	to, from := &m.w.kinds[k].streams[stream], m.readers(k, stream)
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

// readers are those of a stream of all inputs.
func (m *merger) readers(k Kind, stream int) []blockReader {
	from := make([]blockReader, len(m.inputs))
	for i, in := range m.inputs {
		from[i] = blockReader{r: in.Reader, s: &in.Reader.kinds[k].streams[stream]}
	}
	return from
}

// copy takes over the first documents of order and returns how many.
func (m *merger) copy(to *streamWriter, from *blockReader, order []origin) (int, error) {
	s := order[0]
	if from.s.table.len == 0 {
		return 1, to.add(nil)
	}
	if err := m.seek(from, s.doc); err != nil {
		return 0, err
	}
	// Passages have other words. What a small shard did not pack as it should be can
	// be now.
	if to.stream != passageStream && together(order, from.block, streamTarget[to.stream]) {
		p, err := from.s.stored(from.r.m, from.block)
		if err != nil {
			return 0, err
		}
		if p[0] == streamCodec[to.stream] {
			return int(from.block.docs), to.copyBlock(from.block.docs, from.block.raw, p)
		}
	}
	p, err := from.doc(s.doc)
	if err == nil && to.stream == passageStream && !m.same[s.input] {
		p, m.w.scratch, err = m.translate(from.r, p, m.w.scratch)
	}
	if err != nil {
		return 0, err
	}
	return 1, to.add(p)
}

// together reports whether order begins with all documents of a block that has a
// good part of its size.
func together(order []origin, b block, target int) bool {
	if int(b.raw) < target/2 || order[0].doc != b.first || len(order) < int(b.docs) {
		return false
	}
	for i, s := range order[:b.docs] {
		if s.input != order[0].input || s.doc != b.first+uint32(i) {
			return false
		}
	}
	return true
}

// translate gives passages the slots of this program. They lie in buf.
func (m *merger) translate(r *Reader, p, buf []byte) (out, after []byte, err error) {
	ps, err := r.passages(p)
	if err != nil {
		return nil, buf, err
	}
	buf, err = m.w.appendPassages(buf[:0], &kindWriter{}, ps)
	return buf, buf, err
}
