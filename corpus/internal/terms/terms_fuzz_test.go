package terms

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
	"unicode/utf8"
)

func FuzzTerms(f *testing.F) {
	for _, s := range []string{
		"the quick brown fox", "parseHTTPRequest v1.2.3 --dry-run", "黒猫a猫 データ ไทย กำ", "e\u0301\u0301 ﷺ ½ \u00AD",
		"\xff\xfe\x80", strings.Repeat("aB3", 90), strings.Repeat("x.", 300), "it’s l’homme O'Brien", "__a__b--c..d", "c++ f#=",
		"\u1E9E ſ K Å ǆ", "A00.0 v1.2.3 python3.12-rc1", "ｶﾞ゙が", strings.Repeat("猫", 99), strings.Repeat("क्षि", 40), "a\u0345", "A.\u0301b",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var a Analyzer
		tokens := slices.Clone(a.Tokens(text))
		checkTokens(t, text, tokens)
		checkRuns(t, text, tokens)
		var warm Analyzer // another order of words must not show in the result
		warm.Tokens(strings.ToUpper(text))
		if !slices.Equal(tokens, warm.Tokens(text)) {
			t.Errorf("Tokens(%q) depends on what was read before", text)
		}
		checkCount(t, &a, text, tokens)
		checkScan(t, &a, text, tokens)
	})
}

// checkRuns: every run of letters and digits is in a key, which expressions are
// narrowed by.
func checkRuns(t *testing.T, text string, tokens []Token) {
	t.Helper()
	runs := strings.FieldsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf || classes[r]&alnum == 0 })
	for _, run := range runs {
		run = strings.ToLower(run)
		if !slices.ContainsFunc(tokens, func(k Token) bool {
			return strings.Contains(k.Exact, run) || strings.ContainsRune(k.Exact, CutMark)
		}) {
			t.Errorf("%q is in no key of %q", run, text)
		}
	}
}

func checkTokens(t *testing.T, text string, tokens []Token) {
	t.Helper()
	for i, k := range tokens {
		if k.Start < 0 || k.Start >= k.End || k.End > len(text) {
			t.Fatalf("%q: span %d..%d of %d bytes", text, k.Start, k.End, len(text))
		}
		if utf8.ValidString(text) && !utf8.ValidString(text[k.Start:k.End]) {
			t.Errorf("%q: span %d..%d divides a character", text, k.Start, k.End)
		}
		form, exact := Form(k.Exact)
		if k.Term == "" || len(k.Term) > MaxTerm || len(form) > MaxTerm || !utf8.ValidString(k.Term) || k.Term[0] == ExactMark {
			t.Errorf("%q: term %q, exact %q", text, k.Term, k.Exact)
		}
		if exact == (k.Exact == k.Term) {
			t.Errorf("%q: term %q, exact %q", text, k.Term, k.Exact)
		}
		if i == 0 {
			continue
		}
		p, gap := tokens[i-1], 0
		if !isASCII(text[p.Start:p.End]) {
			gap = 1 // the last character of a run has a place of its own
		}
		if k.Start < p.Start || k.Pos < p.Pos || k.Pos > p.Pos+p.Words+gap {
			t.Errorf("%q: %+v after %+v", text, k, p)
		}
	}
}

func checkCount(t *testing.T, a *Analyzer, text string, tokens []Token) {
	t.Helper()
	want, words := map[string]uint32{}, uint32(0)
	for _, k := range tokens {
		want[k.Term]++
		if k.Exact != k.Term {
			want[k.Exact]++
		}
		if k.Kind != Part {
			words++
		}
	}
	length := a.Count(text, func(term string, n uint32) {
		if want[term] != n || n == 0 {
			t.Errorf("%q: Count(%q) = %d, Tokens have %d", text, term, n, want[term])
		}
		delete(want, term)
	})
	if len(want) > 0 || length != words {
		t.Errorf("%q: Count missed %v, length %d of %d", text, want, length, words)
	}
}

func checkScan(t *testing.T, a *Analyzer, text string, tokens []Token) {
	t.Helper()
	if len(tokens) == 0 {
		return
	}
	asked := tokens[len(text)%len(tokens)]
	form, _ := Form(asked.Exact)
	targets := []Target{{Term: asked.Term, Exact: asked.Exact}, {Term: cutRune(form, 3), Prefix: true}, {Term: asked.Exact}}
	var want []Match
	for _, k := range tokens {
		m := Match{Pos: k.Pos, Words: k.Words, Start: k.Start, End: k.End}
		if k.Term == asked.Term || k.Exact == asked.Term {
			m.Target, m.Exact = 0, k.Exact == asked.Exact
			want = append(want, m)
		}
		if form, _ := Form(k.Exact); targets[1].Term != "" && strings.HasPrefix(form, targets[1].Term) {
			m.Target, m.Exact = 1, false
			want = append(want, m)
		}
		if k.Exact == asked.Exact || k.Term == asked.Exact {
			m.Target, m.Exact = 2, false
			want = append(want, m)
		}
	}
	var got []Match
	NewMatcher(a, targets).Scan(text, func(m Match) bool { got = append(got, m); return true })
	same := func(i int) bool {
		g, w := got[i], want[i]
		g.Pos, w.Pos = 0, 0
		if i == 0 || g != w {
			return g == w
		}
		told, is := got[i].Pos-got[i-1].Pos, want[i].Pos-want[i-1].Pos
		return told == is || told > Reach && is >= told
	}
	for i := range max(len(got), len(want)) {
		if len(got) != len(want) || !same(i) {
			t.Fatalf("%q: Scan for %+v found %v, want %v", text, targets, got, want)
		}
	}
}

func TestLongWords(t *testing.T) {
	var a Analyzer
	big := strings.Repeat("Ab3+/", 1<<18)
	tests := []string{big, strings.Repeat("a", 1<<20), strings.Repeat("a-b_", 1<<18), strings.Repeat("é", 1<<18), strings.Repeat("aB", 40)}
	for _, text := range tests {
		n := 0
		length := a.Count(text, func(term string, _ uint32) {
			if n += len(term); len(term) > MaxTerm+1 {
				t.Errorf("term of %d bytes", len(term))
			}
		})
		if n > 2048 {
			t.Errorf("%.20q...: %d words, %d bytes of terms", text, length, n)
		}
	}
	one, other := strings.Repeat("a", 100), strings.Repeat("a", 101)
	if fold(one) == fold(other) {
		t.Error("two long words share a term")
	}
}

func TestFoldedIsItsOwnKey(t *testing.T) {
	for _, word := range []string{"run", "sha256", "42", "A", "aB", "a_b", "a-b", "don't", "1.2", "é", "c++", strings.Repeat("a", MaxTerm), strings.Repeat("a", MaxTerm+1)} {
		if want := fold(word) == word; folded(word) && !want {
			t.Errorf("%s is folded to %s", word, fold(word))
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		if word := rapid.StringMatching(`[a-zA-Z0-9_.'é+-]{1,70}`).Draw(t, "word"); folded(word) && fold(word) != word {
			t.Fatalf("%s is folded to %s", word, fold(word))
		}
	})
}

func TestSweepForgetsAndGoesOn(t *testing.T) {
	var a Analyzer
	m := NewMatcher(&a, []Target{{Term: "run", Exact: "=running"}})
	buf := []byte("running aaaaaaaa running")
	for range 3 * lexiconLimit {
		for i := 8; ; i++ {
			if buf[i]++; buf[i] <= 'z' {
				break
			}
			buf[i] = 'a'
		}
		n := 0
		m.Scan(string(buf), func(Match) bool { n++; return true })
		a.Count(string(buf), func(term string, c uint32) {
			if term == "run" {
				n += int(c)
			}
		})
		if n != 4 {
			t.Fatalf("%q: found %d of 4", buf, n)
		}
	}
	if n := len(a.lex.entries); n > lexiconLimit+10 {
		t.Errorf("%d words remembered", n)
	}
}

// TestCountAllEqualsCount also goes through sweeps, after which numbers are others.
func TestCountAllEqualsCount(t *testing.T) {
	var a, b Analyzer
	text := zipf(160_000)
	vocabularies := map[*Vocabulary]bool{}
	for i, doc := range documents(text) {
		for n := range 1000 { // words that come once
			doc += fmt.Sprintf(" w%dx%d", i, n)
		}
		texts := []string{doc[:len(doc)/3], doc[len(doc)/3:]}
		want := map[string]uint32{}
		length := b.Count(texts[0], func(term string, n uint32) { want[term] += n })
		length += b.Count(texts[1], func(term string, n uint32) { want[term] += n })
		numbers := map[uint32]uint32{}
		var tally Tally
		got, v := a.CountAll(texts, &tally)
		for _, c := range tally.Counts {
			numbers[c.Number] += c.Count
		}
		vocabularies[v] = true
		if got != length || len(numbers) != len(want) {
			t.Fatalf("text %d: %d words, %d terms; want %d, %d", i, got, len(numbers), length, len(want))
		}
		for number, n := range numbers {
			if term := v.Term(number); n != want[term] {
				t.Fatalf("text %d: %q %d times, want %d", i, term, n, want[term])
			}
		}
	}
	if len(vocabularies) < 2 {
		t.Error("no word was forgotten")
	}
}

func TestWarmAnalyzerDoesNotAllocate(t *testing.T) {
	text := zipf(20000)
	var a Analyzer
	m := NewMatcher(&a, []Target{{Term: "server"}, {Term: "con", Prefix: true}})
	read := func() {
		a.Count(text, func(string, uint32) {})
		a.Tokens(text)
		m.Scan(text, func(Match) bool { return true })
	}
	read()
	if n := testing.AllocsPerRun(10, read); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
