package postings

import (
	"encoding/binary"
	"math/bits"
)

// A Container holds the numbers that share their high 16 bits.
type Container struct {
	Key  uint16 // the high bits
	Card int    // number of numbers, 1 to 65,536
	b    []byte
}

// Bitmap reports whether the container is a bitmap; otherwise it is an array.
func (c *Container) Bitmap() bool { return c.Card > arrayMax }

func (c *Container) word(i int) uint64 { return binary.LittleEndian.Uint64(c.b[8*i:]) }

// Contains reports whether the number with these low bits is there.
func (c *Container) Contains(low uint16) bool {
	if c.Bitmap() {
		return c.word(int(low>>6))>>(low&63)&1 == 1
	}
	i := c.lower(low)
	return i < c.Card && binary.LittleEndian.Uint16(c.b[2*i:]) == low
}

// lower returns how many numbers of an array are below low.
func (c *Container) lower(low uint16) int {
	lo, hi := 0, c.Card
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if binary.LittleEndian.Uint16(c.b[2*mid:]) < low {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// Ranges of a container that can be decoded alone: an aligned 2^12 numbers.
const (
	RangeShift = 12
	RangeLen   = 1 << RangeShift
)

// Decode writes the numbers of the range block (number >> RangeShift) to dst,
// ascending, and returns how many it wrote, at most n. start is the number of
// those in ranges of the container before block. Whatever the bytes are, what
// it writes lies in block.
func (c *Container) Decode(dst *[RangeLen]uint32, block uint32, start, n int) int {
	src, n := c.span(block, start, n)
	if c.Bitmap() {
		return decodeWords(dst[:n], src, block<<RangeShift)
	}
	decodeArray(dst[:n], src, block<<RangeShift)
	return n
}

// Lows is Decode without the range's high bits.
func (c *Container) Lows(dst *[RangeLen]uint16, block uint32, start, n int) int {
	src, n := c.span(block, start, n)
	if c.Bitmap() {
		return decodeWords(dst[:n], src, 0)
	}
	decodeArray(dst[:n], src, 0)
	return n
}

// span is the bytes of a range, and how many numbers there are in them at most.
func (c *Container) span(block uint32, start, n int) ([]byte, int) {
	n = max(min(n, RangeLen), 0)
	if c.Bitmap() {
		first := int(block<<RangeShift&0xFFFF) / 8
		return c.b[first : first+RangeLen/8], n
	}
	if start < 0 || start >= c.Card {
		return nil, 0
	}
	n = min(n, c.Card-start)
	return c.b[2*start : 2*(start+n)], n
}

// decodeArray reads four numbers at a time, in half the time of one by one.
func decodeArray[T uint16 | uint32](out []T, src []byte, base T) {
	const low = RangeLen - 1
	for len(out) >= 4 && len(src) >= 8 {
		w := binary.LittleEndian.Uint64(src)
		out[0] = base | T(w)&low
		out[1] = base | T(w>>16)&low
		out[2] = base | T(w>>32)&low
		out[3] = base | T(w>>48)&low
		out, src = out[4:], src[8:]
	}
	for i := range out {
		out[i] = base | T(binary.LittleEndian.Uint16(src[2*i:]))&low
	}
}

func decodeWords[T uint16 | uint32](dst []T, src []byte, base T) int {
	n := 0
	for ; len(src) >= 8; src, base = src[8:], base+64 {
		for w := binary.LittleEndian.Uint64(src); w != 0; w &= w - 1 {
			if n == len(dst) {
				return n
			}
			dst[n] = base + T(bits.TrailingZeros64(w))
			n++
		}
	}
	return n
}

// Below returns how many numbers of the range that low is in are below low.
// start is the number of those in ranges of the container before it.
func (c *Container) Below(low uint16, start int) int {
	if !c.Bitmap() {
		return c.lower(low) - start
	}
	n := 0
	for w := int(low>>RangeShift) * (RangeLen / 64); w < int(low>>6); w++ {
		n += bits.OnesCount64(c.word(w))
	}
	return n + bits.OnesCount64(c.word(int(low>>6))&(1<<(low&63)-1))
}

// Or adds the numbers of the range block (number >> RangeShift) to dst, a bit a
// number; start and n are as for Decode.
func (c *Container) Or(dst *[RangeLen / 64]uint64, block uint32, start, n int) {
	if c.Bitmap() {
		first := int(block<<RangeShift&0xFFFF) / 64
		for i := range dst {
			dst[i] |= c.word(first + i)
		}
		return
	}
	if start < 0 || start >= c.Card || n <= 0 {
		return
	}
	n = min(n, c.Card-start)
	for src := c.b[2*start : 2*(start+n)]; len(src) >= 2; src = src[2:] {
		low := binary.LittleEndian.Uint16(src) & (RangeLen - 1)
		dst[low>>6] |= 1 << (low & 63)
	}
}
