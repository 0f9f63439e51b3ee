package terms

import (
	"unicode"
	"unicode/utf8"
)

// What a rune beyond ASCII is in a text.
const (
	runeUnknown uint8 = iota // not looked at yet
	runeOther                // divides words
	runeLetter
	runeDigit
	runeMark   // goes on with the letter before it
	runeJoiner // connects as an ASCII hyphen or apostrophe does
	runePaired // of a script without spaces
	runeHan    // the same, and a word by itself
)

// runeClasses remembers what runes of the first plane are, a page at a time:
// asking the tables of package unicode for each rune is most of the time that
// such a text takes. The zero value is ready.
type runeClasses struct {
	pages [256]*[256]uint8
}

func (c *runeClasses) class(r rune) uint8 {
	if r > 0xFFFF || r < 0 {
		return classOf(r)
	}
	p := c.pages[r>>8]
	if p == nil {
		p = new([256]uint8)
		c.pages[r>>8] = p
	}
	if k := p[r&0xFF]; k != runeUnknown {
		return k
	}
	k := classOf(r)
	p[r&0xFF] = k
	return k
}

func classOf(r rune) uint8 {
	switch {
	case r == utf8.RuneError:
		return runeOther
	case r == '\u2019' || r == '\u2010' || r == '\u2011': // apostrophe, hyphens
		return runeJoiner
	case r == '\u00AD' || r == '\u200C' || r == '\u200D': // soft hyphen, joiners
		return runeMark
	case unicode.Is(unicode.Han, r) && unicode.IsLetter(r):
		return runeHan
	case unicode.In(r, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Bopomofo,
		unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar) && unicode.IsLetter(r),
		r == '\u30FC' || 0xFF66 <= r && r <= 0xFF9F: // length mark, half-width kana
		return runePaired
	case unicode.IsLetter(r):
		return runeLetter
	case unicode.IsDigit(r):
		return runeDigit
	case unicode.IsMark(r):
		return runeMark
	}
	return runeOther
}

// characters calls yield with the bounds of each character of a run: a rune
// with the marks that follow it.
func (c *runeClasses) characters(run string, yield func(start, end int) bool) {
	start := 0
	for i, r := range run {
		if i > 0 && c.class(r) != runeMark {
			if !yield(start, i) {
				return
			}
			start = i
		}
	}
	if run != "" {
		yield(start, len(run))
	}
}

// pairs calls yield for the pairs of a run, each followed by its first
// character where that is Han, with their place in the run and the byte where
// they begin; it returns the number of characters.
func (a *Analyzer) pairs(run string, yield func(e *entry, pos, start int) bool) (n int) {
	start, end, more := 0, 0, true // of the character before
	a.scan.runes.characters(run, func(s, e int) bool {
		if n > 0 {
			more = yield(a.lex.pair(run[start:e], Bigram), n-1, start) && a.single(run[start:end], n-1, start, yield)
		}
		start, end = s, e
		n++
		return more
	})
	switch {
	case n == 1:
		yield(a.lex.pair(run, Word), 0, 0)
	case more:
		a.single(run[start:end], n-1, start, yield)
	}
	return n
}

// single yields a character that may be asked for alone.
func (a *Analyzer) single(c string, pos, start int, yield func(e *entry, pos, start int) bool) bool {
	if r, _ := utf8.DecodeRuneInString(c); a.scan.runes.class(r) != runeHan {
		return true
	}
	return yield(a.lex.pair(c, Part), pos, start)
}

// lastPair returns the last pair of a run, or its only character.
func lastPair(run string) string {
	var c runeClasses
	last, before := 0, 0
	c.characters(run, func(start, end int) bool {
		before, last = last, start
		return true
	})
	return run[before:]
}
