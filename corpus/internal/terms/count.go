package terms

import (
	"slices"

	"github.com/hansard-search/hansard/corpus/internal/prefetch"
)

// A Count says how often the term with a number stands in texts.
type Count = struct {
	Number uint32
	Count  uint32
}

// A Mark is a word of ASCII letters and digits at a place of texts. The word is the
// same wherever the number is, until another Vocabulary begins.
type Mark = struct {
	Start  uint32
	Size   uint32
	Number uint32
}

// maxMarks bounds the marks of a tally, and with it their memory: those of a megabyte
// of text. Behind them no word has one.
const maxMarks = 1 << 18

// A Tally is what was counted of texts. Its parts grow.
type Tally struct {
	Counts []Count // each term once
	Marks  []Mark  // most of the first words, in their order; texts count as one
}

// Count calls each once for every different term of text with the number of
// times it stands there, and returns the number of words in text: exact forms and
// parts of compounds are not counted. The strings that each gets may be kept; each
// must not use a.
func (a *Analyzer) Count(text string, each func(term string, count uint32)) (length uint32) {
	a.begin()
	a.marks = a.marks[:0]
	length = a.count(text, 0)
	for _, number := range a.seen {
		each(a.lex.vocabulary.text(number), a.counts[number].count)
	}
	return length
}

// CountAll is Count for several texts as if they were one, and adds each term by
// its number in v to a tally. Numbers begin at 1 and are not much above the number
// of terms that a remembers; from time to time another v begins, with other numbers.
func (a *Analyzer) CountAll(texts []string, t *Tally) (length uint32, v *Vocabulary) {
	a.begin()
	a.marks = t.Marks
	at := 0
	for _, text := range texts {
		length += a.count(text, at)
		at += len(text)
	}
	t.Marks, a.marks = a.marks, nil
	for _, number := range a.seen {
		t.Counts = append(t.Counts, Count{number, a.counts[number].count})
	}
	return length, a.lex.vocabulary
}

// An occurred says which text held a term last, and how often it did.
type occurred struct{ text, count uint32 }

// begin starts counting other texts.
func (a *Analyzer) begin() {
	a.lex.begin()
	a.seen = a.seen[:0]
	a.text++
	if a.text == 0 { // wrapped: counts of the first texts would go on
		clear(a.counts)
		a.text = 1
	}
}

// count adds the terms of a text to those that were counted since begin, and its
// words to the marks, as those of a text at a place.
func (a *Analyzer) count(text string, at int) (length uint32) {
	c := &a.cut
	c.begin(text)
	words := c.next()
	a.lex.fetch(words)
	for len(words) > 0 {
		more := c.next()
		a.lex.fetch(more)
		length += a.countWords(text, words, at)
		words = more
	}
	a.addAll()
	return length
}

func (a *Analyzer) countWords(text string, words []cutWord, at int) (length uint32) {
	terms, n := slices.Grow(a.spent[:0], 2*len(words))[:2*len(words)], 0
	for i := range words {
		w := &words[i]
		if w.flags&scriptRun != 0 {
			length += a.countRun(text[w.start:w.end])
			continue
		}
		length++
		s := a.lex.word(text, w)
		terms[n], terms[n+1] = s.stem, s.exact
		if n++; s.exact != 0 {
			n++
		}
		if s.parts {
			a.addParts(a.lex.of(s))
		}
		if w.flags == 0 && s.entry != 0 {
			a.marks = append(a.marks, Mark{uint32(at) + w.start, w.end - w.start, s.entry})
		}
	}
	if len(a.marks) > maxMarks {
		a.marks = a.marks[:maxMarks]
	}
	a.grow()
	prefetch.Rows(a.counts, terms[:n])
	a.addAll()
	a.found, a.spent = terms[:n], a.found
	return length
}

// addAll adds the terms that were found. No processor foresees whether a text had a
// term before, so no branch asks.
func (a *Analyzer) addAll() {
	numbers := a.found
	a.found = numbers[:0]
	counts, text := a.counts, a.text
	seen := slices.Grow(a.seen, len(numbers))
	seen, n := seen[:len(seen)+len(numbers)], len(seen)
	for _, number := range numbers {
		c := &counts[number]
		first := uint32(0)
		if c.text != text {
			first = 1
		}
		c.text, c.count = text, c.count&(first-1)+1
		seen[n] = number
		n += int(first)
	}
	a.seen = seen[:n]
}

// grow makes room for the counts of all terms.
func (a *Analyzer) grow() {
	if n := len(a.lex.vocabulary.places) - len(a.counts); n > 0 {
		a.counts = append(a.counts, make([]occurred, n)...)
	}
}

func (a *Analyzer) add(number uint32) {
	a.grow()
	c := &a.counts[number]
	if c.text != a.text {
		*c = occurred{text: a.text}
		a.seen = append(a.seen, number)
	}
	c.count++
}

func (a *Analyzer) addParts(e *entry) {
	for _, p := range a.lex.parts(e) {
		a.add(p.stem)
		if p.exact != 0 {
			a.add(p.exact)
		}
	}
}

func (a *Analyzer) countRun(run string) (pairs uint32) {
	a.pairs(run, func(e *entry, pos, start int) bool {
		a.add(e.whole.stem)
		if e.whole.kind != Part {
			pairs++
		}
		return true
	})
	return pairs
}
