package ownjson

import (
	"math/bits"
	"strconv"
	"unicode/utf8"
)

// AppendText appends a string as encoding/json writes it.
func AppendText[T ~string](b []byte, s T) []byte {
	b = append(b, '"')
	from := 0 // what is not appended yet
	for i := 0; i < len(s); {
		c := s[i]
		if plain[c] {
			i = skip(s, i+1)
			continue
		}
		size, escape := 1, escapes[c&0x7f]
		if c >= utf8.RuneSelf {
			if size, escape = wide(string(s[i:min(i+utf8.UTFMax, len(s))])); escape == "" {
				i += size
				continue
			}
		}
		b = append(append(b, s[from:i]...), escape...)
		i += size
		from = i
	}
	return append(append(b, s[from:]...), '"')
}

const (
	ones  = 0x0101010101010101
	highs = 0x80 * ones
)

// skip is where the first of the next bytes from i on is that may not stand for
// itself, looked for eight at a time; near the end it may be any.
func skip[T ~string](s T, i int) int {
	for ; i+8 <= len(s); i += 8 {
		b := s[i : i+8]
		x := uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
			uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
		angles, quotes, slash := x&^(2*ones)^'<'*ones, x&^(4*ones)^'"'*ones, x^'\\'*ones
		// A bit of a byte that is none of them is set above one that is at most.
		if hit := (x | (x - ' '*ones) | (angles - ones) | (quotes - ones) | (slash - ones)) & highs; hit != 0 {
			return i + bits.TrailingZeros64(hit)/8
		}
	}
	return i
}

// wide is how long the character is that s begins with, which is not ASCII, and
// what is written for it; "" when it stands for itself.
func wide(s string) (size int, escape string) {
	switch r, size := utf8.DecodeRuneInString(s); {
	case r == utf8.RuneError && size == 1:
		return 1, `\ufffd`
	case r == '\u2028':
		return size, `\u2028`
	case r == '\u2029':
		return size, `\u2029`
	default:
		return size, ""
	}
}

// escapes is what is written for ASCII that does not stand for itself.
var escapes = func() (t [utf8.RuneSelf]string) {
	const hex = "0123456789abcdef"
	for c := range byte(' ') {
		t[c] = `\u00` + string([]byte{hex[c>>4], hex[c&15]})
	}
	t['\b'], t['\f'], t['\n'], t['\r'], t['\t'] = `\b`, `\f`, `\n`, `\r`, `\t`
	t['"'], t['\\'], t['<'], t['>'], t['&'] = `\"`, `\\`, `\u003c`, `\u003e`, `\u0026`
	return t
}()

// plain tells of bytes that stand for themselves.
var plain = func() (t [256]bool) {
	for c, escape := range escapes {
		t[c] = escape == ""
	}
	return t
}()

// AppendNumber appends the name of a field and its number.
func AppendNumber(b []byte, field string, n int64) []byte {
	return strconv.AppendInt(append(b, field...), n, 10)
}
