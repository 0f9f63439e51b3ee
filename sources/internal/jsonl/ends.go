package jsonl

import "math/bits"

// ends finds the ends of strings, forward only, in bytes that are marked a
// window at a time.
type ends struct {
	b      []byte
	from   int               // where the window begins
	blocks int               // in the window
	marks  [window + 1]marks // the one behind the last block is zero
	escape uint64            // 1 when a backslash at the end of the window takes the next byte
}

// window is how many blocks are marked together: few enough to stay in the
// nearest cache with their marks.
const window = 64

// reset begins anew, in the block of i, before which no backslash stands that would
// take its byte.
func (e *ends) reset(b []byte, i int) { e.b, e.from, e.blocks, e.escape = b, i&^(blockBytes-1), 0, 0 }

// after is what stands behind the string whose inside begins at i; -1 when it
// does not end or is not well-formed.
func (e *ends) after(i int) int {
	behind := ^uint64(0) << (i % blockBytes)
	for i &^= blockBytes - 1; ; {
		for i >= e.from+e.blocks*blockBytes {
			if !e.next() {
				return -1
			}
		}
		rest := e.marks[uint(i-e.from)/blockBytes : e.blocks]
		for k := range rest {
			m := &rest[k]
			quotes, wrong := m.quotes&behind, m.wrong&behind
			if quotes != 0 {
				if wrong&(quotes&-quotes-1) != 0 {
					return -1
				}
				return i + bits.TrailingZeros64(quotes) + 1
			}
			if wrong != 0 {
				return -1
			}
			behind = ^uint64(0)
			i += blockBytes
		}
	}
}

// next goes to the next window; false at the end.
func (e *ends) next() bool {
	e.from += e.blocks * blockBytes
	rest := e.b[min(e.from, len(e.b)):]
	n := min(len(rest)/blockBytes, window)
	var odd, more uint64
	e.escape, odd = mark(rest, e.marks[:n], e.escape)
	if n < window && len(rest) > n*blockBytes {
		var last [blockBytes]byte
		for i := copy(last[:], rest[n*blockBytes:]); i < blockBytes; i++ {
			last[i] = ' '
		}
		e.escape, more = mark(last[:], e.marks[n:n+1], e.escape)
		n++
	}
	e.blocks, e.marks[n] = n, marks{}
	if odd|more != 0 {
		e.allow()
	}
	return n > 0
}

// allow takes escapes \u0000 out of what is wrong.
func (e *ends) allow() {
	for k := range e.marks[:e.blocks] {
		m := &e.marks[k]
		for w := m.wrong; w != 0; w &= w - 1 {
			at := bits.TrailingZeros64(w)
			if u := e.b[min(e.from+k*blockBytes+at, len(e.b)):]; len(u) >= 5 && u[0] == 'u' && hex(u[1]) && hex(u[2]) && hex(u[3]) && hex(u[4]) {
				m.wrong &^= 1 << at
			}
		}
	}
}

func hex(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}
