package terms

import (
	"unicode/utf8"
)

// What the scanner saw in a word. The first four are also classes of bytes.
const (
	lower uint8 = 1 << iota
	upper
	digit
	wide      // holds bytes beyond ASCII
	joined    // holds a connector: _ - . '
	scriptRun // a run of a script without spaces, and nothing else
	blob      // encoded data: never taken apart
	signed    // ends in signs that are part of a name: c++, f#
)

const alnum = lower | upper | digit

// classes tells what a byte is in a text: lower, upper, digit, wide, joined (a
// connector), or 0 for what divides words.
var classes = func() (t [256]uint8) {
	for c := range t {
		switch {
		case 'a' <= c && c <= 'z':
			t[c] = lower
		case 'A' <= c && c <= 'Z':
			t[c] = upper
		case '0' <= c && c <= '9':
			t[c] = digit
		case c >= utf8.RuneSelf:
			t[c] = wide
		case c == '_' || c == '-' || c == '.' || c == '\'':
			t[c] = joined
		}
	}
	return t
}()

const (
	// joinLimit ends a chain of connected words, so that a megabyte of them is
	// not one word. Names of files and slugs are shorter.
	joinLimit = 128
	// blobWord and blobRun tell encoded data from names: that much without a
	// connector, in a stretch of base64 that long.
	blobWord, blobRun = 24, 64
)

// A scanner finds the words of a text: letters and digits, connected by single
// signs as in identifiers. Bytes that are not UTF-8 divide words.
type scanner struct {
	text       string
	start, end int   // of the word that next found
	flags      uint8 // what is in it
	runes      runeClasses
}

// next finds the next word; false at the end of the text.
func (s *scanner) next() bool {
	text, i := s.text, s.end
	for i < len(text) {
		c := classes[text[i]]
		if c&alnum != 0 {
			s.word(i)
			return true
		}
		if c&wide == 0 {
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(text[i:])
		switch s.runes.class(r) {
		case runeLetter, runeDigit:
			s.word(i)
			return true
		case runePaired, runeHan:
			s.run(i)
			return true
		}
		i += n
	}
	s.start, s.end = len(text), len(text)
	return false
}

// word takes the word that begins at i.
func (s *scanner) word(i int) {
	text := s.text
	s.start = i
	var flags uint8
	for {
		c := uint8(0)
		for ; i < len(text); i++ {
			if c = classes[text[i]]; c&alnum == 0 {
				break
			}
			flags |= c
		}
		if c&(joined|wide) == 0 { // the end, most of the time
			break
		}
		next, f := s.goOn(i)
		if next == i {
			break
		}
		flags |= f
		i = next
	}
	s.end, s.flags = i, flags
	if i < len(text) && i-s.start <= 2 && (text[i] == '+' || text[i] == '#') {
		s.sign()
	}
	if i-s.start >= blobWord && flags&joined == 0 && flags&alnum == alnum {
		s.blob()
	}
}

// goOn returns where a word that came to i, which is no ASCII letter or digit,
// goes on; i when it ends there.
func (s *scanner) goOn(i int) (next int, flags uint8) {
	if i == len(s.text) {
		return i, 0
	}
	switch classes[s.text[i]] {
	case joined:
		next = i + 1
		for s.text[i] == '_' && next < len(s.text) && s.text[next] == '_' {
			next++
		}
	case wide:
		r, n := utf8.DecodeRuneInString(s.text[i:])
		switch s.runes.class(r) {
		case runeLetter, runeMark:
			return i + n, wide
		case runeDigit:
			return i + n, wide | digit
		case runeJoiner:
			next, flags = i+n, wide
		default:
			return i, 0
		}
	default:
		return i, 0
	}
	if i-s.start > joinLimit || !s.begins(next) {
		return i, 0
	}
	return next, flags | joined
}

// begins reports whether a word can go on at i after a connector.
func (s *scanner) begins(i int) bool {
	if i >= len(s.text) {
		return false
	}
	if c := classes[s.text[i]]; c != wide {
		return c&alnum != 0
	}
	r, _ := utf8.DecodeRuneInString(s.text[i:])
	c := s.runes.class(r)
	return c == runeLetter || c == runeDigit
}

// sign takes the signs of c++ and f# into the word.
func (s *scanner) sign() {
	if s.flags&^(lower|upper) != 0 {
		return
	}
	end := s.end + 1
	if s.text[s.end] == '+' {
		if end == len(s.text) || s.text[end] != '+' {
			return
		}
		end++
	}
	if end < len(s.text) && classes[s.text[end]]&(alnum|wide) != 0 {
		return
	}
	s.end, s.flags = end, s.flags|signed
}

// blob takes the whole stretch when the word is in the midst of encoded data.
func (s *scanner) blob() {
	i := s.end
	for i < len(s.text) {
		c := s.text[i]
		if classes[c]&alnum == 0 && c != '+' && c != '/' && c != '=' && c != '_' && c != '-' {
			break
		}
		i++
	}
	if i-s.start >= blobRun {
		s.end, s.flags = i, s.flags|blob
	}
}

// run takes the run of paired characters, with their marks, that begins at i.
func (s *scanner) run(i int) {
	s.start, s.flags = i, scriptRun|wide
	for i < len(s.text) && s.text[i] >= utf8.RuneSelf {
		r, n := utf8.DecodeRuneInString(s.text[i:])
		if c := s.runes.class(r); c != runePaired && c != runeHan && c != runeMark {
			break
		}
		i += n
	}
	s.end = i
}
