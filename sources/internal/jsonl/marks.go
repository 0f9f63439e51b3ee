package jsonl

import (
	"encoding/binary"
	"math/bits"
)

// blockBytes is how many bytes are marked at once: a bit each in a word, the
// first in the lowest bit.
const blockBytes = 64

// marks says what matters to strings in a block. Bytes outside of strings are
// marked as if they were in one.
type marks struct {
	quotes uint64 // those that no backslash stands before
	wrong  uint64 // control characters, and what stands behind a backslash without being one of letters
}

// letters are those that make an escape of two bytes with a backslash.
var letters = [256]bool{'"': true, '\\': true, '/': true, 'b': true, 'f': true, 'n': true, 'r': true, 't': true}

// markWords is mark, eight bytes at a time.
func markWords(b []byte, m []marks, escape uint64) (after, odd uint64) {
	for i := range m {
		block := b[i*blockBytes : (i+1)*blockBytes]
		if m[i] = (marks{}); escape == 0 && plain(block) {
			continue
		}
		var slashes, ended uint64
		for k := 0; k < blockBytes; k += 8 {
			x := binary.LittleEndian.Uint64(block[k:])
			m[i].quotes |= zeros(x^'"'*ones) << (k & 63)
			m[i].wrong |= zeros(x&(0xe0*ones)) << (k & 63)
			slashes |= zeros(x^'\\'*ones) << (k & 63)
		}
		ended, escape = escapes(slashes, escape)
		m[i].quotes &^= ended
		for ; ended != 0; ended &= ended - 1 {
			if at := bits.TrailingZeros64(ended); !letters[block[at]] {
				m[i].wrong |= 1 << at
				odd |= 1 << at
			}
		}
	}
	return escape, odd
}

// escapes finds the bytes that end an escape; escape is 1 when the first one
// does, after when the one behind the block does. A run of backslashes makes an
// escape of every second one: the difference carries through each run, so that it
// differs from uneven in the uneven places of runs that begin in even ones, and the
// other way around.
func escapes(slashes, escape uint64) (ended, after uint64) {
	const uneven = 0xaaaaaaaaaaaaaaaa
	first := slashes &^ escape
	run := (first<<1 | uneven) - first ^ uneven
	return run ^ (slashes | escape), run & slashes >> 63
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
