package corpus

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hansard-search/hansard/sources"
)

// BenchmarkSearch asks over HANSARD_BENCH_TURNS invented turns (20,000 where it
// is not set), of words that are as uneven as those of a language.
func BenchmarkSearch(b *testing.B) {
	turns := 20_000
	if n, err := strconv.Atoi(os.Getenv("HANSARD_BENCH_TURNS")); err == nil {
		turns = n
	}
	bn := newBench(b)
	if dir := os.Getenv("HANSARD_BENCH_DIR"); dir != "" {
		bn.dir, bn.cfg.Dir = dir, dir
	}
	r := rand.New(rand.NewPCG(1, 2))
	zipf := rand.NewZipf(r, 1.1, 8, 200_000)
	text := func(n int) string {
		var s strings.Builder
		for range n {
			fmt.Fprintf(&s, "%s ", invented(zipf.Uint64()))
		}
		return s.String()
	}
	if c, err := Open(bn.dir); err != nil {
		for i := 0; i < turns; {
			var records []sources.Record
			session := fmt.Sprintf("s%d", i)
			for range 1 + r.IntN(20) {
				records = append(records, sources.Record{ID: fmt.Sprintf("t%d", i), Prompt: text(5 + r.IntN(40)), Answer: text(20 + r.IntN(200)),
					Time: began.Add(time.Duration(i) * time.Minute), Cwd: fmt.Sprintf("/home/u/p%d", i%17)})
				i++
			}
			bn.src.AppendRecords(session, records...)
		}
		bn.sync()
	} else {
		c.Close()
	}
	c := bn.open()
	for _, q := range []struct{ name, text string }{
		{"rare", invented(9_000) + " " + invented(20_000) + " " + invented(50_000)},
		{"mixed", invented(3) + " " + invented(90) + " " + invented(2_000) + " " + invented(12_000)},
		{"common", invented(0) + " " + invented(1) + " " + invented(2) + " " + invented(3)},
		{"phrase", `"` + invented(0) + " " + invented(1) + `"`},
		{"question", "what did the " + invented(40) + " do with " + invented(700) + " and " + invented(5)},
	} {
		b.Run(q.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := c.Search(b.Context(), Query{Text: q.text}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// invented is the n-th word of a language of syllables.
func invented(n uint64) string {
	const consonants, vowels = "bdfgklmnprst", "aeiou"
	var s strings.Builder
	for {
		s.WriteByte(consonants[n%12])
		s.WriteByte(vowels[n/12%5])
		if n /= 60; n == 0 {
			return s.String()
		}
	}
}
