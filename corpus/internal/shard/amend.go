package shard

import (
	"encoding/binary"
	"fmt"
	"slices"
	"sort"
)

// metaRoom is how many bytes of packed meta of turns a Writer holds back for Amend:
// that of some thousand.
const metaRoom = 1 << 20

// A waitingBlock is a block of a stream that is packed and not yet in the file.
type waitingBlock struct {
	first, raw uint32
	packed     []byte
}

// Amend changes what of a turn may turn out only after it was added: its session,
// flags and meta, and facets that it has besides. change gets flags and meta as they
// are, and returns a document with the others, of which nothing else counts; ok is
// false when it does not want to. It is false, and nothing is changed, too when the
// meta is written already; see Options.
func (w *Writer) Amend(doc uint32, change func(flags uint32, meta []byte) (d Doc, ok bool, err error)) (ok bool, err error) {
	k := &w.kinds[Turn]
	if w.err != nil || doc >= k.docs {
		return false, w.err
	}
	s := &k.streams[metaStream]
	b, err := s.edit(doc)
	if b == nil || err != nil {
		return false, err
	}
	flags := k.rows[int(doc)*rowSize+flagsAt:][:4]
	d, ok, err := change(binary.LittleEndian.Uint32(flags), b.docs[doc-b.first])
	if !ok || err != nil {
		return false, err
	}
	if len(d.Meta) > maxDocument {
		return false, fmt.Errorf("%w: %d bytes", ErrDocument, len(d.Meta))
	}
	s.raw += int64(len(d.Meta) - len(b.docs[doc-b.first]))
	b.docs[doc-b.first], b.dirty = slices.Clone(d.Meta), true
	binary.LittleEndian.PutUint32(flags, d.Flags)
	binary.LittleEndian.PutUint32(k.owners[int(doc)*ordSize:], w.sessions.ord(d.Session))
	for _, f := range d.Facets {
		w.scratch = append(append(append(w.scratch[:0], f.Name...), 0), f.Value...)
		k.addLate(string(w.scratch), doc)
	}
	return true, nil
}

// addLate adds a facet to a document that is not the last.
func (k *kindWriter) addLate(facet string, doc uint32) {
	id := k.facets.id(facet)
	switch r := &k.facets.terms[id]; {
	case r.docs == 0 || r.last < doc:
		k.facets.add(facet, doc, 1)
	case r.last > doc:
		if k.late == nil {
			k.late = make(map[uint32][]uint32)
		}
		k.late[id] = append(k.late[id], doc)
	}
}

// withLate puts the documents that got a facet late among those that had it, once
// each.
func (k *kindWriter) withLate(id uint32, l *list) {
	late := k.late[id]
	if len(late) == 0 {
		return
	}
	l.docs = append(l.docs, late...)
	slices.Sort(l.docs)
	l.docs = slices.Compact(l.docs)
	l.counts = l.counts[:0]
	for range l.docs {
		l.counts = append(l.counts, 1)
	}
}

// An unpackedBlock is a block that is being changed.
type unpackedBlock struct {
	index int // in waits; their number: the open block
	first uint32
	docs  [][]byte
	dirty bool
}

// edit unpacks the block that a document is in, unless it is the one that was
// unpacked last; nil when it is written.
func (s *streamWriter) edit(doc uint32) (*unpackedBlock, error) {
	if b := s.edited; b != nil && doc >= b.first && doc-b.first < uint32(len(b.docs)) {
		return b, nil
	}
	if err := s.endEdit(); err != nil {
		return nil, err
	}
	b, end, raw := &unpackedBlock{index: len(s.waits), first: s.first}, s.docs, []byte(nil)
	if doc >= s.first {
		raw = slices.Concat(s.heads, s.bytes)
	} else {
		b.index = sort.Search(len(s.waits), func(i int) bool { return s.waits[i].first > doc }) - 1
		if b.index < 0 {
			return nil, nil
		}
		w := &s.waits[b.index]
		b.first, end = w.first, s.first
		if b.index+1 < len(s.waits) {
			end = s.waits[b.index+1].first
		}
		var err error
		if raw, err = unpack(nil, w.packed, int(w.raw)); err != nil {
			return nil, err
		}
	}
	b.docs = make([][]byte, end-b.first)
	rest := afterHeads(raw, end-b.first)
	for i := range b.docs {
		n, size := binary.Uvarint(raw)
		b.docs[i], rest, raw = rest[:n:n], rest[n:], raw[size:]
	}
	s.edited = b
	return b, nil
}

// endEdit packs the block that was changed.
func (s *streamWriter) endEdit() error {
	b := s.edited
	s.edited = nil
	if b == nil || !b.dirty {
		return nil
	}
	var heads []byte
	for _, p := range b.docs {
		heads = binary.AppendUvarint(heads, uint64(len(p)))
	}
	bytes := slices.Concat(b.docs...)
	if b.index == len(s.waits) {
		s.heads, s.bytes = heads, bytes
		return nil
	}
	raw := append(heads, bytes...)
	packed, err := s.pack(raw, uint32(len(b.docs)))
	if err != nil {
		return err
	}
	w := &s.waits[b.index]
	s.held += len(packed) - len(w.packed)
	w.raw, w.packed = uint32(len(raw)), slices.Clone(packed)
	return nil
}

// wait holds a packed block back, and writes the first ones when there are too many.
func (s *streamWriter) wait(b waitingBlock) {
	s.waits = append(s.waits, b)
	s.held += len(b.packed)
	n := 0
	for ; s.held > s.room; n++ {
		s.held -= len(s.waits[n].packed)
		s.place(s.waits[n])
	}
	s.waits = slices.Delete(s.waits, 0, n)
}

// release writes what waits.
func (s *streamWriter) release() {
	for _, b := range s.waits {
		s.place(b)
	}
	s.waits, s.held = nil, 0
}
