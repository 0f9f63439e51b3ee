package shard

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// Counts of a block of documents. Most are 1, so only the others are stored,
// as exceptions: a nibble each for the distance and the count, escapeNibble =
// more follows. One byte is enough for nearly all. Where more than a third of
// the counts are exceptions, as those of the most common words are, all counts
// are stored as they are: reading exceptions takes four times as long as
// copying, and those words' lists are the longest.
//
// Which it is shows in the length: counts as they are take one byte a document,
// exceptions less than a third of that.
const escapeNibble = 15

const eightOnes = 0x0101010101010101

// appendCounts packs the counts of a block.
func appendCounts(b []byte, counts []uint8) []byte {
	before := len(b)
	b = appendExceptions(b, counts)
	if 3*(len(b)-before) >= len(counts) {
		return append(b[:before], counts...)
	}
	return b
}

func appendExceptions(b []byte, counts []uint8) []byte {
	skipped := 0
	for i := 0; i < len(counts); i++ {
		n := counts[i]
		if n < 2 {
			skipped++
			for len(counts)-i > 8 && binary.LittleEndian.Uint64(counts[i+1:]) == eightOnes {
				skipped, i = skipped+8, i+8
			}
			continue
		}
		hi, lo := min(skipped, escapeNibble), min(int(n)-2, escapeNibble)
		b = append(b, byte(hi<<4|lo))
		if hi == escapeNibble {
			b = binary.AppendUvarint(b, uint64(skipped-escapeNibble))
		}
		if lo == escapeNibble {
			b = append(b, n-2-escapeNibble)
		}
		skipped = 0
	}
	return b
}

// An exceptions reads what appendExceptions wrote: next is the place of the
// next count above one, and that count; ok is false at the end.
type exceptions struct {
	b  []byte
	at int
}

func (x *exceptions) next() (at int, count uint8, ok bool) {
	if len(x.b) == 0 {
		return 0, 0, false
	}
	hi, lo := int(x.b[0]>>4), x.b[0]&escapeNibble
	x.b = x.b[1:]
	if hi == escapeNibble {
		v, n := binary.Uvarint(x.b)
		if n <= 0 || v > BlockDocs {
			return 0, 0, false
		}
		hi, x.b = hi+int(v), x.b[n:]
	}
	if lo == escapeNibble {
		if len(x.b) == 0 {
			return 0, 0, false
		}
		lo, x.b = lo+x.b[0], x.b[1:]
	}
	at = x.at + hi
	x.at = at + 1
	return at, lo + 2, true
}

// readCounts writes the counts of a block of as many documents as counts is
// long. Whatever b holds, it stays within counts.
func readCounts(b []byte, counts []uint8) {
	if len(b) == len(counts) {
		copy(counts, b)
		return
	}
	for left := counts; len(left) > 0; {
		left = left[copy(left, ones[:]):]
	}
	in := exceptions{b: b}
	for {
		// Nearly all are one byte: these are read here.
		for len(in.b) > 0 {
			hi, lo := int(in.b[0]>>4), in.b[0]&escapeNibble
			at := in.at + hi
			if hi == escapeNibble || lo == escapeNibble || at >= len(counts) {
				break
			}
			counts[at] = lo + 2
			in.at, in.b = at+1, in.b[1:]
		}
		at, n, ok := in.next()
		if !ok || at >= len(counts) {
			return
		}
		counts[at] = n
	}
}

// ones are the counts of most documents.
var ones = [512]uint8(bytes.Repeat([]byte{1}, 512))

// of returns the count of the document at a place. Places ascend. It looks at eight
// exceptions at a time, up to one that takes more than its byte.
func (x *exceptions) of(place int) uint8 {
	const low, high = 0x0F * eightOnes, 0x80 * eightOnes
	for len(x.b) > 0 {
		if cap(x.b) >= 8 {
			w := binary.LittleEndian.Uint64(x.b[:8])
			distances, counts := w>>4&low+eightOnes, w&low+eightOnes
			plain := min(bits.TrailingZeros64((distances|counts)&(eightOnes<<4))>>3, len(x.b))
			ends := distances * eightOnes // at most 120 of those that are plain
			want := place + 1 - x.at
			met := (uint64(min(want, 0x7F))*eightOnes | high) - ends // a high bit for each end up to want
			if n := bits.OnesCount64(met & high & (1<<(8*plain) - 1)); n > 0 {
				last := 8 * (n - 1)
				end := int(ends >> last & 0xFF)
				x.at, x.b = x.at+end, x.b[n:]
				if end == want {
					return uint8(w>>last)&escapeNibble + 2
				}
				if n == plain {
					continue
				}
			}
			if plain > 0 {
				return 1
			}
		}
		before := *x
		switch at, n, ok := x.next(); {
		case !ok:
			return 1
		case at == place:
			return n
		case at > place:
			*x = before
			return 1
		}
	}
	return 1
}

// countAt returns the count of the i-th of n documents of a block.
func countAt(b []byte, i, n int) uint8 {
	if len(b) == n && i < n {
		return b[i]
	}
	in := exceptions{b: b}
	for at, n, ok := in.next(); ok && at <= i; at, n, ok = in.next() {
		if at == i {
			return n
		}
	}
	return 1
}
