package jsonl

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// String is the text of a string, of its own; "" for other kinds. What is not
// UTF-8 becomes U+FFFD.
func (v Value) String() string {
	raw := v.Raw()
	switch {
	case ascii(raw): // as ids and names are
		return string(raw)
	case !utf8.Valid(raw):
		// An error tells of bytes that were replaced, no more: the value is well-formed.
		s, _ := jsontext.AppendUnquote(nil, []byte(v))
		return string(s)
	case bytes.IndexByte(raw, '\\') < 0:
		return string(raw)
	}
	var b strings.Builder
	b.Grow(len(raw))
	decode(&b, raw, len(raw))
	return b.String()
}

// ascii reports whether b is ASCII without a backslash.
func ascii(b []byte) bool {
	for ; len(b) >= 8; b = b[8:] {
		if x := binary.LittleEndian.Uint64(b); (x|((x^'\\'*ones)-ones))&highs != 0 {
			return false
		}
	}
	for _, c := range b {
		if c == '\\' || c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// Ends is the text of a string of which only the two ends matter: where it is
// much longer than twice n bytes, its middle is left out, undecoded. At least n
// bytes of each end are there.
func (v Value) Ends(n int) string {
	raw := v.Raw()
	if len(raw) <= 4*n || !utf8.Valid(raw) {
		return v.String()
	}
	var b strings.Builder
	b.Grow(4 * n)
	rest := decode(&b, raw, n)
	// Twice as many bytes do where escapes are few. A byte of text takes 6 at
	// most; 12 more cover the longest escape at the cut.
	for _, side := range [...]int{2 * n, 6*n + 12} {
		if side >= len(rest) {
			break
		}
		tail := rest[cutAt(rest, len(rest)-side):]
		var end strings.Builder
		if decode(&end, tail, len(tail)); end.Len() >= n {
			b.WriteString(end.String())
			return b.String()
		}
	}
	decode(&b, rest, len(rest))
	return b.String()
}

// decode writes the text of the inside of a string, which is UTF-8, until it has
// n bytes at least, and returns what it did not come to.
func decode(b *strings.Builder, raw []byte, n int) (rest []byte) {
	for n += b.Len(); len(raw) > 0 && b.Len() < n; {
		plain := raw
		if i := bytes.IndexByte(raw, '\\'); i >= 0 {
			plain = raw[:i]
		}
		if more := n - b.Len(); len(plain) > more {
			for more < len(plain) && !utf8.RuneStart(plain[more]) {
				more++
			}
			plain = plain[:more]
		}
		b.Write(plain)
		if raw = raw[len(plain):]; len(raw) > 0 && raw[0] == '\\' {
			raw = decodeEscape(b, raw)
		}
	}
	return raw
}

// short are the characters that escapes of two bytes stand for.
var short = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// decodeEscape writes the character of the escape that raw begins with, and
// returns what stands behind it. Half of a surrogate pair is U+FFFD.
func decodeEscape(b *strings.Builder, raw []byte) (rest []byte) {
	if raw[1] != 'u' {
		b.WriteByte(short[raw[1]])
		return raw[2:]
	}
	r, n := unit(raw), 6
	if utf16.IsSurrogate(r) {
		r = utf8.RuneError
		if escape(raw) == 12 {
			if pair := utf16.DecodeRune(unit(raw), unit(raw[6:])); pair != utf8.RuneError {
				r, n = pair, 12
			}
		}
	}
	b.WriteRune(r)
	return raw[n:]
}

// unit is the number in an escape \u0000.
func unit(raw []byte) (r rune) {
	for _, c := range raw[2:6] {
		switch {
		case c <= '9':
			c -= '0'
		default:
			c = c&^0x20 - 'A' + 10
		}
		r = r<<4 | rune(c)
	}
	return r
}

// cutAt is the last place up to i where the inside of a string can be cut: not
// within an escape, a pair of surrogates, or a character.
func cutAt(raw []byte, i int) int {
	j := 0
	for {
		e := bytes.IndexByte(raw[j:i], '\\')
		if e < 0 {
			break
		}
		n := escape(raw[j+e:])
		if j+e+n > i {
			return j + e
		}
		j += e + n
	}
	for i > j && !utf8.RuneStart(raw[i]) {
		i--
	}
	return i
}

// escape is the length of the escape that raw begins with; both halves of a
// surrogate pair are one.
func escape(raw []byte) int {
	switch {
	case raw[1] != 'u':
		return 2
	case raw[2]|0x20 == 'd' && len(raw) >= 12 && raw[6] == '\\' && raw[7] == 'u':
		return 12
	}
	return 6
}
