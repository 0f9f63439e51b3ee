package terms

import "math/bits"

// cutAtOnce is how many words are cut before those that were cut before them are
// looked up: what is not in the processor's cache comes meanwhile.
const cutAtOnce = 32

// A cutWord is a word that was found and not looked up yet.
type cutWord struct {
	lo, hi     uint64 // see wordKey
	start, end uint32
	flags      uint8 // 0 for a plain word: ASCII letters and digits, wordBytes at most
	hash       uint32
}

// A cutter finds the words that its scanner finds, many at a time. It looks for
// runs of letters and digits, 64 bytes at once; what is not plain it leaves to the
// scanner.
type cutter struct {
	scanner
	read  int      // bytes that edges tell of
	open  uint64   // 1 while a run goes on there
	edges []uint32 // where runs begin and where they end, by turns
	room  [edgesOf + 2]uint32
	words []cutWord // found last
	spent []cutWord // found before them
}

// edgesOf is of how many bytes edges are found at once, a multiple of 64.
const edgesOf = 1 << 10

func (c *cutter) begin(text string) {
	c.text, c.start, c.end = text, 0, 0
	c.read, c.open, c.edges = 0, 0, nil
	if c.words == nil {
		c.words, c.spent = make([]cutWord, 0, cutAtOnce), make([]cutWord, 0, cutAtOnce)
	}
}

// next returns the next words, none at the end of the text. They are good until
// the second call from here.
func (c *cutter) next() []cutWord {
	c.words, c.spent = c.spent[:0], c.words
	for len(c.words) < cutAtOnce && (len(c.edges) >= 2 || c.more()) {
		if c.plain(); len(c.edges) >= 2 && len(c.words) < cutAtOnce {
			start, end := int(c.edges[0]), int(c.edges[1])
			if c.edges = c.edges[2:]; end > c.end {
				c.others(max(start, c.end), end)
			}
		}
	}
	return c.words
}

// plain takes plain words up to a run that is none.
func (c *cutter) plain() {
	text, edges := c.text, c.edges
	words, n := c.words[:cutAtOnce], len(c.words)
	i := 0
	for ; i+1 < len(edges) && n < len(words); i += 2 {
		start, end := int(edges[i]), int(edges[i+1])
		size := uint(end - start)
		if start < c.end || size > wordBytes || start > len(text)-wordBytes-2 {
			break
		}
		b, mask := text[start:start+wordBytes+2], &wordMask[size]
		lo, hi := load(b)&mask.lo, load(b[8:])&mask.hi
		if (lo|hi)&beyondASCII != 0 {
			break
		}
		if f := follows[b[size]]; f != 0 && (f == sign && size <= 2 || f == connector && classes[b[size+1]] != 0) {
			break
		}
		w := &words[n]
		w.lo, w.hi, w.start, w.end, w.flags = lo, hi, uint32(start), uint32(end), 0
		n++
	}
	c.edges, c.words = edges[i:], words[:n]
}

// wordMask has the bits of the first bytes of a word.
var wordMask = func() (masks [wordBytes + 1]struct{ lo, hi uint64 }) {
	for n := range masks {
		masks[n].lo = 1<<(8*min(n, 8)) - 1
		masks[n].hi = 1<<(8*max(n-8, 0)) - 1
	}
	return masks
}()

// follows tells of the bytes with which a word may go on after a run.
var follows = func() (t [256]uint8) {
	for c := range t {
		if classes[c] == joined {
			t[c] = connector
		}
	}
	t['+'], t['#'] = sign, sign
	return t
}()

const (
	connector = 1 + iota
	sign      // of c++ and f#
)

// others appends the words that the scanner finds to begin in text[from:to].
func (c *cutter) others(from, to int) {
	for c.end = from; c.end < to && c.scanner.next(); {
		if c.start >= to {
			c.end = to
			break
		}
		w := cutWord{start: uint32(c.start), end: uint32(c.end), flags: c.flags}
		if c.flags&scriptRun == 0 {
			w.lo, w.hi = wordKey(c.text, c.start, c.end)
		}
		c.words = append(c.words, w)
	}
}

// more finds edges until there are two; false where there are no more.
func (c *cutter) more() bool {
	text, n := c.text, copy(c.room[:], c.edges)
	for n < 2 && c.read < len(text) {
		for range edgesOf / 64 {
			if c.read >= len(text) {
				break
			}
			in := c.runs()
			edges := in ^ (in<<1 | c.open)
			c.open = in >> 63
			for ; edges != 0; edges &= edges - 1 {
				c.room[n] = uint32(c.read + bits.TrailingZeros64(edges))
				n++
			}
			c.read += 64
		}
	}
	if c.open == 1 && c.read >= len(text) {
		c.room[n], c.open = uint32(len(text)), 0
		n++
	}
	c.edges = c.room[:n]
	return n >= 2
}

// runs has a bit for each of the next 64 bytes that is part of a run.
func (c *cutter) runs() (in uint64) {
	b := c.text[c.read:]
	if len(b) < 64 {
		for i := range len(b) {
			if classes[b[i]]&(alnum|wide) != 0 {
				in |= 1 << i
			}
		}
		return in
	}
	_ = b[63]
	for i := 0; i < 64; i += 8 {
		in |= runsOf(load(b[i:])) << i
	}
	return in
}

const (
	eachByte    = 0x0101010101010101
	beyondASCII = 0x80 * eachByte
)

// runsOf has a bit for each of eight bytes that is a letter, a digit or beyond
// ASCII: sums reach the upper bit from the first byte of a range on, or past its
// last.
func runsOf(v uint64) uint64 {
	c := v &^ beyondASCII
	l := c | 0x20*eachByte
	in := (l+(0x80-'a')*eachByte)&^(l+(0x7F-'z')*eachByte) | (c+(0x80-'0')*eachByte)&^(c+(0x7F-'9')*eachByte) | v
	return (in & beyondASCII >> 7) * 0x0102040810204080 >> 56
}
