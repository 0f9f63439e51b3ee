package shard

import (
	"encoding/binary"

	"github.com/hansard-search/hansard/corpus/internal/postings"
)

// A listWriter packs postings. It keeps its buffers between calls.
type listWriter struct {
	buf  []byte
	dir  []byte
	exc  []byte
	pack []byte
}

// A list is the postings of one term on their way into the file.
type list struct {
	docs   []uint32 // ascending
	counts []uint8  // as many
	codes  []uint8  // of all documents of the surface; nil for facets
	facet  bool
}

// inline returns the dictionary's number for a list that fits it.
func (l *list) inline() (uint64, bool) {
	if len(l.docs) != 1 || l.counts[0] > inlineCount {
		return 0, false
	}
	return uint64(l.docs[0])<<8 | uint64(l.counts[0]-1)<<2 + tagInline, true
}

// bound returns the largest count and smallest code of part of the list.
func (l *list) bound(from, to int) (maxCount, minCode uint8) {
	if l.codes == nil {
		return 1, 0
	}
	docs, codes := l.docs[from:to], l.codes
	counts := l.counts[from:to][:len(docs)]
	minCode = 255
	for i, doc := range docs {
		maxCount = max(maxCount, counts[i])
		minCode = min(minCode, codes[doc])
	}
	return maxCount, minCode
}

// encode packs a list and says how. The bytes are good until the next call.
func (w *listWriter) encode(l *list) (b []byte, tag uint64) {
	switch {
	case len(l.docs) <= fewDocs:
		return w.few(l), tagFew
	case l.facet:
		return w.set(l), tagSet
	}
	return w.many(l), tagMany
}

func (w *listWriter) few(l *list) []byte {
	most, code := l.bound(0, len(l.docs))
	b := append(w.exc[:0], byte(len(l.docs)-1), most, code)
	last := ^uint32(0)
	for i, doc := range l.docs {
		v := uint64(doc-last-1) << 1
		last = doc
		if n := l.counts[i]; n > 1 {
			b = append(binary.AppendUvarint(b, v|1), n)
		} else {
			b = binary.AppendUvarint(b, v)
		}
	}
	w.exc = b
	w.buf = append(binary.AppendUvarint(w.buf[:0], uint64(len(b))), b...)
	return w.buf
}

func (w *listWriter) set(l *list) []byte {
	b := binary.AppendUvarint(w.exc[:0], uint64(len(l.docs)))
	b = append(b, postings.FromSlice(l.docs).Bytes()...)
	w.exc = b
	w.buf = append(binary.AppendUvarint(w.buf[:0], uint64(len(b))), b...)
	return w.buf
}

func (w *listWriter) many(l *list) []byte {
	w.dir, w.exc = w.dir[:0], w.exc[:0]
	mostOfAll, codeOfAll := uint8(0), uint8(255)
	for from := 0; from < len(l.docs); {
		block := l.docs[from] >> BlockShift
		to := from + 1
		for to < len(l.docs) && l.docs[to]>>BlockShift == block {
			to++
		}
		before := len(w.exc)
		w.exc = appendCounts(w.exc, l.counts[from:to])
		most, code := l.bound(from, to)
		mostOfAll, codeOfAll = max(mostOfAll, most), min(codeOfAll, code)
		w.dir = binary.LittleEndian.AppendUint16(w.dir, uint16(block))
		w.dir = append(w.dir, most, code)
		w.dir = binary.LittleEndian.AppendUint16(w.dir, uint16(to-from-1))
		w.dir = binary.LittleEndian.AppendUint16(w.dir, uint16(len(w.exc)-before))
		from = to
	}
	w.pack = postings.Pack(w.pack[:0], l.docs)
	b := append(w.buf[:0], mostOfAll, codeOfAll)
	b = binary.LittleEndian.AppendUint16(b, uint16(len(w.dir)/entrySize))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(l.docs)))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(w.pack)))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(w.exc)))
	b = append(b, w.dir...)
	b = append(b, w.pack...)
	w.buf = append(b, w.exc...)
	return w.buf
}
