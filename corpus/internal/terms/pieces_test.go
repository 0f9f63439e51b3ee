package terms

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestPieces: a text that is read as pieces has the same matches as the text, as
// far apart, wherever it was cut.
func TestPieces(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 5))
	words := []string{"run", "running", "Runs", "a", "A", "I", "the", "The", "index", "indexes", "INDEX", "HTTPServer", "httpServer", "c", "f", "v1", "v",
		"1", "2", "12", "sha256", "python3", "cache", "caché", "naïve", "ﬁle", "file", "files", "缓存", "缓", "データ", "ru", "o'brien", "don't", "U.S.A", "x_y", "__init__",
		strings.Repeat("aB1", 9), strings.Repeat("aB1", 25), strings.Repeat("z", 20), "dying", "die", "straße", "\xff", "\u00ad", "e\u0301", "—"}
	between := []string{" ", " ", " ", " ", " ", " ", "\n", "\n\n", "  ", ", ", ". ", ".", "-", "_", "'", "\u2019", "/", "+", "++ ", "#", "# ", "=", "->", " (", ") ", "`", "`, `", "\t", ": ", "", "\x01", "--", "...", "|", " | ", "\u2010"}
	text := func() string {
		var b strings.Builder
		for range r.IntN(30) {
			b.WriteString(words[r.IntN(len(words))])
			b.WriteString(between[r.IntN(len(between))])
		}
		return b.String()
	}
	queries := []string{"run index", "the file", "a", "c++ f#", "1.2 v1.2 python3", "缓存 缓", "server http", "cache naive file", "httpserver.go", "o'brien don't", "dry-run x_y init", "sha ab aB1", "データ", "die tie", "U.S.A i"}
	var a Analyzer
	found, forms := 0, map[string]uint32{}
	for n := range 60000 {
		text := text()
		targets := targetsOf(&a, queries[n%len(queries)], n%7 == 0)
		m := NewMatcher(&a, targets)
		want := matchesOf(func(yield func(Match) bool) { m.Scan(text, yield) })
		pieces := cutAnyhow(r, text, n%3 != 0)
		codes := make([]uint16, len(pieces))
		for i, p := range pieces {
			known := Piece(p)
			if codes[i] = uint16(known >> 16); m.Pairs()[known&0xFFFF>>5]>>(known&31)&1 == 1 {
				codes[i] = codeOf(m, p, forms)
			}
			codes[i] |= uint16(len(p))
		}
		got := matchesOf(func(yield func(Match) bool) { m.ScanPieces(codes, pieces, yield) })
		if !slices.Equal(got, want) {
			t.Fatalf("%q in %q, cut as %q:\n%v, not\n%v", queries[n%len(queries)], text, pieces, got, want)
		}
		found += len(want)
		m.Release()
	}
	if found < 10000 {
		t.Errorf("%d matches", found)
	}
}

// codeOf is the code of a piece, of which the form may be known from other queries.
func codeOf(m *Matcher, piece string, forms map[string]uint32) uint16 {
	if form := forms[piece]; form != 0 {
		if more, ok := m.Misses(form); ok {
			return uint16(Piece(piece)>>16) | more
		}
	}
	code, form := m.Code(piece)
	forms[piece] = form
	return code
}

type cutPieces []string

func (p cutPieces) Append(dst []byte, from, to int) []byte {
	return append(dst, strings.Join(p[from:to], "")...)
}

func targetsOf(a *Analyzer, query string, prefix bool) (targets []Target) {
	for _, tok := range a.Tokens(query) {
		target := Target{Term: tok.Term, Exact: tok.Exact}
		if form, _ := Form(tok.Term); prefix {
			target = Target{Term: form[:1], Prefix: true}
		}
		targets = append(targets, target)
	}
	return targets
}

// matchesOf are matches without their places, and how far each is from the one
// before it, as far as that can be told.
func matchesOf(scan func(yield func(Match) bool)) (all []Match) {
	before := 0
	scan(func(m Match) bool {
		far := m.Pos - before
		before = m.Pos
		if m.Pos, m.Start, m.End = min(far, Reach+1), 0, 0; len(all) == 0 {
			m.Pos = 0
		}
		all = append(all, m)
		return true
	})
	return all
}

// cutAnyhow cuts a text as the codec of passages does, or anywhere.
func cutAnyhow(r *rand.Rand, text string, alike bool) (pieces cutPieces) {
	for text != "" {
		n := 1 + r.IntN(15)
		if alike {
			n = 1
			if text[0] == ' ' && len(text) > 1 && text[1] > ' ' {
				n = 2
			}
			kind := func(i int) int {
				switch c := text[i]; {
				case classes[c]&(alnum|wide) != 0, c == '_':
					return 1
				case c == ' ', c == '\n', c == '\t':
					return 2
				}
				return 0
			}
			for k := kind(n - 1); n < len(text) && n < 15 && kind(n) == k; {
				n++
			}
		}
		n = min(n, len(text))
		pieces = append(pieces, text[:n])
		text = text[n:]
	}
	return pieces
}
