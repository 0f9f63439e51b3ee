package terms

import "math/bits"

// edgesRoom is how much behind the edges in their room may be written over.
const edgesRoom = 16

// edgesWords writes to out where runs of letters, digits and bytes beyond ASCII begin
// and end in text, which stands at a place; eight bytes at a time. open is 1 when a
// run goes on from before text, after when one goes on behind it. out has room for
// an edge a byte, and edgesRoom.
func edgesWords(text string, at uint32, open uint64, out []uint32) (n int, after uint64) {
	for ; text != ""; text = text[min(64, len(text)):] {
		in := runs(text)
		edges := in ^ (in<<1 | open)
		open = in >> 63
		for ; edges != 0; edges &= edges - 1 {
			out[n] = at + uint32(bits.TrailingZeros64(edges))
			n++
		}
		at += 64
	}
	return n, open
}

// runs has a bit for each of the first 64 bytes that is part of a run.
func runs(b string) (in uint64) {
	if len(b) < 64 {
		for i := range len(b) {
			if classes[b[i]]&(alnum|wide) != 0 {
				in |= 1 << i
			}
		}
		return in
	}
	_ = b[63]
	for i := 0; i < 64; i += 8 {
		in |= runsOf(load(b[i:])) << i
	}
	return in
}

const (
	eachByte    = 0x0101010101010101
	beyondASCII = 0x80 * eachByte
)

// runsOf has a bit for each of eight bytes that is a letter, a digit or beyond
// ASCII: sums reach the upper bit from the first byte of a range on, or past its
// last.
func runsOf(v uint64) uint64 {
	c := v &^ beyondASCII
	l := c | 0x20*eachByte
	in := (l+(0x80-'a')*eachByte)&^(l+(0x7F-'z')*eachByte) | (c+(0x80-'0')*eachByte)&^(c+(0x7F-'9')*eachByte) | v
	return (in & beyondASCII >> 7) * 0x0102040810204080 >> 56
}
