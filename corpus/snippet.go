package corpus

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hansard-search/hansard/corpus/internal/terms"
)

// SnippetBytes is the most bytes a snippet may have, marks not counted: what an
// agent can afford to read of one message among sixteen.
const SnippetBytes = 1024

// ellipsis stands where a snippet was cut, with a blank between.
const ellipsis = "..."

// A snippet is a passage of a text.
type snippet struct {
	text      string
	truncated bool     // the text holds more
	spans     [][2]int // bytes of text that match, in order, apart from each other
}

// marked returns the text with ** around what matches.
func (s snippet) marked() string {
	const sign = "**"
	var b strings.Builder
	b.Grow(len(s.text) + 2*len(sign)*len(s.spans))
	at := 0
	for _, span := range s.spans {
		for _, part := range [...]string{s.text[at:span[0]], sign, s.text[span[0]:span[1]], sign} {
			b.WriteString(part)
		}
		at = span[1]
	}
	b.WriteString(s.text[at:])
	return b.String()
}

// A mark is a place of a text where a query matches.
type mark struct {
	start, end int
	word       int     // number of the query's word
	weight     float64 // of that word: the rarer the more
}

// marksOf appends the places where m finds its targets in text to dst. word
// maps targets to the query's words, weight is of words. It reads no further
// than some thousand places: a text that holds more is no better shown.
func marksOf(dst []mark, m *terms.Matcher, text string, word []int, weight []float64) []mark {
	const most = 4096
	m.Scan(text, func(f terms.Match) bool {
		w := word[f.Target]
		dst = append(dst, mark{start: f.Start, end: f.End, word: w, weight: weight[w]})
		return len(dst) < most
	})
	return dst
}

// beginning returns at most limit bytes of text, cut between characters, and
// whether text holds more.
func beginning(text string, limit int) (start string, cut bool) {
	if len(text) <= limit {
		return text, false
	}
	return text[:characterBefore(text, max(limit, 0))], true
}

// bestPassage returns the passage of text, of at most limit bytes, where most
// of the words' weight stands closest together; its beginning when there are no
// marks. Marks are in order of start. Room for both ellipses is kept even where
// one is needed.
func bestPassage(text string, marks []mark, limit int) snippet {
	start, end := 0, len(text)
	if end > limit {
		lo, hi := densest(marks, limit-2*len(ellipsis+" "))
		start, end = around(text, lo, hi, limit-2*len(ellipsis+" "))
	}
	s := snippet{truncated: start > 0 || end < len(text)}
	before, after := "", ""
	if start > 0 {
		before = ellipsis + " "
	}
	if end < len(text) {
		after = " " + ellipsis
	}
	s.text = before + text[start:end] + after
	if len(s.text) > limit { // too little room for an ellipsis
		before, s.text = "", text[start:end]
	}
	shift, last := len(before)-start, start
	for _, m := range marks {
		if m.start >= last && m.end <= end { // parts of a compound that matches are not marked again
			s.spans = append(s.spans, [2]int{m.start + shift, m.end + shift})
			last = m.end
		}
	}
	return s
}

// densest returns the shortest range of at most room bytes that holds as much
// of the words' weight as any such range does, the first of them.
func densest(marks []mark, room int) (lo, hi int) {
	count := map[int]int{} // marks of a word between first and the current one
	first, weight, best := 0, 0.0, -1.0
	for _, m := range marks {
		if count[m.word]++; count[m.word] == 1 {
			weight += m.weight
		}
		for f := marks[first]; f != m && (count[f.word] > 1 || m.end-f.start > room); f = marks[first] {
			if count[f.word]--; count[f.word] == 0 {
				weight -= f.weight
			}
			first++
		}
		from := marks[first].start
		to := max(m.end, marks[first].end)
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
