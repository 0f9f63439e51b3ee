// Package snippet picks the passage of a text that is shown of it: where most of what
// a query looks for stands closest together, cut between words. It knows texts and
// places in them alone.
package snippet

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hansard-search/hansard/corpus/internal/terms"
)

// ellipsis stands where a snippet was cut, with a blank between.
const ellipsis = "..."

// A Snippet is a passage of a text.
type Snippet struct {
	Text      string
	Truncated bool     // the text holds more
	Spans     [][2]int // bytes of text that match, in order, apart from each other
}

// Marked returns the text with ** around what matches.
func (s Snippet) Marked() string {
	const sign = "**"
	var b strings.Builder
	b.Grow(len(s.Text) + 2*len(sign)*len(s.Spans))
	at := 0
	for _, span := range s.Spans {
		for _, part := range [...]string{s.Text[at:span[0]], sign, s.Text[span[0]:span[1]], sign} {
			b.WriteString(part)
		}
		at = span[1]
	}
	b.WriteString(s.Text[at:])
	return b.String()
}

// MarkedSpans are the spans as they lie in what Marked returns, without the signs.
func (s Snippet) MarkedSpans() [][2]int {
	spans := slices.Clone(s.Spans)
	for i := range spans {
		shift := 2 + 4*i // the signs before it
		spans[i][0] += shift
		spans[i][1] += shift
	}
	return spans
}

// A Mark is a place of a text where a query matches.
type Mark struct {
	Start, End int     // bytes of the text
	Word       int     // number of the query's word
	Weight     float64 // of that word: the rarer the more
}

// Marks appends the places where m finds its targets in text to dst. word
// maps targets to the query's words, weight is of words. It reads no further
// than some thousand places: a text that holds more is no better shown.
func Marks(dst []Mark, m *terms.Matcher, text string, word []int, weight []float64) []Mark {
	const most = 4096
	m.Scan(text, func(f terms.Match) bool {
		w := word[f.Target]
		dst = append(dst, Mark{Start: f.Start, End: f.End, Word: w, Weight: weight[w]})
		return len(dst) < most
	})
	return dst
}

// Beginning returns at most limit bytes of text, cut between characters, and
// whether text holds more.
func Beginning(text string, limit int) (start string, cut bool) {
	if len(text) <= limit {
		return text, false
	}
	return text[:characterBefore(text, max(limit, 0))], true
}

// Best returns the passage of text, of at most limit bytes, where most
// of the words' weight stands closest together; its beginning when there are no
// marks. Marks are in order of start. Room for both ellipses is kept even where
// one is needed.
func Best(text string, marks []Mark, limit int) Snippet {
	start, end := 0, len(text)
	if end > limit {
		lo, hi := densest(marks, limit-2*len(ellipsis+" "))
		start, end = around(text, lo, hi, limit-2*len(ellipsis+" "))
	}
	s := Snippet{Truncated: start > 0 || end < len(text)}
	before, after := "", ""
	if start > 0 {
		before = ellipsis + " "
	}
	if end < len(text) {
		after = " " + ellipsis
	}
	s.Text = before + text[start:end] + after
	if len(s.Text) > limit { // too little room for an ellipsis
		before, s.Text = "", text[start:end]
	}
	shift, last := len(before)-start, start
	for _, m := range marks {
		if m.Start >= last && m.End <= end { // parts of a compound that matches are not marked again
			s.Spans = append(s.Spans, [2]int{m.Start + shift, m.End + shift})
			last = m.End
		}
	}
	return s
}

// densest returns the shortest range of at most room bytes that holds as much
// of the words' weight as any such range does, the first of them.
func densest(marks []Mark, room int) (lo, hi int) {
	count := map[int]int{} // marks of a word between first and the current one
	first, weight, best := 0, 0.0, -1.0
	for _, m := range marks {
		if count[m.Word]++; count[m.Word] == 1 {
			weight += m.Weight
		}
		for f := marks[first]; f != m && (count[f.Word] > 1 || m.End-f.Start > room); f = marks[first] {
			if count[f.Word]--; count[f.Word] == 0 {
				weight -= f.Weight
			}
			first++
		}
		from := marks[first].Start
		to := max(m.End, marks[first].End)
		// Sums of the same weights in another order differ in their last digits.
		const same = 1e-9
		if weight > best+same || weight > best-same && to-from < hi-lo {
			best, lo, hi = max(weight, best), from, to
		}
	}
	return lo, hi
}

// around widens lo..hi on both sides to at most room bytes, cut between words
// where one ends nearby, else between characters.
func around(text string, lo, hi, room int) (start, end int) {
	room = max(room, 0)
	hi = min(hi, lo+room)
	start = max(0, lo-(room-(hi-lo))/2)
	end = min(len(text), start+room)
	start = max(0, end-room)
	if start > 0 {
		start = wordFrom(text, start, lo)
	}
	if end < len(text) {
		end = wordUpTo(text, end, hi)
	}
	return start, max(start, end)
}

// nearby is how many bytes are given up to cut between words, where some
// context is left then.
const nearby = 40

// wordFrom returns where at start or soon after it, and not after last, a word begins.
func wordFrom(text string, start, last int) int {
	if isBlank(text[start-1]) {
		return start
	}
	for i := start; i < min(last-1, start+nearby); i++ {
		if isBlank(text[i]) {
			return i + 1
		}
	}
	for start < last && (!utf8.RuneStart(text[start]) || extends(text[start:])) {
		start++
	}
	return characterBefore(text, start)
}

// wordUpTo returns where at end or shortly before it, and not before first, a word ends.
func wordUpTo(text string, end, first int) int {
	for i := end; i > max(first, end-nearby); i-- {
		if isBlank(text[i]) {
			return i
		}
	}
	cut := characterBefore(text, end)
	for i := cut; i > first && i > end-nearby; i = characterBefore(text, i-1) {
		if !extends(text[i:]) {
			return i
		}
	}
	return cut
}

// characterBefore returns i, or the start of the UTF-8 sequence that i divides.
func characterBefore(text string, i int) int {
	for back := 0; back < utf8.UTFMax && i-back >= 0 && i-back < len(text); back++ {
		if utf8.RuneStart(text[i-back]) {
			return i - back
		}
	}
	return i
}

func isBlank(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// extends reports whether text goes on with a character that belongs to the one
// before: accents, joiners, skin colours.
func extends(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	const joiner = '\u200D'
	return r >= utf8.RuneSelf && (unicode.IsMark(r) || r == joiner || unicode.Is(unicode.Sk, r))
}
