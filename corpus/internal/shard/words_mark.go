package shard

import (
	"encoding/binary"
	"slices"

	"github.com/hansard-search/hansard/corpus/internal/prefetch"
)

// markedWords knows the numbers of words that have marks, so that none of them is
// cut and looked for again.
type markedWords struct {
	vocabulary Vocabulary   // of marks
	packed     []packedWord // by the mark's number, doubled, plus one with a space before; 0: not known
	singles    [256]uint32  // numbers and one of words of one byte; 0: not known
}

// maxMarked bounds the memory of packed. Larger ones are looked for as unmarked
// words are.
const maxMarked = 1 << 17

// A marking tells the words of a part of a document.
type marking struct {
	at         int // where in the document Start is counted from
	vocabulary Vocabulary
	marks      []Mark
}

// begin takes marks of another vocabulary.
func (m *markedWords) begin(v Vocabulary) {
	if m.vocabulary != v {
		m.vocabulary = v
		clear(m.packed)
	}
}

// fits reports whether there is room for the number of a mark, and makes it.
func (m *markedWords) fits(number uint32) bool {
	if number >= maxMarked {
		return false
	}
	if n := int(2*number) + 2; n > len(m.packed) {
		m.packed = append(m.packed, make([]packedWord, max(n, 1<<12, 2*len(m.packed))-len(m.packed))...)
	}
	return true
}

// single is find for the first byte of text.
func (w *wordWriter) single(text []byte) uint32 {
	v := &w.marks.singles[text[0]]
	if *v == 0 {
		*v = w.find(keyOf(text, 1))
	}
	return *v
}

// packMarked is pack for a document of which words are marked.
func (w *wordWriter) packMarked(dst, text []byte, in []marking) []byte {
	at := packing{text: text}
	for _, part := range in {
		if len(part.marks) > 0 {
			w.marks.begin(part.vocabulary)
		}
		w.fetch(part.marks)
		for marks := part.marks; len(marks) > 0; {
			n := min(len(marks), packAtOnce)
			w.fetch(marks[n:])
			dst = w.packMarks(dst, &at, part.at, marks[:n])
			marks = marks[n:]
		}
	}
	dst, rest := w.packBetween(dst, text, at.asIs, at.done, len(text))
	return appendAsIs(dst, text[rest:])
}

// fetch brings what stands for the next marked words into the processor's cache.
func (w *wordWriter) fetch(marks []Mark) {
	var at [packAtOnce]uint32
	words, n := w.marks.packed, 0
	for i := range marks[:min(len(marks), packAtOnce)] {
		if with := 2 * marks[i].Number; int(with) < len(words) {
			at[n] = with
			n++
		}
	}
	prefetch.Rows(words, at[:n])
}

// A packing is how far a document is packed.
type packing struct {
	text []byte
	asIs int // where what has no number begins
	done int // where what was not looked at begins
}

// packMarks packs up to the last of at most packAtOnce marks. What stands for the
// words is loaded before any is used: what is not in the processor's cache is then
// waited for together.
func (w *wordWriter) packMarks(dst []byte, p *packing, at int, marks []Mark) []byte {
	var starts [packAtOnce]int
	var packed [packAtOnce]packedWord
	var unknown [packAtOnce]uint32 // where in the table words begin to be looked for
	words, mask, n := w.marks.packed, uint32(len(w.table.slots)-1), 0
	for j := range marks {
		m := &marks[j]
		start, with := at+int(m.Start), 2*int(m.Number)
		if start > 0 && p.text[start-1] == ' ' {
			start--
			with++
		}
		starts[j] = start
		if with < len(words) {
			packed[j] = words[with]
		}
		if packed[j] == 0 && m.Size < maxWord {
			k := keyOf(p.text[start:], at+int(m.Start+m.Size)-start)
			unknown[n] = uint32(k.hash()) & mask
			n++
		}
	}
	prefetch.Rows(w.table.slots, unknown[:n])
	dst = slices.Grow(dst, 4*packAtOnce)
	for j := range marks {
		m, start, v := &marks[j], starts[j], packed[j]
		end := at + int(m.Start+m.Size)
		if v == 0 || start != p.asIs {
			dst = w.packMark(dst, p, m, start, end)
			continue
		}
		n := len(dst)
		binary.LittleEndian.PutUint32(dst[n:n+4], uint32(v))
		dst = dst[:n+v.size()]
		p.asIs, p.done = end, end
	}
	return dst
}

// packMark packs up to the end of a marked word. It leaves the room in dst that
// packMarks made.
func (w *wordWriter) packMark(dst []byte, p *packing, m *Mark, start, end int) []byte {
	if start < p.done { // after a mark without a space before it
		start++
	}
	with := 2*int(m.Number) + end - start - int(m.Size)
	if end-start > maxWord || m.Number == 0 || with >= len(w.marks.packed) && !w.marks.fits(m.Number) {
		return dst
	}
	if p.done < start {
		dst, p.asIs = w.packBetween(dst, p.text, p.asIs, p.done, start)
	}
	v := w.marks.packed[with]
	if v == 0 {
		if n := w.find(keyOf(p.text[start:], end-start)); n > 0 {
			v = newPackedWord(n-1, end-start)
			w.marks.packed[with] = v
		}
	}
	if v > 0 {
		dst = appendAsIs(dst, p.text[p.asIs:start])
		n := len(dst)
		dst = binary.LittleEndian.AppendUint32(dst, uint32(v))[:n+v.size()]
		p.asIs = end
	}
	p.done = end
	return slices.Grow(dst, 4*packAtOnce)
}

// packBetween is packRun for what is short, most of the time.
func (w *wordWriter) packBetween(dst, text []byte, asIs, from, to int) (b []byte, rest int) {
	if to-from >= packAtOnce {
		return w.packRun(dst, text, asIs, from, to)
	}
	for from < to {
		n, v := 1, uint32(0)
		if to-from == 1 {
			v = w.single(text[from:])
		} else {
			n = wordEnd(text[from:to])
			v = w.find(keyOf(text[from:], n))
		}
		if v > 0 {
			dst = appendAsIs(dst, text[asIs:from])
			dst = appendWord(dst, v-1)
			asIs = from + n
		}
		from += n
	}
	return dst, asIs
}
