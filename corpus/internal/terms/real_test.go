package terms

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// realTexts reads the reference pairs beside the unpacked real transcripts.
func realTexts(b *testing.B) (texts []string, size int64) {
	dir := os.Getenv("HANSARD_REAL_CORPUS")
	if dir == "" {
		b.Skip("HANSARD_REAL_CORPUS is not set")
	}
	f, err := os.Open(filepath.Join(dir, "reference_pairs.jsonl"))
	if err != nil {
		b.Skip(err)
	}
	defer f.Close()
	in := bufio.NewScanner(f)
	in.Buffer(nil, 64<<20)
	for in.Scan() {
		var fields map[string]any
		if json.Unmarshal(in.Bytes(), &fields) != nil {
			continue
		}
		for _, v := range fields {
			if s, ok := v.(string); ok {
				texts, size = append(texts, s), size+int64(len(s))
			}
		}
	}
	return texts, size
}

func BenchmarkCountReal(b *testing.B) {
	texts, size := realTexts(b)
	b.SetBytes(size)
	b.ReportAllocs()
	var a Analyzer
	for b.Loop() {
		for _, s := range texts {
			a.Count(s, func(string, uint32) {})
		}
	}
	b.ReportMetric(float64(len(a.lex.entries)), "words")
}

func BenchmarkScanReal(b *testing.B) {
	texts, size := realTexts(b)
	b.SetBytes(size)
	b.ReportAllocs()
	var a Analyzer
	m := NewMatcher(&a, []Target{{Term: "cache"}, {Term: "config.ts"}, {Term: "migrat"}, {Term: "fail"}})
	for b.Loop() {
		for _, s := range texts {
			m.Scan(s, func(Match) bool { return true })
		}
	}
}
