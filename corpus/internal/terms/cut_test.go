package terms

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// drawText draws a text of words and what is between them, of lengths about those
// at which words are cut otherwise.
func drawText(rt *rapid.T) string {
	piece := rapid.OneOf(
		rapid.SampledFrom([]string{
			"the", "key", "running", "a", "HTTPServer", "v2", "0123456789abcdef", "0123456789abcdefg", "c++", "f#", "c+", "é", "naïve",
			"日本語", "’", "\xff", "x_y", "__", "don't", "a.b.c", "file.go", "end.", strings.Repeat("aB3", 30), strings.Repeat("x.", 80), "",
		}),
		rapid.StringMatching(`[a-zA-Z0-9]{1,20}`),
		rapid.String(),
	)
	between := rapid.SampledFrom([]string{" ", " ", " ", "", ". ", ", ", "\n\n", "-", "/", "_", "+", "#", strings.Repeat(" ", 70)})
	var b strings.Builder
	for range rapid.IntRange(0, 400).Draw(rt, "pieces") {
		b.WriteString(piece.Draw(rt, "piece"))
		b.WriteString(between.Draw(rt, "between"))
	}
	return b.String()
}

// What is counted is what the scanner finds, word by word.
func TestCutEqualsScan(t *testing.T) {
	var a Analyzer
	rapid.Check(t, func(rt *rapid.T) {
		text := drawText(rt)
		var c cutter
		c.begin(text)
		var s scanner
		s.text = text
		for words := c.next(); len(words) > 0; words = c.next() {
			for _, w := range words {
				if !s.next() {
					rt.Fatalf("%q: there is no word %q", text, text[w.start:w.end])
				}
				if int(w.start) != s.start || int(w.end) != s.end || w.flags != 0 && w.flags != s.flags {
					rt.Fatalf("%q: %q (%b), want %q (%b)", text, text[w.start:w.end], w.flags, text[s.start:s.end], s.flags)
				}
				lo, hi := wordKey(text, s.start, s.end)
				if s.flags&scriptRun == 0 && (w.lo != lo || w.hi != hi) {
					rt.Fatalf("%q: key of %q", text, text[w.start:w.end])
				}
			}
		}
		if s.next() {
			rt.Fatalf("%q: %q is left out", text, text[s.start:s.end])
		}
		checkCount(t, &a, text, a.Tokens(text))
	})
}

// A mark is a word where it says, and its number is of no other word.
func TestMarks(t *testing.T) {
	var a Analyzer
	words := map[*Vocabulary]map[uint32]string{}
	marked, all := 0, 0
	for _, doc := range documents(zipf(1_000_000)) {
		texts := []string{doc[:len(doc)/3], doc[len(doc)/3:], "", doc[:len(doc)/9] + " é-1 ü"}
		tally := Tally{Marks: []Mark{{Start: 1 << 30}}}
		length, v := a.CountAll(texts, &tally)
		if words[v] == nil {
			words[v] = map[uint32]string{}
		}
		text, end := strings.Join(texts, ""), 0
		for _, m := range tally.Marks[1:] {
			word := text[m.Start : m.Start+m.Size]
			if int(m.Start) < end || strings.Trim(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") != "" {
				t.Fatalf("%q is marked at %d after %d", word, m.Start, end)
			}
			end = int(m.Start + m.Size)
			if known, ok := words[v][m.Number]; m.Number != 0 && ok && known != word {
				t.Fatalf("%q and %q have the number %d", known, word, m.Number)
			}
			words[v][m.Number] = word
		}
		marked, all = marked+len(tally.Marks)-1, all+int(length)
	}
	if marked*10 < all*8 {
		t.Errorf("%d words of %d are marked", marked, all)
	}
}

// TestMarksAreBounded: a text of many words is counted to its end, with marks of its
// first words alone.
func TestMarksAreBounded(t *testing.T) {
	text := strings.Repeat("why does it fail ", maxMarks/4+10_000)
	var a Analyzer
	var tally Tally
	length, v := a.CountAll([]string{text, "the end"}, &tally)
	if want := uint32(4*(maxMarks/4+10_000) + 2); length != want {
		t.Errorf("%d words, not %d", length, want)
	}
	counts := map[string]uint32{}
	for _, c := range tally.Counts {
		counts[v.Term(c.Number)] = c.Count
	}
	if counts["fail"] != maxMarks/4+10_000 || counts["end"] != 1 {
		t.Errorf("fail %d, end %d", counts["fail"], counts["end"])
	}
	if len(tally.Marks) != maxMarks {
		t.Errorf("%d marks", len(tally.Marks))
	}
	for i, m := range tally.Marks {
		if word := text[m.Start:][:m.Size]; word != []string{"why", "does", "it", "fail"}[i%4] {
			t.Fatalf("mark %d is %q", i, word)
		}
	}
}
