package shard

import (
	"cmp"
	"encoding/binary"
	"slices"
)

// wordSample is how many bytes of blocks are held back until the common words
// are known; wordsFrom, at how many it is worth while: below it, the words take
// what they save, and the 2 ms that learning takes are much of a merge.
const (
	wordSample = 512 << 10
	wordsFrom  = 64 << 10
)

// A wordWriter gives numbers to the words of a shard's passages, and packs them.
// Blocks wait here until there are enough to learn from. Words that come up only
// later get a number when they come the second time.
type wordWriter struct {
	held    []heldBlock
	size    int  // bytes held
	settled bool // nothing is held any more
	learned bool // there are numbers

	table wordTable
	text  []byte // of all words, in the order of their numbers
	sizes []byte // of each
	once  []uint32
	buf   []byte
}

// A heldBlock is a block that is not yet packed.
type heldBlock struct {
	s           *streamWriter
	first, docs uint32
	raw         []byte
}

// hold keeps a copy of a block until it can be packed.
func (w *wordWriter) hold(b heldBlock) error {
	b.raw = slices.Clone(b.raw)
	w.held = append(w.held, b)
	if w.size += len(b.raw); w.size >= wordSample {
		return w.settle()
	}
	return nil
}

// settle learns from what is held, if it is enough, and writes it.
func (w *wordWriter) settle() error {
	if w.settled {
		return nil
	}
	w.settled = true
	if w.size >= wordsFrom {
		w.learn()
	}
	held := w.held
	w.held, w.size = nil, 0
	for _, b := range held {
		if err := b.s.write(b.first, b.docs, b.raw); err != nil {
			return err
		}
	}
	return nil
}

// onceBits is the size of the memory for words that came once, as hashes: about
// as many as come up between two of a word that is worth a number.
const onceBits = 16

// learn numbers the words of what is held, the most common first, leaving out
// those that take more space themselves than their numbers save.
func (w *wordWriter) learn() {
	w.learned = true
	w.once = make([]uint32, 1<<onceBits)
	seen := wordTable{slots: make([]wordSlot, 1<<14)}
	for _, b := range w.held {
		for text := afterHeads(b.raw, b.docs); len(text) > 0; {
			n := wordEnd(text)
			k := keyOf(text, n)
			switch s := seen.at(k, k.hash()); {
			case s == nil:
			case s.n == 0:
				seen.put(s, k, 1)
			default:
				s.n++
			}
			text = text[n:]
		}
	}
	again := slices.DeleteFunc(seen.slots, func(s wordSlot) bool { return s.n < 2 })
	slices.SortFunc(again, func(a, b wordSlot) int {
		return cmp.Or(cmp.Compare(b.n, a.n), cmp.Compare(a.key.hi, b.key.hi), cmp.Compare(a.key.lo, b.key.lo))
	})
	w.table.slots = make([]wordSlot, 1<<14)
	for _, s := range again {
		// Without a number it ends a run of such, or makes one longer by itself.
		whole := s.key.len() + 1
		if int(s.n)*(whole-w.nextSize()) > whole {
			w.number(s.key, w.table.at(s.key, s.key.hash()))
		}
	}
}

// nextSize is how many bytes the next number takes.
func (w *wordWriter) nextSize() int {
	switch n := len(w.sizes); {
	case n < wordTwo:
		return 1
	case n < wordThree:
		return 2
	}
	return 3
}

// number gives the next number to a word whose slot is free, if there is one
// left, and returns it and one.
func (w *wordWriter) number(k wordKey, s *wordSlot) uint32 {
	if s == nil || len(w.sizes) == maxWords {
		return 0
	}
	w.text = k.append(w.text)
	w.sizes = append(w.sizes, byte(k.len()))
	n := uint32(len(w.sizes))
	w.table.put(s, k, n)
	return n
}

// pack appends the packed form of a text.
func (w *wordWriter) pack(dst, text []byte) []byte {
	asIs := 0 // begin of what has no number
	for i := 0; i < len(text); {
		n := wordEnd(text[i:])
		if v := w.find(keyOf(text[i:], n)); v > 0 {
			dst = appendAsIs(dst, text[asIs:i])
			dst = appendWord(dst, v-1)
			asIs = i + n
		}
		i += n
	}
	return appendAsIs(dst, text[asIs:])
}

// find returns the number of a word and one, or 0. A word that comes the second
// time gets its number.
func (w *wordWriter) find(k wordKey) uint32 {
	hash := k.hash()
	s := w.table.at(k, hash)
	if s == nil {
		return 0
	}
	if s.n > 0 || k.len() <= w.nextSize() {
		return s.n
	}
	if once := &w.once[hash>>(64-onceBits)]; *once != uint32(hash) {
		*once = uint32(hash)
		return 0
	}
	return w.number(k, s)
}

func appendWord(b []byte, v uint32) []byte {
	switch {
	case v < wordTwo:
		return append(b, byte(v))
	case v < wordThree:
		v -= wordTwo
		return append(b, byte(wordTwo+v>>8), byte(v))
	}
	v -= wordThree
	return append(b, byteThree, byte(v>>8), byte(v))
}

func appendAsIs(b, text []byte) []byte {
	switch n := len(text); {
	case n == 0:
		return b
	case n <= maxAsIs:
		b = append(b, byte(byteAsIs+n-1))
	default:
		b = binary.AppendUvarint(append(b, byteLong), uint64(n))
	}
	return append(b, text...)
}

// appendBlock packs the documents of a block, which follow their lengths in raw.
func (w *wordWriter) appendBlock(b, raw []byte, docs uint32) []byte {
	heads, rest := cursor{b: raw}, afterHeads(raw, docs)
	w.buf = w.buf[:0]
	for range docs {
		n := heads.uvarint()
		before := len(w.buf)
		w.buf = w.pack(w.buf, rest[:n])
		rest = rest[n:]
		b = binary.AppendUvarint(b, n)
		b = binary.AppendUvarint(b, uint64(len(w.buf)-before))
	}
	return append(b, w.buf...)
}

// afterHeads is a block that this program made, without the lengths.
func afterHeads(raw []byte, docs uint32) []byte {
	c := cursor{b: raw}
	for range docs {
		c.uvarint()
	}
	return c.b
}

// section is the words, as they are stored; nil when there are none.
func (w *wordWriter) section() []byte {
	if len(w.sizes) == 0 {
		return nil
	}
	b := binary.LittleEndian.AppendUint32(nil, uint32(len(w.sizes)))
	b = append(append(b, w.sizes...), w.text...)
	return append(b, make([]byte, wordRoom)...)
}

// memory is about how many bytes of memory it takes.
func (w *wordWriter) memory() int64 {
	const slot = 24
	return int64(w.size+cap(w.text)+cap(w.sizes)+4*len(w.once)) + slot*int64(len(w.table.slots))
}
