package shard

import "slices"

// A lister makes the lists of a new shard from those of the inputs. It is for one
// goroutine.
type lister struct {
	m      *merger
	l      list
	writer listWriter
	sorter sorter
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
		for _, f := range b.found[from:t.found] {
			if err := x.collect(f, of.kind); err != nil {
				return err
			}
		}
		from = t.found
		x.encode(b, t, int(x.m.w.kinds[of.kind].docs))
	}
	return nil
}

func (x *lister) encode(b *termBatch, t *batchTerm, docs int) {
	if t.gone = len(x.l.docs) == 0; !t.gone {
		x.sorter.sort(&x.l, docs)
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
	p, err := f.from.f.postings(x.m.inputs[f.from.input].Reader.m, f.part, f.v)
	if err != nil {
		return err
	}
	if p.entries == nil {
		for in := p.reader(); in.next(p.limit); {
			x.l.keep(to.of(in.doc), in.count)
		}
		return nil
	}
	for c := p.Blocks(); c.Next(); {
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

// keepAll is keep for many documents, by their old numbers.
func (l *list) keepAll(docs []uint32, counts []uint8, to *renumbering) {
	at := len(l.docs)
	l.docs = slices.Grow(l.docs, len(docs))[:at+len(docs)]
	l.counts = slices.Grow(l.counts, len(docs))[:at+len(docs)]
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
