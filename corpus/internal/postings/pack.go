package postings

import (
	"encoding/binary"
	"sort"
)

// Pack appends docs, ascending and each once, to dst in the form that a View
// reads, and Parse too. Roaring's own writer would make runs of full containers.
// It keeps nothing of docs.
func Pack(dst []byte, docs []uint32) []byte {
	size := 0
	for rest := docs; len(rest) > 0; rest = rest[shared(rest):] {
		size++
	}
	dst = binary.LittleEndian.AppendUint32(dst, viewCookie)
	dst = binary.LittleEndian.AppendUint32(dst, uint32(size))
	for rest := docs; len(rest) > 0; {
		n := shared(rest)
		dst = binary.LittleEndian.AppendUint16(dst, uint16(rest[0]>>16))
		dst = binary.LittleEndian.AppendUint16(dst, uint16(n-1))
		rest = rest[n:]
	}
	at := viewHead + 8*size
	for rest := docs; len(rest) > 0; {
		n := shared(rest)
		dst = binary.LittleEndian.AppendUint32(dst, uint32(at))
		at += containerBytes(n)
		rest = rest[n:]
	}
	for rest := docs; len(rest) > 0; {
		n := shared(rest)
		dst = packContainer(dst, rest[:n])
		rest = rest[n:]
	}
	return dst
}

// shared is how many of docs share the high bits of the first.
func shared(docs []uint32) int {
	last := docs[0] | 0xFFFF
	return sort.Search(len(docs), func(i int) bool { return docs[i] > last })
}

func packContainer(dst []byte, docs []uint32) []byte {
	if len(docs) <= arrayMax {
		for _, doc := range docs {
			dst = binary.LittleEndian.AppendUint16(dst, uint16(doc))
		}
		return dst
	}
	at := len(dst)
	dst = append(dst, make([]byte, bitmapBytes)...)
	for words := dst[at:]; len(docs) > 0; docs = docs[1:] {
		low := docs[0] & 0xFFFF
		words[low>>3] |= 1 << (low & 7)
	}
	return dst
}
