package shard

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// knowing is what a caller asks who wants to know nothing.
var knowing = Asked{
	Known: func(string) uint32 { return 'x' << 8 },
	Pairs: new([1 << 11]uint32),
	Code:  func(string) (uint16, uint32) { return 0, 0 },
}

// TestPieces: the pieces of packed bytes are those of the text that they unpack to,
// whatever the bytes are, and however the text is taken apart.
func TestPieces(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 1))
	words := strings.Fields("the of a cache was dropped and 日本 (b) == c_d; http://example.org/a-b naïve \x00\x01 0123456789abcdefghij")
	text := func(n int) string {
		var b strings.Builder
		for range n {
			b.WriteString(words[r.IntN(len(words))] + []string{" ", "", "  ", "\n"}[r.IntN(4)])
		}
		return b.String()
	}
	w := wordsOf(text(3000), text(3000))
	var texts []string
	var all [][]byte
	for range 20000 {
		texts = append(texts, text(r.IntN(40)))
		all = append(all, w.pack(nil, []byte(texts[len(texts)-1])))
	}
	l := newWordList(w.section())
	whole := 0
	for i, want := range texts {
		packed := all[i]
		damaged := r.IntN(2) == 0
		for range r.IntN(4) {
			if damaged && len(packed) > 0 {
				packed[r.IntN(len(packed))] = byte(r.IntN(256))
			}
		}
		if damaged && r.IntN(2) == 0 {
			packed = packed[:r.IntN(len(packed)+1)]
		}
		p := Pieces{asked: knowing, words: l, packed: packed}
		p.known, p.forms = l.knownPieces()
		var got []byte
		ok, left := true, len(want)
		for ok && left > 0 {
			n := 1 + r.IntN(left)
			if ok = p.text(n); ok {
				got, left = p.Append(got, 0, len(p.codes)), left-n
			}
		}
		ok = ok && len(p.packed)+len(p.rest) == 0
		again, good := l.unpack(nil, len(want), packed)
		if ok != good || ok && string(got) != string(again) {
			t.Fatalf("%q: %q, %v; %q, %v", packed, got, ok, again, good)
		}
		if ok {
			whole++
		}
	}
	if whole < 10000 {
		t.Errorf("%d texts", whole)
	}
}
