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

// terms writes a dictionary from those of the inputs. Lists of some batches of
// terms are made at a time, while the dictionaries of the inputs are gone through and
// what is ready is written.
func (m *merger) terms(d *dictWriter, of dictID) error {
	h, err := m.sources(of)
	if err != nil {
		return err
	}
	heap.Init(&h)
	return inOrder(len(m.listers),
		func(b *termBatch) (bool, error) { return len(h) > 0, m.fill(b, &h) },
		func(worker int, b *termBatch) error { return m.listers[worker].lists(b, of) },
		d.addBatch)
}

// A termBatch is some terms of the new dictionary: where the inputs have their
// lists, then the lists made of them.
type termBatch struct {
	terms []batchTerm
	text  []byte // of all terms
	found []found
	bytes []byte // of all lists
}

// A batchTerm says where what belongs to a term ends.
type batchTerm struct {
	text, found, bytes int
	v                  uint64 // its list, or the tag of its bytes
	gone               bool   // no document is left
}

// found is where an input has a list.
type found struct {
	from *termSource
	part *dictPart
	v    uint64
}

const (
	// batchTerms and batchDocs are how many terms and documents a batch has at most,
	// but for a single term with more.
	batchTerms = 512
	batchDocs  = 1 << 16
	// usualTerm is about how many bytes a term takes of the dictionaries; usualFew,
	// how many documents a list of few has.
	usualTerm = 64
	usualFew  = 16
)

// fill takes the next terms.
func (m *merger) fill(b *termBatch, h *termHeap) error {
	b.terms, b.text, b.found, b.bytes = b.terms[:0], b.text[:0], b.found[:0], b.bytes[:0]
	docs := 0
	for len(*h) > 0 && len(b.terms) < batchTerms && docs < batchDocs {
		at := len(b.text)
		b.text = append(b.text, (*h)[0].it.at.term...)
		for len(*h) > 0 && bytes.Equal((*h)[0].it.at.term, b.text[at:]) {
			s := (*h)[0]
			n, err := s.it.d.aboutDocs(s.it.at.part, s.it.at.v)
			if err != nil {
				return err
			}
			docs += n
			b.found = append(b.found, found{s, s.it.at.part, s.it.at.v})
			if err := s.it.next(); err != nil {
				return err
			}
			if s.it.ok {
				heap.Fix(h, 0)
			} else {
				heap.Pop(h)
			}
		}
		b.terms = append(b.terms, batchTerm{text: len(b.text), found: len(b.found)})
	}
	m.took(usualTerm*len(b.terms) + 2*docs)
	return nil
}

// aboutDocs is docCount without a look at lists of few.
func (d *dictReader) aboutDocs(p *dictPart, v uint64) (int, error) {
	if v&3 == tagFew {
		return usualFew, nil
	}
	return d.docCount(p, v)
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
