package redact

import (
	"cmp"
	"math/bits"
	"slices"
)

// families are the first four bytes of all triggers in eight families, which have a
// bit each: of each of the four places, by the lower seven bits of a byte, those that
// have a trigger with that byte there. What has four bytes of one family is mostly no
// trigger, but so are few places of a text, and sixty-four can be looked at at once.
type families [4][128]uint8

// familiesOf puts each trigger where it lets the least others through. The order
// has those with the same end beside each other.
func familiesOf(triggers []string) (f families) {
	triggers = slices.Clone(triggers)
	slices.SortFunc(triggers, func(a, b string) int {
		return cmp.Compare(bits.ReverseBytes32(four(a, 0)|lower), bits.ReverseBytes32(four(b, 0)|lower))
	})
	var sizes [8][4]int
	for _, trigger := range triggers {
		best, least := 0, 0
		for bit := range sizes {
			before, after := 1, 1
			for place, n := range sizes[bit] {
				before *= n
				if f[place][trigger[place]|0x20]>>bit&1 == 0 {
					n++
				}
				after *= n
			}
			if more := after - before; bit == 0 || more < least {
				best, least = bit, more
			}
		}
		for place := range f {
			c := trigger[place] | 0x20
			if f[place][c]>>best&1 == 0 {
				sizes[best][place]++
			}
			f[place][c] |= 1 << best
			f[place][c&^0x20] |= 1 << best
		}
	}
	return f
}

// has reports whether the four bytes at s[i:] may be those of a trigger.
func (f *families) has(s string, i int) bool {
	return f[0][s[i]&0x7F]&f[1][s[i+1]&0x7F]&f[2][s[i+2]&0x7F]&f[3][s[i+3]&0x7F] != 0
}
