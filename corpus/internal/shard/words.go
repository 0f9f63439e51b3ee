package shard

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

// Words is the codec of passages. Ranking reads some 200 texts a query, each
// somewhere else, so what counts is the time to unpack one text, and few bytes a
// word. Measured on 1 KB answers, in microseconds a text and part of the size:
// S2 in blocks of 4 KB 2-4 and 0.68, zstd in those 6-11 and 0.50, with a
// dictionary 15-20 and 0.40, words 1-2 and 0.43 and the words themselves.
//
// A word is what wordEnd cuts off, with the space before it. Words that come
// again have numbers, the most common the smallest; a text is a sequence of:
//
//	0-127     the word with that number
//	128-215   and a byte: one of the next 22,528 words, the high byte first
//	216       and two bytes: one of the next 65,536 words, likewise
//	217-254   1 to 38 bytes that follow as they are
//	255       a uvarint, how many bytes follow as they are
//
// The section of words is their number (4), a byte a word, its length, then the
// words in the order of their numbers, and wordRoom zeros, so that a word can
// be read as two numbers of 8 bytes. It is there twice, far apart, for it is 1 %
// of a shard without which no text of it could be read.
const (
	wordTwo    = 128               // the first word, and byte, with a byte more
	wordThree  = wordTwo + 88*256  // the first word with two bytes more
	maxWords   = wordThree + 1<<16 // words with a number
	byteThree  = wordTwo + 88
	byteAsIs   = byteThree + 1
	byteLong   = 255
	maxAsIs    = byteLong - byteAsIs // bytes as they are without a uvarint
	maxWord    = 15                  // bytes: length and all fit two numbers
	wordRoom   = 16
	wordHeader = 4
)

// wordClass tells the bytes that words are cut by: letters and digits (also all
// bytes of letters beyond ASCII), spaces, and all others.
var wordClass = func() (class [256]uint8) {
	for i := range class {
		switch c := byte(i); {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '_', c >= 0x80:
			class[i] = classLetter
		case c == ' ', c == '\n', c == '\t', c == '\r':
			class[i] = classSpace
		}
	}
	return class
}()

const (
	classOther = iota
	classLetter
	classSpace
)

// wordEnd is the length of the word that b begins with: bytes of one class, with
// one space before them. Of more spaces the last is the next word's.
func wordEnd(b []byte) int {
	b = b[:min(len(b), maxWord)]
	i := 1
	if b[0] == ' ' && len(b) > 1 && wordClass[b[1]] != classSpace {
		i = 2
	}
	class := wordClass[b[i-1]]
	for i < len(b) && wordClass[b[i]] == class {
		i++
	}
	if class == classSpace && i > 1 && i < len(b) && b[i-1] == ' ' {
		i--
	}
	return i
}

// A wordKey is a word as two numbers, its length in the highest byte.
type wordKey struct{ lo, hi uint64 }

// keyMask has all bits of the first n bytes of a key.
var keyMask = func() (masks [maxWord + 1]wordKey) {
	for n := range masks {
		masks[n].lo = 1<<(8*min(n, 8)) - 1
		masks[n].hi = 1<<(8*max(n-8, 0)) - 1
	}
	return masks
}()

// keyOf is the key of the first n bytes of b.
func keyOf(b []byte, n int) wordKey {
	if len(b) < 16 {
		b = append(make([]byte, 0, 16), b...)[:16]
	}
	m := &keyMask[n&15]
	return wordKey{
		lo: binary.LittleEndian.Uint64(b) & m.lo,
		hi: binary.LittleEndian.Uint64(b[8:])&m.hi | uint64(n)<<56,
	}
}

func (k wordKey) len() int { return int(k.hi >> 56) }

func (k wordKey) append(b []byte) []byte {
	n := len(b) + k.len()
	b = binary.LittleEndian.AppendUint64(b, k.lo)
	return binary.LittleEndian.AppendUint64(b, k.hi)[:n]
}

func (k wordKey) hash() uint64 {
	hi, lo := bits.Mul64(k.lo^0x9E3779B97F4A7C15, k.hi^0xD6E8FEB86659FD93)
	return hi ^ lo
}

// A wordTable numbers words from 0 on. What is looked up most is close together:
// the numbers of words, 4 bytes each, and the words of the smallest numbers.
type wordTable struct {
	keys  []wordKey
	slots []uint32 // a power of two: 0 or number and one, under bits of the hash
}

const (
	numberBits = 17 // maxWords and one fit
	maxProbes  = 64 // a word that would stand further off has no number

	firstSlots = 1 << 14
)

// find returns the number of a word and one; 0 when it has none.
func (t *wordTable) find(k wordKey, hash uint64) uint32 {
	if len(t.slots) == 0 {
		return 0
	}
	mask := uint64(len(t.slots) - 1)
	for i := range uint64(maxProbes) {
		s := t.slots[(hash+i)&mask]
		if s == 0 {
			break
		}
		if n := s & (1<<numberBits - 1); s^n == slotTag(hash) && t.keys[n-1] == k {
			return n
		}
	}
	return 0
}

func slotTag(hash uint64) uint32 { return uint32(hash>>32) << numberBits }

// add gives the next number to a word that has none, and returns it and one; 0
// when there is no number left, or no place for it.
func (t *wordTable) add(k wordKey, hash uint64) uint32 {
	if len(t.keys) == maxWords {
		return 0
	}
	if 2*len(t.keys) >= len(t.slots) {
		t.slots = make([]uint32, max(2*len(t.slots), firstSlots))
		t.keys = slices.Grow(t.keys, len(t.slots)/2-len(t.keys))
		for i, k := range t.keys {
			t.place(k.hash(), uint32(i+1))
		}
	}
	n := uint32(len(t.keys) + 1)
	if !t.place(hash, n) {
		return 0
	}
	t.keys = append(t.keys, k)
	return n
}

func (t *wordTable) place(hash uint64, n uint32) bool {
	mask := uint64(len(t.slots) - 1)
	for i := range uint64(maxProbes) {
		if s := &t.slots[(hash+i)&mask]; *s == 0 {
			*s = n | slotTag(hash)
			return true
		}
	}
	return false
}
