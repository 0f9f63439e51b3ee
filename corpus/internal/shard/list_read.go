package shard

import (
	"encoding/binary"

	"github.com/hansard-search/hansard/corpus/internal/postings"
	"github.com/hansard-search/hansard/surfaces"
)

func le16(b []byte) uint16 { return binary.LittleEndian.Uint16(b) }
func le32(b []byte) uint32 { return binary.LittleEndian.Uint32(b) }

// Postings are the documents that have a term, with the number of times. They
// lie in the file. The zero value is empty. Values may be copied, and read by
// any number of goroutines.
type Postings struct {
	n       int
	most    uint8 // bound of all documents
	code    uint8
	limit   uint32 // documents are below
	one     uint32 // the document, when n is 1 and few is nil
	few     []byte // distances and counts
	entries []byte // of blocks, when there are many documents
	view    postings.View
	exc     []byte
}

// Postings returns the documents that have a term in a surface; ok is false
// when none has. Surfaces of sessions number session documents, the others
// turn documents.
func (r *Reader) Postings(s surfaces.Name, term string) (p Postings, ok bool, err error) {
	f := r.surface(s)
	if f == nil {
		return Postings{}, false, nil
	}
	v, part, err := f.terms.get(term)
	if err != nil || part == nil {
		return Postings{}, false, err
	}
	p, err = f.postings(r.m, part, v)
	return p, err == nil, err
}

// postings reads the list that a dictionary's number stands for.
func (f *surfaceReader) postings(m *mapping, part *dictPart, v uint64) (p Postings, err error) {
	if v&3 == tagInline {
		doc := v >> 8
		if doc >= uint64(f.terms.docs) {
			return p, m.damage(string(f.name), "document %d of %d", doc, f.terms.docs)
		}
		p = Postings{n: 1, most: uint8(v>>2&63) + 1, one: uint32(doc), limit: uint32(f.terms.docs)}
		b, err := m.at(f.codes, int64(doc), 1)
		if err != nil {
			return Postings{}, err
		}
		p.code = b[0]
		return p, nil
	}
	return f.terms.postings(part, v)
}

// postings reads a list that is not in the dictionary's number.
func (d *dictReader) postings(part *dictPart, v uint64) (p Postings, err error) {
	b, err := d.list(part, v)
	if err != nil {
		return p, err
	}
	switch v & 3 {
	case tagFew:
		if len(b) < 4 {
			return p, d.bad("a list of %d bytes", len(b))
		}
		return Postings{n: int(b[0]) + 1, most: b[1], code: b[2], few: b[3:], limit: uint32(d.docs)}, nil
	case tagMany:
		return d.readMany(b)
	}
	return p, d.bad("list with tag %d", v&3)
}

// many returns the checked bytes of a list of many documents.
func (d *dictReader) many(part *dictPart, off int64) ([]byte, error) {
	h, err := d.m.at(part.lists, off, longHead)
	if err != nil {
		return nil, err
	}
	size := longHead + entrySize*int64(le16(h[2:])) + int64(le32(h[8:])) + int64(le32(h[12:]))
	return d.m.at(part.lists, off, size)
}

func (d *dictReader) readMany(b []byte) (p Postings, err error) {
	p = Postings{most: b[0], code: b[1], n: int(le32(b[4:])), limit: uint32(d.docs)}
	pack := int(le32(b[8:]))
	rest := b[longHead:]
	at := entrySize * int(le16(b[2:]))
	p.entries, rest = rest[:at], rest[at:]
	p.exc = rest[pack:]
	if p.view, err = postings.NewView(rest[:pack], p.limit); err != nil {
		return Postings{}, d.bad("%v", err)
	}
	last, docs, exceptions := -1, 0, 0
	for e := p.entries; len(e) > 0; e = e[entrySize:] {
		if int(le16(e)) <= last || le16(e[4:]) >= BlockDocs {
			return Postings{}, d.bad("block %d of a list, after %d", le16(e), last)
		}
		last = int(le16(e))
		docs += int(le16(e[4:])) + 1
		exceptions += int(le16(e[6:]))
	}
	if docs != p.n || p.view.Len() != p.n || exceptions != len(p.exc) {
		return Postings{}, d.bad("a list of %d documents has blocks of %d", p.n, docs)
	}
	return p, nil
}

// Len is the number of documents.
func (p *Postings) Len() int { return p.n }

// Contains reports whether doc has the term.
func (p *Postings) Contains(doc uint32) bool {
	if p.entries != nil {
		return p.view.Contains(doc)
	}
	return p.Count(doc) > 0
}

// Count returns how often doc has the term, at most MaxCount; 0 when it lacks
// it. It walks over the entries of the blocks before the document's; who wants
// many counts decodes blocks.
func (p *Postings) Count(doc uint32) uint8 {
	if p.entries == nil {
		return p.fewCount(doc)
	}
	if !p.view.Contains(doc) { // soon told, and mostly so
		return 0
	}
	c := p.Blocks()
	if !c.Seek(doc>>BlockShift) || c.Block != doc>>BlockShift {
		return 0
	}
	return countAt(c.exc, c.container.Below(uint16(doc), c.start), c.Docs)
}

func (p *Postings) fewCount(doc uint32) uint8 {
	if p.few == nil {
		if p.n == 1 && p.one == doc {
			return p.most
		}
		return 0
	}
	for in := (fewReader{b: p.few, doc: ^uint32(0), left: p.n}); in.next(p.limit); {
		if in.doc >= doc {
			if in.doc == doc {
				return in.count
			}
			return 0
		}
	}
	return 0
}

// Set returns the documents as a set of the caller's own.
func (p *Postings) Set() *postings.Set {
	s := postings.New()
	var docs [BlockDocs]uint32
	for c := p.Blocks(); c.Next(); {
		s.AddMany(docs[:c.DecodeDocs(&docs)])
	}
	return s
}

// UnionLen is the number of documents in a or b. It allocates nothing.
func UnionLen(a, b *Postings) int {
	if a.n < b.n {
		a, b = b, a
	}
	both := 0
	switch {
	case b.entries != nil: // then a has blocks too
		both = a.view.AndLen(&b.view)
	case a.entries != nil:
		for in := b.reader(); in.next(b.limit); {
			if a.view.Contains(in.doc) {
				both++
			}
		}
	default:
		x, y := a.reader(), b.reader()
		for more := x.next(a.limit) && y.next(b.limit); more; {
			switch {
			case x.doc < y.doc:
				more = x.next(a.limit)
			case x.doc > y.doc:
				more = y.next(b.limit)
			default:
				both++
				more = x.next(a.limit) && y.next(b.limit)
			}
		}
	}
	return a.n + b.n - both
}

// reader reads postings that have no blocks.
func (p *Postings) reader() fewReader {
	if p.few == nil {
		return fewReader{left: p.n, one: true, doc: p.one, count: p.most}
	}
	return fewReader{b: p.few, doc: ^uint32(0), left: p.n}
}

// A fewReader reads the documents of a list that has no blocks.
type fewReader struct {
	b     []byte
	doc   uint32
	count uint8
	left  int
	one   bool // doc and count are there already
}

// next moves to the next document; false at the end, or where the bytes do not
// hold one below limit.
func (f *fewReader) next(limit uint32) bool {
	if f.left == 0 {
		return false
	}
	f.left--
	if f.one {
		return true
	}
	v, ok := f.uvarint()
	if !ok || v>>1 >= uint64(limit) {
		f.left = 0
		return false
	}
	f.doc += uint32(v>>1) + 1
	f.count = 1
	if v&1 == 1 {
		if len(f.b) == 0 {
			f.left = 0
			return false
		}
		f.count, f.b = f.b[0], f.b[1:]
	}
	if f.doc >= limit {
		f.left = 0
		return false
	}
	return true
}

// uvarint is that of encoding/binary, in the five bytes that a distance takes at
// most: it is read some thousand times a query.
func (f *fewReader) uvarint() (v uint64, ok bool) {
	for i, c := range f.b[:min(len(f.b), 5)] {
		v |= uint64(c&0x7F) << (7 * i)
		if c < 0x80 {
			f.b = f.b[i+1:]
			return v, true
		}
	}
	return 0, false
}
