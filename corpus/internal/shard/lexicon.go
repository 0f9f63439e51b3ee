package shard

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"hash/maphash"
	"slices"
)

// A lexicon gathers the postings of one surface, or the facets of one kind, in
// memory: about 45 bytes a term and one and a half a posting, none of them a pointer that
// the collector would follow.
//
// Postings wait in the order in which they come and go to their terms many at a
// time: terms lie all over the memory, and going to one takes as long for one
// posting as for several.
type lexicon struct {
	seed  maphash.Seed
	slots []slot // a power of two of them, at most 3/4 used
	terms []termRow
	text  []byte // of all terms
	pool  pool

	numbering any      // of Terms' numbers; see Field
	ids       []uint32 // by number: index in terms plus one, 0 = not known yet

	docs    []uint32  // whose postings wait
	waiting []waiting // of all of them
	grouped []waiting // by term, with a place in docs instead of the id; see settle
	packed  []byte
	marks   []mark // by term
}

const (
	// maxWaiting is how many postings wait at most: enough for a common word to
	// have hundreds of them, few enough to stay in the processor's cache.
	maxWaiting = 1 << 18
	// manyTerms is from where on terms are found by their numbers. Below it, as in a
	// shard of one turn, room for the numbers would cost more than it saves.
	manyTerms = 4096
)

// A waiting posting holds the term's id above eight bits of count. A count of 0
// says that what follows is of the next of the waiting documents.
type waiting uint32

// maxTerms is how many terms a lexicon holds, so that a waiting has room for ids.
const maxTerms = 1 << 24

// A mark is what add touches of a term.
type mark struct {
	n    uint32 // how many of its postings wait
	last uint32 // the document that it was added for last, plus one
}

// A slot of the hash table is empty when id is 0.
type slot struct {
	hash uint32
	id   uint32 // index in terms, plus one
}

// A termRow says where the postings of a term are. While there is one, it is
// in the row: last is the document, head the count.
type termRow struct {
	text, size uint32
	docs, last uint32 // number of documents; the latest
	head, tail uint32 // first chunk of the pool; where the next byte goes
	room       uint16 // bytes left there
	level      uint8
}

// memory is about how many bytes the lexicon takes.
func (x *lexicon) memory() int64 {
	return int64(len(x.slots)*8+len(x.terms)*(32+8)+len(x.text)+
		4*(len(x.ids)+len(x.docs)+cap(x.waiting)+cap(x.grouped))) + x.pool.size()
}

func (x *lexicon) name(id uint32) []byte {
	r := &x.terms[id]
	return x.text[r.text : r.text+r.size]
}

// full reports whether there is no room for n more terms.
func (x *lexicon) full(n int) bool { return x.memory() > maxLexicon || len(x.terms)+n > maxTerms }

// add counts a term for a document, which is not below any added before;
// false when the document has the term already. count is from 1 to MaxCount.
func (x *lexicon) add(id, doc uint32, count uint8) bool {
	m := &x.marks[id]
	if m.last == doc+1 {
		return false
	}
	m.last = doc + 1
	m.n++
	if n := len(x.docs); n == 0 || x.docs[n-1] != doc {
		x.docs = append(x.docs, doc)
		x.waiting = append(x.waiting, 0)
	}
	x.waiting = append(x.waiting, waiting(id<<8|uint32(count)))
	return true
}

// settle gives the waiting postings to their terms, if there are as many.
func (x *lexicon) settle(many int) {
	if len(x.waiting) < many {
		return
	}
	x.group()
	from := uint32(0)
	for id := range x.marks {
		to := x.marks[id].n
		x.marks[id].n = 0
		if from < to {
			x.extend(&x.terms[id], x.grouped[from:to])
			from = to
		}
	}
	x.docs, x.waiting = x.docs[:0], x.waiting[:0]
}

// group brings the waiting postings into the order of terms. Each mark's n is
// the end of its term's then.
func (x *lexicon) group() {
	if cap(x.grouped) < len(x.waiting) {
		x.grouped = make([]waiting, cap(x.waiting))
	}
	x.grouped = x.grouped[:len(x.waiting)]
	at := uint32(0)
	for id := range x.marks {
		m := &x.marks[id]
		m.n, at = at, at+m.n
	}
	doc := ^uint32(0)
	for _, v := range x.waiting {
		if v == 0 {
			doc++
			continue
		}
		m := &x.marks[v>>8]
		x.grouped[m.n] = waiting(doc<<8) | v&0xFF
		m.n++
	}
}

// extend adds postings to a term: distance doubled, plus one when a count follows.
func (x *lexicon) extend(r *termRow, more []waiting) {
	b := x.packed[:0]
	if r.docs == 0 {
		r.docs, r.last, r.head = 1, x.docs[more[0]>>8], uint32(more[0]&0xFF)
		more = more[1:]
	}
	if len(more) == 0 {
		return
	}
	if r.docs == 1 {
		b = appendPosting(b, r.last, r.head)
		r.head, r.tail, r.room = x.pool.chunk(0)
	}
	for _, v := range more {
		doc := x.docs[v>>8]
		b = appendPosting(b, doc-r.last-1, uint32(v&0xFF))
		r.last = doc
	}
	r.docs += uint32(len(more))
	x.pool.append(r, b)
	x.packed = b
}

func appendPosting(b []byte, distance, count uint32) []byte {
	if count == 1 {
		return binary.AppendUvarint(b, uint64(distance)<<1)
	}
	return append(binary.AppendUvarint(b, uint64(distance)<<1|1), byte(count))
}

// follow takes numbers of terms for those under a numbering, nil for none.
func (x *lexicon) follow(numbering any) {
	if numbering != x.numbering {
		clear(x.ids)
		x.numbering = numbering
	}
}

// numbered is id for a term with a number under the numbering that is followed.
func (x *lexicon) numbered(term string, number uint32) uint32 {
	if x.numbering == nil || len(x.terms) < manyTerms {
		return x.id(term)
	}
	if int(number) >= len(x.ids) {
		x.ids = append(x.ids, make([]uint32, int(number)+1-len(x.ids))...)
	}
	id := &x.ids[number]
	if *id == 0 {
		*id = x.id(term) + 1
	}
	return *id - 1
}

// id returns the index of a term, a new one when the term is new.
func (x *lexicon) id(term string) uint32 {
	if x.slots == nil {
		x.seed = maphash.MakeSeed()
		x.slots = make([]slot, 64)
	}
	h := uint32(maphash.String(x.seed, term))
	mask := uint32(len(x.slots) - 1)
	i := h & mask
	for x.slots[i].id != 0 {
		if s := x.slots[i]; s.hash == h && string(x.name(s.id-1)) == term {
			return s.id - 1
		}
		i = (i + 1) & mask
	}
	x.terms = append(x.terms, termRow{text: uint32(len(x.text)), size: uint32(len(term))})
	x.marks = append(x.marks, mark{})
	x.text = append(x.text, term...)
	x.slots[i] = slot{h, uint32(len(x.terms))}
	if len(x.terms)*4 > len(x.slots)*3 {
		x.grow()
	}
	return uint32(len(x.terms) - 1)
}

func (x *lexicon) grow() {
	old := x.slots
	x.slots = make([]slot, 2*len(old))
	mask := uint32(len(x.slots) - 1)
	for _, s := range old {
		if s.id == 0 {
			continue
		}
		i := s.hash & mask
		for x.slots[i].id != 0 {
			i = (i + 1) & mask
		}
		x.slots[i] = s
	}
}

// sorted returns the ids of all terms in the order of their bytes. It gives up
// what adding takes: nothing can be added after it.
func (x *lexicon) sorted() []uint32 {
	x.settle(1)
	x.slots, x.ids, x.marks, x.docs, x.waiting, x.grouped = nil, nil, nil, nil, nil, nil
	type key struct {
		first uint64 // first eight bytes, which decide nearly always
		id    uint32
	}
	keys := make([]key, len(x.terms))
	for i := range keys {
		var b [8]byte
		copy(b[:], x.name(uint32(i)))
		keys[i] = key{binary.BigEndian.Uint64(b[:]), uint32(i)}
	}
	slices.SortFunc(keys, func(a, b key) int {
		if a.first != b.first {
			return cmp.Compare(a.first, b.first)
		}
		return bytes.Compare(x.name(a.id), x.name(b.id))
	})
	ids := make([]uint32, len(keys))
	for i, k := range keys {
		ids[i] = k.id
	}
	return ids
}

// postings appends a term's documents and counts to the slices.
func (x *lexicon) postings(id uint32, docs []uint32, counts []uint8) ([]uint32, []uint8) {
	r := &x.terms[id]
	if r.docs == 1 {
		return append(docs, r.last), append(counts, uint8(r.head))
	}
	in := x.pool.reader(r.head)
	doc := ^uint32(0)
	for range r.docs {
		v := in.uvarint()
		doc += uint32(v>>1) + 1
		n := uint8(1)
		if v&1 == 1 {
			n = in.next()
		}
		docs, counts = append(docs, doc), append(counts, n)
	}
	return docs, counts
}
