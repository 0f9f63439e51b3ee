package ownjson

import (
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
			i++
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
