package postings

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"sort"
)

// The portable format of roaring, as far as a View reads it: a cookie, the
// number of containers, for each its high 16 bits and its cardinality less one,
// for each its offset, then the containers: up to 4,096 numbers as a sorted
// array of their low 16 bits, more as a bitmap of 8,192 bytes. All numbers are
// little-endian. Containers of runs have another cookie; Pack writes none.
const (
	viewCookie  = 12346
	viewHead    = 8 // cookie and number of containers
	arrayMax    = 4096
	bitmapBytes = 8192
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

// A View reads a packed set where it lies, without copying or allocating. The
// zero value is empty. It must not be used longer than its bytes.
type View struct {
	b    []byte
	size int // containers
	n    int // numbers
}

// NewView looks at what Pack wrote and returns ErrMalformed when containers do
// not lie within b, are out of order, or hold a number of limit or above.
// What is in a container is not checked; any bytes there give numbers of that
// container, no panic.
func NewView(b []byte, limit uint32) (View, error) {
	if len(b) < viewHead || binary.LittleEndian.Uint32(b) != viewCookie {
		return View{}, fmt.Errorf("%w: no packed set", ErrMalformed)
	}
	size := binary.LittleEndian.Uint32(b[4:])
	if size > 1<<16 || int(size)*8 > len(b)-viewHead {
		return View{}, fmt.Errorf("%w: %d containers in %d bytes", ErrMalformed, size, len(b))
	}
	v := View{b: b, size: int(size)}
	at := viewHead + 8*v.size
	last := -1
	for i := range v.size {
		key, card := v.describe(i)
		if int(key) <= last || v.offset(i) != at {
			return View{}, fmt.Errorf("%w: container %d out of place", ErrMalformed, i)
		}
		last = int(key)
		at += containerBytes(card)
		v.n += card
	}
	if at != len(b) {
		return View{}, fmt.Errorf("%w: %d bytes of containers in %d", ErrMalformed, at, len(b))
	}
	if v.size > 0 && v.max() >= limit {
		return View{}, fmt.Errorf("%w: number %d of %d", ErrMalformed, v.max(), limit)
	}
	return v, nil
}

func containerBytes(card int) int {
	if card > arrayMax {
		return bitmapBytes
	}
	return 2 * card
}

func (v *View) describe(i int) (key uint16, card int) {
	d := v.b[viewHead+4*i:]
	return binary.LittleEndian.Uint16(d), int(binary.LittleEndian.Uint16(d[2:])) + 1
}

func (v *View) offset(i int) int {
	return int(binary.LittleEndian.Uint32(v.b[viewHead+4*v.size+4*i:]))
}

// max is the largest number of a view that is not empty.
func (v *View) max() uint32 {
	c := v.Container(v.size - 1)
	base := uint32(c.Key) << 16
	if !c.Bitmap() {
		return base | uint32(binary.LittleEndian.Uint16(c.b[2*c.Card-2:]))
	}
	for w := bitmapBytes/8 - 1; w >= 0; w-- {
		if x := c.word(w); x != 0 {
			return base | uint32(w*64+63-bits.LeadingZeros64(x))
		}
	}
	return base
}

// Len is the number of numbers.
func (v *View) Len() int { return v.n }

// Containers is the number of containers.
func (v *View) Containers() int { return v.size }

// Container returns the i-th container, of Containers.
func (v *View) Container(i int) Container {
	key, card := v.describe(i)
	at := v.offset(i)
	return Container{Key: key, Card: card, b: v.b[at : at+containerBytes(card)]}
}

// Contains reports whether doc is in the set.
func (v *View) Contains(doc uint32) bool {
	i, ok := v.find(uint16(doc >> 16))
	if !ok {
		return false
	}
	c := v.Container(i)
	return c.Contains(uint16(doc))
}

// find returns the place of the container with a key.
func (v *View) find(key uint16) (i int, ok bool) {
	lo, hi := 0, v.size
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		k, _ := v.describe(mid)
		if k == key {
			return mid, true
		}
		if k < key {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo, false
}

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
	base := block << RangeShift
	n = min(n, RangeLen)
	if c.Bitmap() {
		return c.decodeWords(dst[:n], base)
	}
	if start < 0 || start >= c.Card || n <= 0 {
		return 0
	}
	n = min(n, c.Card-start)
	decodeArray(dst[:n], c.b[2*start:2*(start+n)], base)
	return n
}

// decodeArray reads four numbers at a time, in half the time of one by one.
func decodeArray(out []uint32, src []byte, base uint32) {
	const low = RangeLen - 1
	for len(out) >= 4 && len(src) >= 8 {
		w := binary.LittleEndian.Uint64(src)
		out[0] = base | uint32(w)&low
		out[1] = base | uint32(w>>16)&low
		out[2] = base | uint32(w>>32)&low
		out[3] = base | uint32(w>>48)&low
		out, src = out[4:], src[8:]
	}
	for i := range out {
		out[i] = base | uint32(binary.LittleEndian.Uint16(src[2*i:]))&low
	}
}

func (c *Container) decodeWords(dst []uint32, base uint32) int {
	first := int(base&0xFFFF) / 8
	src := c.b[first : first+RangeLen/8]
	n := 0
	for ; len(src) >= 8; src, base = src[8:], base+64 {
		for w := binary.LittleEndian.Uint64(src); w != 0; w &= w - 1 {
			if n == len(dst) {
				return n
			}
			dst[n] = base + uint32(bits.TrailingZeros64(w))
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
	case b.Bitmap(), a.Card*16 < b.Card:
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

func andArrays(a, b []byte) int {
	n := 0
	for len(a) >= 2 && len(b) >= 2 {
		x, y := binary.LittleEndian.Uint16(a), binary.LittleEndian.Uint16(b)
		if x <= y {
			a = a[2:]
		}
		if y <= x {
			b = b[2:]
		}
		if x == y {
			n++
		}
	}
	return n
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
