package shard

// markedWords knows the numbers of words that have marks, so that none of them is
// cut and looked for again.
type markedWords struct {
	vocabulary Vocabulary  // of marks
	numbers    []uint32    // by the mark's number, doubled, plus one with a space before: the word's and one
	singles    [256]uint32 // likewise, of words of one byte
}

// maxMarked bounds the memory of numbers. Larger ones are looked for as unmarked
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
		clear(m.numbers)
	}
}

// fits reports whether there is room for the number of a mark, and makes it.
func (m *markedWords) fits(number uint32) bool {
	if number >= maxMarked {
		return false
	}
	if n := int(2*number) + 2; n > len(m.numbers) {
		m.numbers = append(m.numbers, make([]uint32, max(n, 1<<12, 2*len(m.numbers))-len(m.numbers))...)
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
	asIs, done := 0, 0 // begin of what has no number, and of what was not looked at
	for _, part := range in {
		if len(part.marks) > 0 {
			w.marks.begin(part.vocabulary)
		}
		for _, m := range part.marks {
			start := part.at + int(m.Start)
			end, with := start+int(m.Size), 2*int(m.Number)
			if start > done && text[start-1] == ' ' {
				start--
				with++
			}
			if end-start > maxWord || m.Number == 0 || with >= len(w.marks.numbers) && !w.marks.fits(m.Number) {
				continue
			}
			if done < start {
				dst, asIs = w.packBetween(dst, text, asIs, done, start)
			}
			v := w.marks.numbers[with]
			if v == 0 {
				v = w.find(keyOf(text[start:], end-start))
				w.marks.numbers[with] = v
			}
			if v > 0 {
				if asIs < start {
					dst = appendAsIs(dst, text[asIs:start])
				}
				dst = appendWord(dst, v-1)
				asIs = end
			}
			done = end
		}
	}
	dst, asIs = w.packBetween(dst, text, asIs, done, len(text))
	return appendAsIs(dst, text[asIs:])
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
