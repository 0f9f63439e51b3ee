package postings

import (
	"encoding/binary"
	"fmt"
	"math/bits"
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
