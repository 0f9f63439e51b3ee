package postings

import (
	"encoding/binary"
	"math/bits"
)

// Pick writes those numbers of the range block (number >> RangeShift) that are
// in mask, a bit a number, to low: ascending, without the range's high bits. To
// at it writes which of the range's numbers each is, from 0. It returns how many
// there are. start and n are as for Decode; whatever the bytes are, it writes
// numbers of mask only.
func (c *Container) Pick(mask *[RangeLen / 64]uint64, block uint32, start, n int, low, at *[RangeLen]uint16) int {
	if c.Bitmap() {
		return c.pickWords(mask, block, low, at)
	}
	if start < 0 || start >= c.Card || n <= 0 {
		return 0
	}
	n = min(n, c.Card-start, RangeLen)
	first, last := wordsOf(mask)
	src, i := c.b[2*start:2*(start+n)], 0
	if first > 0 && n > seekFrom {
		i = lowerIn(src, uint16(first)<<6)
	}
	picked := 0
	for src = src[2*i:]; len(src) >= 2; i, src = i+1, src[2:] {
		d := binary.LittleEndian.Uint16(src) & (RangeLen - 1)
		if int(d>>6) > last {
			break
		}
		low[picked], at[picked] = d, uint16(i)
		picked += int(mask[d>>6] >> (d & 63) & 1)
		if picked == RangeLen {
			break
		}
	}
	return picked
}

// wordsOf are the first and the last word of a mask that are not 0, as those of a run
// of numbers are few; last is below first where there is none.
func wordsOf(mask *[RangeLen / 64]uint64) (first, last int) {
	last = len(mask) - 1
	for first <= last && mask[first] == 0 {
		first++
	}
	for last > first && mask[last] == 0 {
		last--
	}
	return first, last
}

// seekFrom is from how many numbers on it is faster to look for the first one.
const seekFrom = 64

// lowerIn is how many of the ascending numbers of a range are below d.
func lowerIn(src []byte, d uint16) int {
	from, n := 0, len(src)/2
	for n > 0 {
		half := n / 2
		if binary.LittleEndian.Uint16(src[2*(from+half):])&(RangeLen-1) < d {
			from, n = from+half+1, n-half-1
		} else {
			n = half
		}
	}
	return from
}

func (c *Container) pickWords(mask *[RangeLen / 64]uint64, block uint32, low, at *[RangeLen]uint16) int {
	first := int(block<<RangeShift&0xFFFF) / 8
	src := c.b[first : first+RangeLen/8]
	picked, before := 0, 0
	from, last := wordsOf(mask)
	for i := range from {
		before += bits.OnesCount64(binary.LittleEndian.Uint64(src[8*i:]))
	}
	for i := from; i <= last; i++ {
		w := binary.LittleEndian.Uint64(src[8*i:])
		for m := w & mask[i]; m != 0; m &= m - 1 {
			bit := bits.TrailingZeros64(m)
			low[picked&(RangeLen-1)] = uint16(i<<6 | bit)
			at[picked&(RangeLen-1)] = uint16(before + bits.OnesCount64(w&(1<<bit-1)))
			picked++
		}
		before += bits.OnesCount64(w)
	}
	return picked
}

// Among is Pick for a few numbers of the range, ascending: it looks each up.
func (c *Container) Among(few []uint16, block uint32, start, n int, low, at *[RangeLen]uint16) int {
	if c.Bitmap() {
		return c.amongWords(few, block, low, at)
	}
	if start < 0 || start >= c.Card || n <= 0 {
		return 0
	}
	n = min(n, c.Card-start, RangeLen)
	src, from, picked := c.b[2*start:2*(start+n)], 0, 0
	for _, d := range few {
		for left := n - from; left > 1; left -= left >> 1 { // without a branch that nobody can foresee
			next := from + left>>1
			if binary.LittleEndian.Uint16(src[2*next-2:])&(RangeLen-1) < d {
				from = next
			}
		}
		found := binary.LittleEndian.Uint16(src[2*from:]) & (RangeLen - 1)
		if found < d && from < n-1 { // the last of those left
			from++
			found = binary.LittleEndian.Uint16(src[2*from:]) & (RangeLen - 1)
		}
		low[picked&(RangeLen-1)], at[picked&(RangeLen-1)] = d, uint16(from)
		if found == d {
			picked++
		}
	}
	return min(picked, RangeLen)
}

func (c *Container) amongWords(few []uint16, block uint32, low, at *[RangeLen]uint16) int {
	first := int(block<<RangeShift&0xFFFF) / 8
	src := c.b[first : first+RangeLen/8]
	picked := 0
	for _, d := range few { // first of all: what is not in the cache comes for several at a time
		low[picked&(RangeLen-1)] = d
		picked += int(binary.LittleEndian.Uint64(src[d>>6&(RangeLen/64-1)<<3:]) >> (d & 63) & 1)
	}
	picked = min(picked, RangeLen)
	word, before := 0, 0
	for k, d := range low[:picked] {
		i := int(d>>6) & (RangeLen/64 - 1)
		for ; word < i; word++ {
			before += bits.OnesCount64(binary.LittleEndian.Uint64(src[8*word:]))
		}
		at[k] = uint16(before + bits.OnesCount64(binary.LittleEndian.Uint64(src[8*i:])&(1<<(d&63)-1)))
	}
	return picked
}
