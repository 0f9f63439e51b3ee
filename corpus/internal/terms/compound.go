package terms

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A node is a part of a compound: a stretch of it that stands for itself.
type node struct {
	start, end  int
	pos, leaves int // first place among the leaves, number of leaves
}

// A splitter takes an identifier or a hyphenated word apart: at dots, then at
// underscores and hyphens, then where small letters meet capitals. What has
// parts of its own at a lower level is a part itself.
type splitter struct {
	word   string
	nodes  []node // in order of start, what holds others before them
	leaves int
}

// A level is where a word is divided.
type level uint8

const (
	atDots level = iota
	atHyphens
	atCase
	undivided
)

// split finds the parts and returns the number of leaves; there are no nodes
// when the word has no parts.
func (s *splitter) split() (leaves int) {
	if !keepsDots(s.word) {
		return 1
	}
	s.divide(0, len(s.word), atDots)
	if s.nodes[0].end == len(s.word) { // the first node begins at 0: it is the word itself
		s.nodes = s.nodes[1:]
	}
	return s.leaves
}

// divide takes word[start:end] apart at l and the levels below it.
func (s *splitter) divide(start, end int, l level) {
	at := len(s.nodes)
	s.nodes = append(s.nodes, node{start: start, end: end, pos: s.leaves})
	for ; l < undivided; l++ {
		next := s.next(start, end, l)
		if next == end {
			continue
		}
		for i := start; i < end; next = s.next(i, end, l) {
			s.divide(i, next, l+1)
			i = s.skip(next, end, l)
		}
		s.nodes[at].leaves = s.leaves - s.nodes[at].pos
		return
	}
	s.nodes[at].leaves = 1
	letters, version := numbered(s.word[start:end])
	if version < end-start {
		s.series(start, end-version, end)
		s.part(start, start+letters)
		s.part(end-version, end)
	}
	s.series(end-version, end-version, end)
	s.leaves++
}

// part adds a part of the leaf that comes next, unless it is empty.
func (s *splitter) part(start, end int) {
	if start < end {
		s.nodes = append(s.nodes, node{start: start, end: end, pos: s.leaves, leaves: 1})
	}
}

// series makes parts, from start on, of the versions that word[version:end] is one
// of: 1.26 of 1.26.8.
func (s *splitter) series(start, version, end int) {
	dots := strings.Count(s.word[version:end], ".")
	for i := end - 1; dots > 1; i-- {
		if s.word[i] == '.' {
			s.part(start, i)
			dots--
		}
	}
}

// next returns the end of the piece that begins at i.
func (s *splitter) next(i, end int, l level) int {
	if l == atCase {
		return s.nextCase(i, end)
	}
	for j := i; j < end; {
		r, n := utf8.DecodeRuneInString(s.word[j:end])
		if l == atDots && r == '.' && !between(s.word, j, digit) || l == atHyphens && s.divides(r, j, n) {
			return j
		}
		j += n
	}
	return end
}

// divides reports whether the sign r of n bytes at j stands between two parts.
func (s *splitter) divides(r rune, j, n int) bool {
	switch r {
	case '_', '-', '\u2010', '\u2011':
		return true
	case '\'', '\u2019':
		return longAfter(s.word, j+n-1)
	}
	return false
}

// skip returns where the piece after the one that ends at i begins.
func (s *splitter) skip(i, end int, l level) int {
	for l != atCase && i < end {
		r, n := utf8.DecodeRuneInString(s.word[i:end])
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			break
		}
		i += n
	}
	return i
}

// nextCase is next for capitals: parseHTTPRequest is parse, HTTP and Request,
// but URLs is one. Where pieces would be shorter than three letters on average
// in a long word, it is encoded data and not a name.
func (s *splitter) nextCase(i, end int) int {
	const long, short = 16, 3
	if i > 0 && s.inName(i, end) {
		return s.capital(i, end)
	}
	n := 0
	for j := i; j < end; n++ {
		j = s.capital(j, end)
	}
	if end-i > MaxTerm || end-i >= long && (end-i)/n < short {
		return end
	}
	return s.capital(i, end)
}

// inName reports whether the piece at i goes on from one that nextCase divided
// before: nothing but a capital is between them.
func (s *splitter) inName(i, end int) bool {
	r, _ := utf8.DecodeLastRuneInString(s.word[:i])
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}

// capital returns where after i the next piece begins with a capital, or end.
func (s *splitter) capital(i, end int) int {
	before, n := utf8.DecodeRuneInString(s.word[i:end])
	for i += n; i < end; i += n {
		var r rune
		r, n = utf8.DecodeRuneInString(s.word[i:end])
		if unicode.IsUpper(r) {
			after, m := utf8.DecodeRuneInString(s.word[i+n : end])
			switch {
			case unicode.IsLower(before):
				return i
			case !unicode.IsLower(after):
			case unicode.IsDigit(before):
				return i
			case unicode.IsUpper(before) && !s.plural(after, i+n+m, end):
				return i
			}
		}
		before = r
	}
	return end
}

// plural reports whether after is the s of several acronyms: it ends the word,
// or no small letter follows.
func (s *splitter) plural(after rune, next, end int) bool {
	r, _ := utf8.DecodeRuneInString(s.word[next:end])
	return after == 's' && !unicode.IsLower(r)
}

// numbered takes a name with a number behind it apart: how many bytes are the
// name (python3, sha256), 0 where it is too short to be one, and how many are
// the version (v1.2.3, python3.12, 1.26), 0 where the number has no dots.
func numbered(word string) (letters, version int) {
	const fewest, digits, longest = 3, 4, 16
	n, dots := len(word), 0
	for n > 0 && (classes[word[n-1]] == digit || word[n-1] == '.') {
		n--
		if word[n] == '.' {
			dots++
		}
	}
	tail := len(word) - n
	if tail == 0 || dots == 0 && tail > digits || tail > longest {
		return 0, 0
	}
	for i := 0; i < n; i++ {
		if classes[word[i]]&(lower|upper) == 0 {
			return 0, 0
		}
	}
	if n >= fewest {
		letters = n
	}
	if dots > 0 {
		version = tail
	}
	return letters, version
}
