package terms

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
	read  int      // that edges tell of, in bytes
	open  uint64   // 1 while a run goes on there
	edges []uint32 // where runs begin and where they end, by turns
	room  [edgesOf + 2 + edgesRoom]uint32
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
		some, found := text[c.read:min(c.read+edgesOf, len(text))], 0
		found, c.open = edges(some, uint32(c.read), c.open, c.room[n:])
		n, c.read = n+found, c.read+len(some)
	}
	if c.open == 1 && c.read >= len(text) {
		c.room[n], c.open = uint32(len(text)), 0
		n++
	}
	c.edges = c.room[:n]
	return n >= 2
}
