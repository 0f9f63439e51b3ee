package postings

import (
	"encoding/binary"
	"math/bits"
)

// AndLen is the number of numbers in both views. It allocates nothing.
func (v *View) AndLen(u *View) int {
	n := 0
	for i, j := 0, 0; i < v.size && j < u.size; {
		a, _ := v.describe(i)
		b, _ := u.describe(j)
		switch {
		case a < b:
			i++
		case a > b:
			j++
		default:
			x, y := v.Container(i), u.Container(j)
			n += andLen(&x, &y)
			i++
			j++
		}
	}
	return n
}

func andLen(a, b *Container) int {
	if a.Card > b.Card {
		a, b = b, a
	}
	switch {
	case a.Bitmap():
		return andWords(a.b, b.b)
	case b.Bitmap():
		return andBits(a.b, b.b)
	case a.Card*16 < b.Card:
		n := 0
		for src := a.b; len(src) >= 2; src = src[2:] {
			if b.Contains(binary.LittleEndian.Uint16(src)) {
				n++
			}
		}
		return n
	}
	return andArrays(a.b, b.b)
}

func andWords(a, b []byte) int {
	n := 0
	for ; len(a) >= 8 && len(b) >= 8; a, b = a[8:], b[8:] {
		n += bits.OnesCount64(binary.LittleEndian.Uint64(a) & binary.LittleEndian.Uint64(b))
	}
	return n
}

// andBits is for an array and a bitmap.
func andBits(a, b []byte) int {
	n := 0
	for ; len(a) >= 2; a = a[2:] {
		low := binary.LittleEndian.Uint16(a)
		n += int(binary.LittleEndian.Uint64(b[low>>6<<3:]) >> (low & 63) & 1)
	}
	return n
}

// andArrays counts by a bitmap: which of two numbers is smaller no processor
// foresees, so that going through both in step takes three times as long.
func andArrays(a, b []byte) int {
	var set [bitmapBytes / 8]uint64
	for ; len(a) >= 2; a = a[2:] {
		low := binary.LittleEndian.Uint16(a)
		set[low>>6] |= 1 << (low & 63)
	}
	n := 0
	for ; len(b) >= 2; b = b[2:] {
		low := binary.LittleEndian.Uint16(b)
		n += int(set[low>>6] >> (low & 63) & 1)
	}
	return n
}
