package jsonl

import "math/bits"

// ends finds the ends of strings, forward only, in bytes that are marked a
// window at a time.
type ends struct {
	b      []byte
	from   int           // where the window begins
	blocks int           // in the window
	marks  [window]marks // quotes that a backslash stands before are taken out, and controls are all that must not stand in a string
	escape uint64        // 1 when the first byte behind the window ends an escape
}

// window is how many blocks are marked together: few enough to stay in the
// nearest cache with their marks.
const window = 64

func (e *ends) reset(b []byte) { e.b, e.from, e.blocks, e.escape = b, 0, 0, 0 }

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
			quotes, wrong := m.quotes&behind, m.controls&behind
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
	mark(rest, e.marks[:n])
	if n < window && len(rest) > n*blockBytes {
		var last [blockBytes]byte
		for i := copy(last[:], rest[n*blockBytes:]); i < blockBytes; i++ {
			last[i] = ' '
		}
		mark(last[:], e.marks[n:n+1])
		n++
	}
	e.blocks = n
	e.resolve()
	return n > 0
}

// resolve finds the ends of escapes. A run of backslashes makes an escape of
// every second one: the difference carries through each run, so that it differs
// from odd in the odd places of runs that begin in even ones, and the other way
// around.
func (e *ends) resolve() {
	const odd = 0xaaaaaaaaaaaaaaaa
	escape := e.escape
	for k := range e.marks[:e.blocks] {
		m := &e.marks[k]
		if m.slashes|escape == 0 {
			continue
		}
		first := m.slashes &^ escape
		run := (first<<1 | odd) - first ^ odd
		ended := run ^ (m.slashes | escape)
		escape = 0
		if m.slashes>>63 != 0 { // seldom, so that blocks need not wait for each other
			escape = run >> 63
		}
		m.quotes &^= ended
		if w := ended &^ m.letters; w != 0 {
			m.controls |= e.faults(w, e.from+k*blockBytes)
		}
	}
	e.escape = escape
}

// faults are those of the ends of escapes in the block at i that are not those
// of a \u0000.
func (e *ends) faults(ended uint64, i int) uint64 {
	wrong := ended
	for ; ended != 0; ended &= ended - 1 {
		at := bits.TrailingZeros64(ended)
		if u := e.b[min(i+at, len(e.b)):]; len(u) >= 5 && u[0] == 'u' && hex(u[1]) && hex(u[2]) && hex(u[3]) && hex(u[4]) {
			wrong &^= 1 << at
		}
	}
	return wrong
}

func hex(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}
