package redact

import (
	"cmp"
	"math/bits"
	"slices"
)

// families sorts the triggers into eight families, a bit each. For each of a trigger's
// first four places, and each value of the lower seven bits of a byte, it holds the
// families that have a trigger with such a byte there. Four bytes in a row that share a
// family are mostly no trigger all the same, but few places of a text have such, and
// sixty-four places can be looked at in one go.
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
