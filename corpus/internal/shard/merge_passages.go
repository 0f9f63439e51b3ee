package shard

// batchPassages is how many documents' passages are translated at once.
const batchPassages = 32

// A passageBatch is the passages of some documents on their way to the new shard.
type passageBatch struct {
	order  []origin // whose
	pieces []piece
	parts  []part
	bytes  []byte
	inText bool
}

// A piece is the passages of a document, or a block as it lies in an input.
type piece struct {
	block     []byte // nil for a document
	docs, raw uint32 // of the block
	size      int    // of the document, unpacked
	parts     int    // where the document's end
}

// A part of a document's passages ends in bytes where it says. Text has still to be
// packed: that gives words that come again numbers, one after the other.
type part struct {
	end  int
	text bool
}

func (b *passageBatch) addText(text []byte) {
	if !b.inText {
		b.parts = append(b.parts, part{len(b.bytes), false})
		b.inText = true
	}
	b.bytes = append(b.bytes, text...)
}

func (b *passageBatch) endText() {
	if b.inText {
		b.parts = append(b.parts, part{len(b.bytes), true})
		b.inText = false
	}
}

// endDoc ends a document.
func (b *passageBatch) endDoc(size int) {
	b.parts = append(b.parts, part{len(b.bytes), b.inText})
	b.inText = false
	b.pieces = append(b.pieces, piece{size: size, parts: len(b.parts)})
}

// passages takes over the passages of a kind, where the new shard begins with the
// words of an input.
func (m *merger) passages(k Kind) error {
	order := m.order[k]
	workers := make([]passageReader, len(m.listers))
	for i := range workers {
		workers[i] = passageReader{m: m, from: m.readers(k, passageStream)}
	}
	to := &m.w.kinds[k].streams[passageStream]
	var packed []byte
	return inOrder(len(workers),
		func(b *passageBatch) (bool, error) {
			n := min(len(order), batchPassages)
			b.order, order = order[:n], order[n:]
			return n > 0, nil
		},
		func(worker int, b *passageBatch) error { return workers[worker].read(b) },
		func(b *passageBatch) (err error) {
			packed, err = to.addPieces(b, packed)
			return err
		})
}

// A passageReader reads packed passages and gives words the numbers of the new
// shard. It is for one goroutine.
type passageReader struct {
	m    *merger
	from []blockReader
	buf  []byte
}

func (x *passageReader) read(b *passageBatch) error {
	b.pieces, b.parts, b.bytes, b.inText = b.pieces[:0], b.parts[:0], b.bytes[:0], false
	for order := b.order; len(order) > 0; {
		n, err := x.first(b, order)
		if err != nil {
			return err
		}
		order = order[n:]
	}
	return nil
}

// first takes over the first documents of order and returns how many.
func (x *passageReader) first(b *passageBatch, order []origin) (int, error) {
	s := order[0]
	from, t, same := &x.from[s.input], x.m.words[s.input], x.m.same[s.input]
	if from.s.table.len == 0 {
		b.endDoc(0)
		return 1, nil
	}
	if err := x.m.seek(from, s.doc); err != nil {
		return 0, err
	}
	if t == nil || !same {
		return 1, x.text(b, from, s)
	}
	if t.same && together(order, from.block, streamTarget[passageStream]) {
		p, err := from.s.stored(from.r.m, from.block)
		if err != nil {
			return 0, err
		}
		if p[0] == codecWords {
			b.pieces = append(b.pieces, piece{block: p, docs: from.block.docs, raw: from.block.raw, parts: len(b.parts)})
			return int(from.block.docs), nil
		}
	}
	size, p, ok, err := from.packedDoc(s.doc)
	switch {
	case err != nil:
		return 0, err
	case !ok:
		return 1, x.text(b, from, s)
	case t.same:
		b.bytes = append(b.bytes, p...)
	default:
		if n, ok := t.pack(b, p); !ok || n != size {
			return 0, from.damage()
		}
	}
	b.endDoc(size)
	return 1, nil
}

// text takes over the passages of a document that are not packed as words of the
// input, or not with the slots of this program.
func (x *passageReader) text(b *passageBatch, from *blockReader, s origin) error {
	p, err := from.doc(s.doc)
	if err == nil && !x.m.same[s.input] {
		p, x.buf, err = x.m.translate(from.r, p, x.buf)
	}
	if err != nil {
		return err
	}
	b.addText(p)
	b.endDoc(len(p))
	return nil
}

// addPieces adds the passages of a batch. buf is for packing.
func (s *streamWriter) addPieces(b *passageBatch, buf []byte) (after []byte, err error) {
	at, parts := 0, 0
	for _, p := range b.pieces {
		if p.block != nil {
			err = s.copyBlock(p.docs, p.raw, p.block)
		} else {
			buf = s.words.packParts(buf[:0], b, at, b.parts[parts:p.parts])
			at, parts = b.parts[p.parts-1].end, p.parts
			err = s.addPacked(p.size, buf)
		}
		if err != nil {
			return buf, err
		}
	}
	return buf, s.out.err
}

// packParts packs a document, of which the parts begin at.
func (w *wordWriter) packParts(dst []byte, b *passageBatch, at int, parts []part) []byte {
	for _, p := range parts {
		if p.text {
			dst = w.pack(dst, b.bytes[at:p.end])
		} else {
			dst = append(dst, b.bytes[at:p.end]...)
		}
		at = p.end
	}
	return dst
}
