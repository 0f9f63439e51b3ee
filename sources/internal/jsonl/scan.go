package jsonl

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// maxDepth is how deep values may be nested, as in encoding/json.
const maxDepth = 10000

// scanner finds the end of a well-formed value, several times as fast as a
// decoder that keeps account of where it is. What it does not accept is not yet
// wrong: a decoder has the last word.
type scanner struct {
	b     []byte
	nodes []node // values and names by where they begin, down to treeDepth
	quote int    // the first one from where it was last searched; len(b) when there is none
	slash int    // the first backslash, likewise
	tame  bool   // no byte of b is a control character
}

// A node is where a value or a name stands, and how many nodes it is made of,
// itself included.
type node struct{ start, end, size int32 }

const (
	// treeDepth is how deep places are noted: the arguments of a call within a
	// block of a message, and their edits.
	treeDepth = 8
	// maxNodes bounds the notes about one line, in all 3 MB. Of a line that has
	// more places none are noted; its values are then looked through again.
	maxNodes = 1 << 18
)

// scan is the end of the value that b begins with, or -1.
func (s *scanner) scan(b []byte) int {
	s.b, s.nodes = b, s.nodes[:0]
	s.tame, s.quote, s.slash = tame(b), -1, -1
	return s.value(0, 1)
}

// note begins a node, if values are noted at this depth.
func (s *scanner) note(i, depth int) int {
	if depth > treeDepth || len(s.nodes) >= maxNodes {
		return -1
	}
	s.nodes = append(s.nodes, node{start: int32(i)})
	return len(s.nodes) - 1
}

// value is the end of the value that begins at i, or -1.
func (s *scanner) value(i, depth int) int {
	if i >= len(s.b) || depth > maxDepth {
		return -1
	}
	n := s.note(i, depth)
	end := s.any(i, depth)
	if n >= 0 {
		s.nodes[n].end, s.nodes[n].size = int32(end), int32(len(s.nodes)-n)
	}
	return end
}

func (s *scanner) any(i, depth int) int {
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
		n := s.note(i, depth+1)
		if i = s.text(i); i < 0 {
			return -1
		}
		if n >= 0 {
			s.nodes[n].end, s.nodes[n].size = int32(i), 1
		}
		if i = space(s.b, i); i >= len(s.b) || s.b[i] != ':' {
			return -1
		}
		if i = s.value(space(s.b, i+1), depth+1); i < 0 {
			return -1
		}
		if i = space(s.b, i); i >= len(s.b) {
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

// text is the end of a string, or -1.
func (s *scanner) text(i int) int {
	if s.tame {
		return s.tameText(i)
	}
	return s.wildText(i)
}

// tameText is text where no control character has to be looked for, 64 bytes at
// a time: quotes and backslashes are gathered as bits first, so that the escapes
// are then gone through without waiting for each other.
func (s *scanner) tameText(i int) int {
	b, clean := s.b, 0
	i++
	for end := i + short; i < end && i+8 <= len(b); i += 8 {
		if n := special(binary.LittleEndian.Uint64(b[i:])); n < 8 {
			if i += n; b[i] == '"' {
				return i + 1
			}
			break
		}
	}
	for i+64 < len(b) {
		quotes, slashes := marks(b[i:])
		if quotes|slashes == 0 {
			if i, clean = i+64, clean+1; clean >= prose {
				i = s.far(i)
			}
			continue
		}
		next := i + 64
		for slashes != 0 {
			at := uint(bits.TrailingZeros64(slashes)) & 63
			first := slashes & -slashes
			if quotes&(first-1) != 0 {
				break
			}
			if !letters[b[i+int(at)+1]] && escaped(b[i+int(at):]) == 0 {
				return -1
			}
			slashes &^= first | first<<1
			quotes &^= first << 1
			next += int(first >> 63) // the escape goes on behind
		}
		if quotes != 0 {
			return i + bits.TrailingZeros64(quotes) + 1
		}
		i = next
	}
	return s.wildText(i - 1)
}

const (
	// short is how long names, ids and times are: up to there strings are looked
	// at by eights.
	short = 40
	// prose is how many blocks without a quote or backslash make it worth looking
	// for the next one by a search.
	prose = 2
)

// far is where the first quote or backslash stands from i on.
func (s *scanner) far(i int) int {
	if s.quote < i {
		s.quote = after(s.b, i, '"')
	}
	if s.slash < i {
		s.slash = after(s.b, i, '\\')
	}
	return min(s.quote, s.slash)
}

// after is where the first c stands from i on; len(b) when there is none.
func after(b []byte, i int, c byte) int {
	if n := bytes.IndexByte(b[i:], c); n >= 0 {
		return i + n
	}
	return len(b)
}

// letters are those that make an escape of two bytes with a backslash.
var letters = [256]bool{'"': true, '\\': true, '/': true, 'b': true, 'f': true, 'n': true, 'r': true, 't': true}

// marks has a bit for each of 64 bytes that is a quote, and one for each that
// is a backslash.
func marks(b []byte) (quotes, slashes uint64) {
	_ = b[63]
	for i := 0; i < 64; i += 16 {
		x, y := binary.LittleEndian.Uint64(b[i:]), binary.LittleEndian.Uint64(b[i+8:])
		quotes |= (zeros(x^'"'*ones) | zeros(y^'"'*ones)<<8) << (i & 63)
		slashes |= (zeros(x^'\\'*ones) | zeros(y^'\\'*ones)<<8) << (i & 63)
	}
	return quotes, slashes
}

// zeros has a bit for each of eight bytes that is zero. The sum has the upper
// bit of each byte that is not, and no byte carries into the next; the product
// moves those bits together.
func zeros(x uint64) uint64 {
	const low = ^uint64(highs)
	none := ^(x&low + low | x | low)
	return none >> 7 * 0x0102040810204080 >> 56
}

// tame reports whether b holds no control character, which between JSON's
// values would be white space and within strings is wrong.
func tame(b []byte) bool {
	var hit uint64
	for ; len(b) >= 32; b = b[32:] {
		x, y := binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:])
		z, w := binary.LittleEndian.Uint64(b[16:]), binary.LittleEndian.Uint64(b[24:])
		hit |= (x-' '*ones)&^x | (y-' '*ones)&^y | (z-' '*ones)&^z | (w-' '*ones)&^w
	}
	for _, c := range b {
		if c < ' ' {
			return false
		}
	}
	return hit&highs == 0
}

// wildText is text where any byte may stand, eight bytes at a time.
func (s *scanner) wildText(i int) int {
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

// escaped is the length of the well-formed escape that b begins with, else 0.
func escaped(b []byte) int {
	switch {
	case len(b) < 2:
	case letters[b[1]]:
		return 2
	case b[1] == 'u' && len(b) >= 6 && hex(b[2]) && hex(b[3]) && hex(b[4]) && hex(b[5]):
		return 6
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
