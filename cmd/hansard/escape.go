package main

import (
	"strings"
	"unicode/utf8"
)

// strip takes terminal escape sequences (ECMA-48, with 7 or 8 bits) out of s,
// with all that belongs to them. It is for the eye: what a half of a sequence
// would leave behind is harmless after clean, but ugly. One that does not end on
// its line loses its beginning only, so that no text is swallowed.
func strip(s string) string {
	if !strings.ContainsFunc(s, introduces) {
		return s
	}
	var b strings.Builder
	for s != "" {
		i := strings.IndexFunc(s, introduces)
		if i < 0 {
			break
		}
		b.WriteString(s[:i])
		s = s[i+sequence(s[i:]):]
	}
	return b.String() + s
}

// introduces reports whether r may begin a sequence: ESC, or one of the eight
// bit forms of ESC and a letter.
func introduces(r rune) bool { return r == 0x1b || 0x80 <= r && r <= 0x9f && r != '\u0085' }

// sequence is how many bytes the sequence at the beginning of s has.
func sequence(s string) int {
	r, n := utf8.DecodeRuneInString(s)
	if r == 0x1b { // ESC and a letter are one of 8 bits
		if n == len(s) {
			return n
		}
		c := s[n]
		if 0x40 <= c && c <= 0x5f {
			r, n = rune(c)+0x40, n+1
		}
	}
	switch r {
	case 0x9b: // CSI: parameters, intermediates, a final byte
		return n + span(s[n:], 0x30, 0x3f, 0x20, 0x2f)
	case 0x90, 0x98, 0x9d, 0x9e, 0x9f: // DCS, SOS, OSC, PM, APC: a text and its end
		return n + textEnd(s[n:])
	case 0x1b: // other escapes: intermediates, a final byte
		return n + span(s[n:], 0x20, 0x2f, 0x20, 0x2f)
	}
	return n
}

// span is the length of bytes in the first range, then in the second, then one
// final byte; 0 when there is no such byte.
func span(s string, lo1, hi1, lo2, hi2 byte) int {
	i := 0
	for i < len(s) && lo1 <= s[i] && s[i] <= hi1 {
		i++
	}
	for i < len(s) && lo2 <= s[i] && s[i] <= hi2 {
		i++
	}
	if i < len(s) && 0x30 <= s[i] && s[i] <= 0x7e {
		return i + 1
	}
	return 0
}

// textEnd is the length of a text up to BEL or ST, with that; 0 when it does
// not end on this line.
func textEnd(s string) int {
	for i, r := range s {
		switch {
		case r == '\n':
			return 0
		case r == '\a':
			return i + 1
		case r == 0x9c:
			return i + 2
		case r == 0x1b && strings.HasPrefix(s[i:], "\x1b\\"):
			return i + 2
		}
	}
	return 0
}
