package jsonl

import (
	"encoding/binary"
	"math/bits"
)

// blockBytes is how many bytes are marked at once: a bit each in a word.
const blockBytes = 64

// marks says what stands in 64 bytes, the first in the lowest bit.
type marks struct {
	quotes   uint64
	slashes  uint64 // backslashes
	controls uint64 // bytes below ' ', which must not stand in a string
	letters  uint64 // what makes an escape of two bytes behind a backslash; may be left out elsewhere
}

// letters are those that make an escape of two bytes with a backslash.
var letters = [256]bool{'"': true, '\\': true, '/': true, 'b': true, 'f': true, 'n': true, 'r': true, 't': true}

// markWords is mark, eight bytes at a time.
func markWords(b []byte, m []marks) {
	for i := range m {
		m[i] = markBlock(b[i*blockBytes : (i+1)*blockBytes])
	}
}

func markBlock(b []byte) (m marks) {
	if letters[b[0]] { // the backslash may stand in the block before
		m.letters = 1
	}
	if plain(b) {
		return m
	}
	for i := 0; i < blockBytes; i += 8 {
		x := binary.LittleEndian.Uint64(b[i:])
		m.quotes |= zeros(x^'"'*ones) << (i & 63)
		m.slashes |= zeros(x^'\\'*ones) << (i & 63)
		m.controls |= zeros(x&(0xe0*ones)) << (i & 63)
	}
	for s := m.slashes << 1; s != 0; s &= s - 1 {
		if at := bits.TrailingZeros64(s); letters[b[at]] {
			m.letters |= 1 << at
		}
	}
	return m
}

// plain reports whether no byte of a block is a quote, a backslash or a control
// character.
func plain(b []byte) bool {
	var hit uint64
	for ; len(b) >= 8; b = b[8:] {
		x := binary.LittleEndian.Uint64(b)
		quote, slash := x^'"'*ones, x^'\\'*ones
		hit |= (quote-ones)&^quote | (slash-ones)&^slash | (x-' '*ones)&^x
	}
	return hit&highs == 0
}

const (
	ones  = 0x0101010101010101
	highs = 0x80 * ones
)

// zeros has a bit for each of eight bytes that is zero. The sum has the upper
// bit of each byte that is not, and no byte carries into the next; the product
// moves those bits together.
func zeros(x uint64) uint64 {
	const low = ^uint64(highs)
	none := ^(x&low + low | x | low)
	return none >> 7 * 0x0102040810204080 >> 56
}
