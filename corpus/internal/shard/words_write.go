package shard

import (
	"cmp"
	"encoding/binary"
	"slices"
)

// wordSample is how many bytes of blocks are held back until the common words
// are known. Four times as many make shards of real sessions 1 or 2 % smaller, but
// what is held is cut into words twice, in a short run at its very end. wordsFrom
// is at how many it is worth while: below it, the words take what they save, and
// the 2 ms that learning takes are much of a merge.
const (
	wordSample = 128 << 10
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
	once  []uint32
	buf   []byte
	marks markedWords
}

// A heldBlock is a block that is not yet packed.
type heldBlock struct {
	s           *streamWriter
	first, docs uint32
	raw         []byte
}

// hold keeps a block until it can be packed, of usual size as a copy.
func (w *wordWriter) hold(b heldBlock) error {
	if cap(b.raw) <= unusual {
		b.raw = slices.Clone(b.raw)
	}
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
	for i, b := range held {
		if err := b.s.write(b.first, b.docs, b.raw); err != nil {
			return err
		}
		held[i].raw = nil
	}
	return nil
}

// any reports whether there are words with numbers to pack with.
func (w *wordWriter) any() bool { return len(w.table.keys) > 0 }

// onceBits is the size of the memory for words that came once, as hashes: about
// as many as come up between two of a word that is worth a number.
const onceBits = 16

// learn numbers the words of what is held, the most common first, leaving out
// those that take more space themselves than their numbers save.
func (w *wordWriter) learn() {
	w.learned = true
	if w.once == nil {
		w.once = make([]uint32, 1<<onceBits)
	}
	var seen wordTable
	var counts []uint32
	for _, b := range w.held {
		for text := afterHeads(b.raw, b.docs); len(text) > 0; {
			k := keyOf(text, wordEnd(text))
			hash := k.hash()
			if n := seen.find(k, hash); n > 0 {
				counts[n-1]++
			} else if seen.add(k, hash) > 0 {
				counts = append(counts, 1)
			}
			text = text[k.len():]
		}
	}
	order := make([]uint32, len(counts))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortStableFunc(order, func(a, b uint32) int { return cmp.Compare(counts[b], counts[a]) })
	for _, i := range order {
		// Without a number it ends a run of such, or makes one longer by itself.
		k := seen.keys[i]
		whole := k.len() + 1
		if int(counts[i])*(whole-w.nextSize()) > whole {
			w.table.add(k, k.hash())
		}
	}
}

// nextSize is how many bytes the next number takes.
func (w *wordWriter) nextSize() int {
	switch n := len(w.table.keys); {
	case n < wordTwo:
		return 1
	case n < wordThree:
		return 2
	}
	return 3
}

// packAtOnce is how many words are cut before they are looked up: what is not in
// the processor's cache is then waited for together.
const packAtOnce = 64

// pack appends the packed form of a text.
func (w *wordWriter) pack(dst, text []byte) []byte {
	dst, asIs := w.packRun(dst, text, 0, 0, len(text))
	return appendAsIs(dst, text[asIs:])
}

// packRun packs text[from:to], and before it what has no number from asIs on. Where
// what has no number begins at the end it returns.
func (w *wordWriter) packRun(dst, text []byte, asIs, from, to int) (b []byte, rest int) {
	var keys [packAtOnce]wordKey
	var numbers [packAtOnce]uint32
	for from < to {
		n := 0
		for at := from; n < packAtOnce && at < to; n++ {
			keys[n] = keyOf(text[at:], wordEnd(text[at:to]))
			at += keys[n].len()
		}
		for j, k := range keys[:n] {
			numbers[j] = w.find(k)
		}
		for j, k := range keys[:n] {
			end := from + k.len()
			if v := numbers[j]; v > 0 {
				if asIs < from {
					dst = appendAsIs(dst, text[asIs:from])
				}
				dst = appendWord(dst, v-1)
				asIs = end
			}
			from = end
		}
	}
	return dst, asIs
}

// find returns the number of a word and one, or 0. A word that comes the second
// time gets its number.
func (w *wordWriter) find(k wordKey) uint32 {
	hash := k.hash()
	if n := w.table.find(k, hash); n > 0 || k.len() <= w.nextSize() {
		return n
	}
	if once := &w.once[hash>>(64-onceBits)]; *once != uint32(hash) {
		*once = uint32(hash)
		return 0
	}
	return w.table.add(k, hash)
}

func appendWord(b []byte, v uint32) []byte {
	if v >= wordThree {
		v -= wordThree
		return append(b, byteThree, byte(v>>8), byte(v))
	}
	// Both sizes are so common that a branch would be foreseen badly.
	two := (wordTwo - 1 - v) >> 31
	high := wordTwo + (v-wordTwo)>>8
	return append(b, byte(v+two*(high-v)), byte(v-wordTwo))[:len(b)+1+int(two)]
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
	b = append(b, w.buf...)
	w.buf = usual(w.buf)
	return b
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
	keys := w.table.keys
	if len(keys) == 0 {
		return nil
	}
	b := binary.LittleEndian.AppendUint32(nil, uint32(len(keys)))
	for _, k := range keys {
		b = append(b, byte(k.len()))
	}
	for _, k := range keys {
		b = k.append(b)
	}
	return append(b, make([]byte, wordRoom)...)
}

// memory is about how many bytes of memory it takes.
func (w *wordWriter) memory() int64 {
	return int64(w.size + 16*cap(w.table.keys) + 4*cap(w.table.slots) + 4*cap(w.once) + 4*cap(w.marks.packed))
}
