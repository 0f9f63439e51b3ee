package search

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hansard-search/hansard/sources"
)

// packedTexts makes a corpus of texts that are packed as words, most of them.
func packedTexts(t *testing.T) *snapshot {
	b := newBench(t)
	r := rand.New(rand.NewPCG(17, 4))
	between := []string{" ", " ", " ", " ", " ", " ", " ", " ", ", ", ". ", "\n", "\n\n", "-", "_", ".", "/", "'", "’", " (", "\" ", " é", " 缓存", "缓", "+", "++ ", "# ", "=", " — ", " aB1", " 1.2.3 ",
		" v2.0", strings.Repeat("aB1", 30)}
	text := func(n int) string {
		return mixedText(r, n, func() int { return min(r.IntN(60), r.IntN(60)) }, []string{"s", "ing", "ed", "Get", "7", "ération"}, between)
	}
	for turn := range 1200 {
		b.src.AppendRecords(fmt.Sprintf("s%d", r.IntN(100)), sources.Record{ID: fmt.Sprintf("t%d", turn), Prompt: text(1 + r.IntN(20)), Answer: text(1 + r.IntN(120)),
			Time: began.Add(time.Duration(turn) * time.Hour)})
	}
	b.sync()
	return b.open()
}

// TestNearInPieces: words stand as close in texts that are packed as in the texts.
func TestNearInPieces(t *testing.T) {
	s := packedTexts(t)
	r := rand.New(rand.NewPCG(2, 9))
	some, all := 0, 0
	for range 150 {
		words := make([]string, 2+r.IntN(4))
		for i := range words {
			words[i] = invented(uint64(min(r.IntN(60), r.IntN(60))))
		}
		near := nearOf(t, s, strings.Join(words, " ")+[]string{"", "", " aB1", " 缓存", "*", " 1.2.3"}[r.IntN(6)])
		for _, c := range near.contenders(slices.Clone(near.q.turns.Kept())) {
			c.pairs.lanes = ^uint64(0)
			ok, err := near.readPieces(c)
			if err != nil {
				t.Fatal(err)
			}
			got := c.near
			c.near = 0
			if err := near.readTexts(c, c.pairs.lanes); err != nil {
				t.Fatal(err)
			}
			if all++; ok {
				some++
			}
			if ok && got != c.near {
				t.Fatalf("%q: %v, not %v", words, got, c.near)
			}
		}
		near.q.Close()
	}
	if some < all/2 || some == 0 {
		t.Errorf("%d turns of %d are packed", some, all)
	}
}
