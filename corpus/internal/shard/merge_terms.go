package shard

import (
	"bytes"
	"container/heap"
	"slices"
)

// A termSource is the dictionary of one input, at a term.
type termSource struct {
	it    *dictIterator
	input int
	f     *surfaceReader // nil for facets
}

// A termHeap has the source with the smallest term first, then by input.
type termHeap []*termSource

func (h termHeap) Len() int { return len(h) }
func (h termHeap) Less(i, j int) bool {
	if c := bytes.Compare(h[i].it.at.term, h[j].it.at.term); c != 0 {
		return c < 0
	}
	return h[i].input < h[j].input
}
func (h termHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *termHeap) Push(x any)   { *h = append(*h, x.(*termSource)) }
func (h *termHeap) Pop() any {
	last := len(*h) - 1
	x := (*h)[last]
	*h = (*h)[:last]
	return x
}

// usualTerm is about how many bytes a term takes of the dictionaries.
const usualTerm = 64

// terms writes a dictionary from those of the inputs, term by term.
func (m *merger) terms(d *dictWriter, of dictID) error {
	h, err := m.sources(of)
	if err != nil {
		return err
	}
	heap.Init(&h)
	l := list{facet: of.facets}
	if !of.facets {
		l.codes = m.w.fields[of.slot].codes
	}
	var term []byte
	for len(h) > 0 {
		term = append(term[:0], h[0].it.at.term...)
		l.docs, l.counts = l.docs[:0], l.counts[:0]
		for len(h) > 0 && bytes.Equal(h[0].it.at.term, term) {
			if err := m.collect(h[0], of.kind, &l); err != nil {
				return err
			}
			if err := h[0].it.next(); err != nil {
				return err
			}
			if h[0].it.ok {
				heap.Fix(&h, 0)
			} else {
				heap.Pop(&h)
			}
		}
		if len(l.docs) == 0 {
			continue
		}
		m.sorter.sort(&l, len(m.order[of.kind]))
		if err := d.add(term, &l); err != nil {
			return err
		}
		m.took(usualTerm + 2*len(l.docs))
	}
	return nil
}

// sources opens the dictionaries that have terms.
func (m *merger) sources(of dictID) (h termHeap, err error) {
	for i, in := range m.inputs {
		d, f := &in.Reader.kinds[of.kind].facets, (*surfaceReader)(nil)
		if !of.facets {
			at := slices.Index(m.slots[i], of.slot)
			if at < 0 {
				continue
			}
			f = &in.Reader.surfaces[at]
			d = &f.terms
		}
		it, err := d.iterate(nil, nil, nil)
		if err != nil {
			return nil, err
		}
		if it.ok {
			h = append(h, &termSource{it, i, f})
		}
	}
	return h, nil
}

// collect adds the documents of a source's present term that are kept.
func (m *merger) collect(s *termSource, k Kind, l *list) error {
	remap := m.remap[k][s.input]
	if s.f == nil {
		set, err := s.it.d.set(s.it.at.part, s.it.at.v)
		if err != nil {
			return err
		}
		for doc := range set.All() {
			l.keep(remap[doc], 1)
		}
		return nil
	}
	p, err := s.f.postings(m.inputs[s.input].Reader.m, s.it.at.part, s.it.at.v)
	if err != nil {
		return err
	}
	if p.entries == nil {
		for in := p.reader(); in.next(p.limit); {
			l.keep(remap[in.doc], in.count)
		}
		return nil
	}
	for c := p.Blocks(); c.Next(); {
		n := c.Decode(&m.docs, &m.counts)
		l.keepAll(m.docs[:n], m.counts[:n], remap)
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
func (l *list) keepAll(docs []uint32, counts []uint8, remap []uint32) {
	at := len(l.docs)
	l.docs = slices.Grow(l.docs, len(docs))[:at+len(docs)]
	l.counts = slices.Grow(l.counts, len(docs))[:at+len(docs)]
	for i, doc := range docs {
		doc = remap[doc]
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
