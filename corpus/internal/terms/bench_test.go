package terms

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// zipf writes n bytes of words that are as often repeated as those of English
// prose, a twentieth of them identifiers.
func zipf(n int) string {
	rng := rand.New(rand.NewPCG(1, 2))
	syllables := strings.Fields("con fer ing re ta tion al ly the o n ser ver in dex ed pro ject a ble er s un der stand")
	words := make([]string, 30000)
	for i := range words {
		var b strings.Builder
		for range 1 + rng.IntN(3) + min(i/100, 1) {
			b.WriteString(syllables[rng.IntN(len(syllables))])
		}
		words[i] = b.String()
		switch rng.IntN(60) {
		case 0:
			words[i] += "_" + words[rng.IntN(i+1)]
		case 1:
			words[i] += ".go"
		case 2:
			words[i] = "get" + strings.ToUpper(words[i][:1]) + words[i][1:]
		}
	}
	z := rand.NewZipf(rng, 1.07, 4, uint64(len(words)-1))
	var b strings.Builder
	for b.Len() < n {
		b.WriteString(words[z.Uint64()])
		if b.WriteByte(' '); rng.IntN(10) == 0 {
			b.WriteString("\n- ")
		}
	}
	return b.String()
}

// documents cuts a text into pieces of about two thousand bytes.
func documents(text string) (docs []string) {
	for len(text) > 2000 {
		docs, text = append(docs, text[:2000]), text[2000:]
	}
	return append(docs, text)
}

func BenchmarkCount(b *testing.B) {
	text := zipf(4 << 20)
	docs := documents(text)
	var a Analyzer
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		for _, d := range docs {
			a.Count(d, func(string, uint32) {})
		}
	}
}

func BenchmarkScan(b *testing.B) {
	text := zipf(4 << 20)
	docs := documents(text)
	var a Analyzer
	m := NewMatcher(&a, []Target{{Term: "server"}, {Term: "reindex"}, {Term: "project"}})
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	found := 0
	for b.Loop() {
		for _, d := range docs {
			m.Scan(d, func(Match) bool { found++; return true })
		}
	}
	if found == 0 {
		b.Fatal("nothing matched")
	}
}
