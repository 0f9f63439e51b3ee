package shard

import "slices"

// A lister makes the lists of a new shard from those of the inputs. It is for one
// goroutine.
type lister struct {
	m      *merger
	l      list
	writer listWriter
	sorter sorter
	p      Postings
	docs   [BlockDocs]uint32 // for decoding
	counts [BlockDocs]uint8
}

// lists makes the lists of a batch's terms.
func (x *lister) lists(b *termBatch, of dictID) error {
	x.l.facet, x.l.codes = of.facets, nil
	if !of.facets {
		x.l.codes = x.m.w.fields[of.slot].codes
	}
	from := 0
	for i := range b.terms {
		t := &b.terms[i]
		x.l.docs, x.l.counts = x.l.docs[:0], x.l.counts[:0]
		ascends := true
		for _, f := range b.found[from:t.found] {
			n := len(x.l.docs)
			if err := x.collect(f, of.kind); err != nil {
				return err
			}
			ascends = ascends && x.m.remap[of.kind][f.from.input].whole && (n == 0 || n == len(x.l.docs) || x.l.docs[n-1] < x.l.docs[n])
		}
		from = t.found
		if !ascends {
			x.sorter.sort(&x.l, int(x.m.w.kinds[of.kind].docs))
		}
		x.encode(b, t)
	}
	return nil
}

func (x *lister) encode(b *termBatch, t *batchTerm) {
	if t.gone = len(x.l.docs) == 0; !t.gone {
		v, ok := x.l.inline()
		if !ok {
			var p []byte
			p, v = x.writer.encode(&x.l)
			b.bytes = append(b.bytes, p...)
		}
		t.v = v
	}
	t.bytes = len(b.bytes)
}

// collect adds the documents of an input's list that are kept.
func (x *lister) collect(f found, k Kind) error {
	to := &x.m.remap[k][f.from.input]
	if f.from.f == nil {
		set, err := f.from.it.d.set(f.part, f.v)
		if err != nil {
			return err
		}
		for doc := range set.All() {
			x.l.keep(to.of(doc), 1)
		}
		return nil
	}
	var err error
	if x.p, err = f.from.f.postings(x.m.inputs[f.from.input].Reader.m, f.part, f.v); err != nil {
		return err
	}
	switch p := &x.p; {
	case p.entries != nil:
	case p.few == nil:
		x.l.keep(to.of(p.one), p.most)
		return nil
	default:
		x.l.keepFew(p, to)
		return nil
	}
	for c := x.p.Blocks(); c.Next(); {
		n := c.Decode(&x.docs, &x.counts)
		x.l.keepAll(x.docs[:n], x.counts[:n], to)
	}
	return nil
}

// keep adds a document under its new number, unless it is gone.
func (l *list) keep(doc uint32, count uint8) {
	if doc != gone {
		l.docs, l.counts = append(l.docs, doc), append(l.counts, count)
	}
}

// keepFew is keep for a list that has no blocks, as far as its bytes are one.
func (l *list) keepFew(p *Postings, to *renumbering) {
	at := len(l.docs)
	docs, counts := slices.Grow(l.docs, p.n)[:at+p.n], slices.Grow(l.counts, p.n)[:at+p.n]
	in := fewReader{b: p.few}
	for doc := ^uint32(0); at < len(docs) && len(in.b) > 0; {
		v := uint64(in.b[0])
		if v < 0x80 {
			in.b = in.b[1:]
		} else if v, _ = in.uvarint(); v < 0x80 || v>>1 >= uint64(p.limit) {
			break
		}
		count := uint8(1)
		if v&1 == 1 {
			if len(in.b) == 0 {
				break
			}
			count, in.b = in.b[0], in.b[1:]
		}
		if doc += uint32(v>>1) + 1; doc >= p.limit {
			break
		}
		docs[at], counts[at] = to.of(doc), count
		if docs[at] != gone {
			at++
		} else {
			docs, counts = docs[:len(docs)-1], counts[:len(docs)-1]
		}
	}
	l.docs, l.counts = docs[:at], counts[:at]
}

// keepAll is keep for many documents, by their old numbers.
func (l *list) keepAll(docs []uint32, counts []uint8, to *renumbering) {
	at := len(l.docs)
	l.docs = slices.Grow(l.docs, len(docs))[:at+len(docs)]
	l.counts = slices.Grow(l.counts, len(docs))[:at+len(docs)]
	if to.whole {
		copy(l.counts[at:], counts)
		for i, doc := range docs {
			l.docs[at+i] = to.first + doc
		}
		return
	}
	for i, doc := range docs {
		doc = to.of(doc)
		l.docs[at], l.counts[at] = doc, counts[i]
		if doc != gone {
			at++
		}
	}
	l.docs, l.counts = l.docs[:at], l.counts[:at]
}

// A sorter puts lists in order after documents got new numbers.
type sorter struct {
	keys    []uint64
	scatter []uint8
}

// sort orders a list whose documents are below limit.
func (s *sorter) sort(l *list, limit int) {
	if slices.IsSorted(l.docs) {
		return
	}
	if len(l.docs) > limit/64 {
		s.spread(l, limit)
		return
	}
	s.keys = s.keys[:0]
	for i, doc := range l.docs {
		s.keys = append(s.keys, uint64(doc)<<8|uint64(l.counts[i]))
	}
	slices.Sort(s.keys)
	for i, key := range s.keys {
		l.docs[i], l.counts[i] = uint32(key>>8), uint8(key)
	}
}

// spread sorts a list that has a good part of all documents: a look at every
// count is cheaper than comparing.
func (s *sorter) spread(l *list, limit int) {
	if len(s.scatter) < limit {
		s.scatter = make([]uint8, limit)
	}
	for i, doc := range l.docs {
		s.scatter[doc] = l.counts[i]
	}
	l.docs, l.counts = l.docs[:0], l.counts[:0]
	for doc, n := range s.scatter[:limit] {
		if n > 0 {
			l.docs, l.counts = append(l.docs, uint32(doc)), append(l.counts, n)
			s.scatter[doc] = 0
		}
	}
}
