package jsonl

import (
	"encoding/binary"
	"math/bits"
)

// maxDepth is how deep values may be nested, as in encoding/json.
const maxDepth = 10000

// scanner finds the end of a well-formed value, several times as fast as a
// decoder that keeps account of where it is. What it does not accept is not yet
// wrong: a decoder has the last word.
type scanner struct {
	b []byte
	// members of the outermost object: where names and values begin and end
	members []member
}

type member struct{ name, nameEnd, value, valueEnd int }

// value is the end of the value that begins at i, or -1.
func (s *scanner) value(i, depth int) int {
	if i >= len(s.b) || depth > maxDepth {
		return -1
	}
	switch c := s.b[i]; c {
	case '"':
		return s.text(i)
	case '{':
		return s.object(i, depth)
	case '[':
		return s.array(i, depth)
	case 't':
		return s.literal(i, "true")
	case 'f':
		return s.literal(i, "false")
	case 'n':
		return s.literal(i, "null")
	default:
		if c == '-' || c >= '0' && c <= '9' {
			return s.number(i)
		}
	}
	return -1
}

func (s *scanner) literal(i int, word string) int {
	if end := i + len(word); end <= len(s.b) && string(s.b[i:end]) == word {
		return end
	}
	return -1
}

func (s *scanner) object(i, depth int) int {
	if i = space(s.b, i+1); i < len(s.b) && s.b[i] == '}' {
		return i + 1
	}
	for {
		if i >= len(s.b) || s.b[i] != '"' {
			return -1
		}
		var m member
		m.name = i
		if m.nameEnd = s.text(i); m.nameEnd < 0 {
			return -1
		}
		if i = space(s.b, m.nameEnd); i >= len(s.b) || s.b[i] != ':' {
			return -1
		}
		m.value = space(s.b, i+1)
		if m.valueEnd = s.value(m.value, depth+1); m.valueEnd < 0 {
			return -1
		}
		if depth == 1 {
			s.members = append(s.members, m)
		}
		if i = space(s.b, m.valueEnd); i >= len(s.b) {
			return -1
		}
		switch s.b[i] {
		case '}':
			return i + 1
		case ',':
			i = space(s.b, i+1)
		default:
			return -1
		}
	}
}

func (s *scanner) array(i, depth int) int {
	if i = space(s.b, i+1); i < len(s.b) && s.b[i] == ']' {
		return i + 1
	}
	for {
		if i = s.value(i, depth+1); i < 0 {
			return -1
		}
		if i = space(s.b, i); i >= len(s.b) {
			return -1
		}
		switch s.b[i] {
		case ']':
			return i + 1
		case ',':
			i = space(s.b, i+1)
		default:
			return -1
		}
	}
}

// text is the end of a string, eight bytes at a time.
func (s *scanner) text(i int) int {
	b := s.b
	for i++; ; {
		if i+8 <= len(b) {
			if stop := special(binary.LittleEndian.Uint64(b[i:])); stop == 8 {
				i += 8
				continue
			} else {
				i += stop
			}
		}
		if i >= len(b) {
			return -1
		}
		switch c := b[i]; {
		case c == '"':
			return i + 1
		case c == '\\':
			n := escaped(b[i:])
			if n == 0 {
				return -1
			}
			i += n
		case c < ' ':
			return -1
		default:
			i++
		}
	}
}

const (
	ones  = 0x0101010101010101
	highs = 0x80 * ones
)

// special is the place of the first of eight bytes that is a quote, a backslash
// or a control character; 8 when there is none. The subtraction borrows into
// higher bytes only behind a true hit, so the lowest hit is true.
func special(x uint64) int {
	quote := x ^ '"'*ones
	slash := x ^ '\\'*ones
	hit := (quote-ones)&^quote | (slash-ones)&^slash | (x-' '*ones)&^x
	return bits.TrailingZeros64(hit&highs) / 8
}

// escaped is the length of a well-formed escape, else 0.
func escaped(b []byte) int {
	if len(b) < 2 {
		return 0
	}
	switch b[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2
	case 'u':
		if len(b) >= 6 && hex(b[2]) && hex(b[3]) && hex(b[4]) && hex(b[5]) {
			return 6
		}
	}
	return 0
}

func hex(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

// number is the end of a number.
func (s *scanner) number(i int) int {
	if s.b[i] == '-' {
		i++
	}
	if i < len(s.b) && s.b[i] == '0' {
		i++
	} else if i = s.digits(i); i < 0 {
		return -1
	}
	if i < len(s.b) && s.b[i] == '.' {
		if i = s.digits(i + 1); i < 0 {
			return -1
		}
	}
	if i < len(s.b) && s.b[i]|0x20 == 'e' {
		if i++; i < len(s.b) && (s.b[i] == '+' || s.b[i] == '-') {
			i++
		}
		return s.digits(i)
	}
	return i
}

// digits is the end of one or more digits, or -1.
func (s *scanner) digits(i int) int {
	from := i
	for i < len(s.b) && s.b[i] >= '0' && s.b[i] <= '9' {
		i++
	}
	if i == from {
		return -1
	}
	return i
}
