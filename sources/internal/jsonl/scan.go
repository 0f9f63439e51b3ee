package jsonl

import "math/bits"

// maxDepth is how deep values may be nested, as in encoding/json.
const maxDepth = 10000

// scanner finds the end of a well-formed value, several times as fast as a
// decoder that keeps account of where it is. What it does not accept is not yet
// wrong: a decoder has the last word.
type scanner struct {
	b     []byte
	line  bool   // a value ends before its line does
	nodes []node // values and names by where they begin, down to treeDepth
	ends  ends
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
	s.b, s.line, s.nodes = b, false, s.nodes[:0]
	s.ends.reset(b, 0)
	return s.value(0, 1)
}

// lines readies the scanner for the lines of b, of which one begins at i.
func (s *scanner) lines(b []byte, i int) {
	s.b, s.line = b, true
	s.ends.reset(b, i)
}

// first is the end of the object that begins with its line at i and ends on it, or
// -1. Lines are asked for in their order.
func (s *scanner) first(i int) int {
	s.nodes = s.nodes[:0]
	return s.nested(i, 1)
}

// tree are the nodes of the value that was scanned, or only itself when they are
// too many.
func (s *scanner) tree() []node {
	if len(s.nodes) >= maxNodes {
		s.nodes[0].size = 1
	}
	return s.nodes
}

// note notes a value or a name, if values are noted at this depth. Where it ends
// and what is in it may be told later.
func (s *scanner) note(i, end, depth int) {
	if depth <= treeDepth && len(s.nodes) < maxNodes {
		s.nodes = append(s.nodes, node{int32(i), int32(end), 1})
	}
}

// value is the end of the value that begins at i, or -1.
func (s *scanner) value(i, depth int) int {
	if i >= len(s.b) || depth > maxDepth {
		return -1
	}
	var end int
	switch c := s.b[i]; c {
	case '"':
		end = s.text(i)
	case '{', '[':
		return s.nested(i, depth)
	case 't':
		end = s.literal(i, "true")
	case 'f':
		end = s.literal(i, "false")
	case 'n':
		end = s.literal(i, "null")
	default:
		end = s.number(i)
	}
	s.note(i, end, depth)
	return end
}

// nested is value for objects and arrays.
func (s *scanner) nested(i, depth int) (end int) {
	n := len(s.nodes)
	s.note(i, i, depth)
	if s.b[i] == '{' {
		end = s.object(i, depth)
	} else {
		end = s.array(i, depth)
	}
	if n < len(s.nodes) {
		s.nodes[n].end, s.nodes[n].size = int32(end), int32(len(s.nodes)-n)
	}
	return end
}

func (s *scanner) literal(i int, word string) int {
	if end := i + len(word); end <= len(s.b) && string(s.b[i:end]) == word {
		return end
	}
	return -1
}

func (s *scanner) object(i, depth int) int {
	if i = s.next(i + 1); i < len(s.b) && s.b[i] == '}' {
		return i + 1
	}
	for i < len(s.b) && s.b[i] == '"' {
		end := s.text(i)
		if end < 0 {
			return -1
		}
		s.note(i, end, depth+1)
		if i = s.next(end); i >= len(s.b) || s.b[i] != ':' {
			return -1
		}
		if i = s.next(i + 1); i < len(s.b) && s.b[i] == '"' { // as most are
			end = s.text(i)
			s.note(i, end, depth+1)
		} else {
			end = s.value(i, depth+1)
		}
		if end < 0 {
			return -1
		}
		if i = s.next(end); i >= len(s.b) {
			return -1
		}
		switch s.b[i] {
		case '}':
			return i + 1
		case ',':
			i = s.next(i + 1)
		default:
			return -1
		}
	}
	return -1
}

func (s *scanner) array(i, depth int) int {
	if i = s.next(i + 1); i < len(s.b) && s.b[i] == ']' {
		return i + 1
	}
	for {
		if i = s.value(i, depth+1); i < 0 {
			return -1
		}
		if i = s.next(i); i >= len(s.b) {
			return -1
		}
		switch s.b[i] {
		case ']':
			return i + 1
		case ',':
			i = s.next(i + 1)
		default:
			return -1
		}
	}
}

// next is the first place from i on that is no white space, mostly i itself.
func (s *scanner) next(i int) int {
	if i < len(s.b) && s.b[i] > ' ' {
		return i
	}
	return s.space(i)
}

// space is next where there is white space at i. The end of a line is none within
// the line.
func (s *scanner) space(i int) int {
	for i < len(s.b) && (s.b[i] == ' ' || s.b[i] == '\t' || s.b[i] == '\r' || s.b[i] == '\n' && !s.line) {
		i++
	}
	return i
}

// text is the end of the string that begins at i, or -1.
func (s *scanner) text(i int) int {
	// Most strings are short, and end among the next 64 bytes, in whatever blocks.
	e := &s.ends
	if k := uint(i+1-e.from) / blockBytes; k < uint(e.blocks) {
		m, n, at := &e.marks[k%window], &e.marks[k%window+1], uint(i+1)%blockBytes
		quotes := m.quotes>>at | n.quotes<<1<<(blockBytes-1-at)
		wrong := m.wrong>>at | n.wrong<<1<<(blockBytes-1-at)
		if quotes != 0 && wrong&(quotes&-quotes-1) == 0 {
			return i + bits.TrailingZeros64(quotes) + 2
		}
	}
	return e.after(i + 1)
}

// number is the end of a number, or -1 where there is none.
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
