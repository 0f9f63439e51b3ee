package corpus

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/hansard-search/hansard/sources"
)

// manyTexts invents text of words that come again, among them some that are no
// plain ones, and of words that come once.
func manyTexts(rnd *rand.Rand, words int) string {
	common := strings.Fields("the a of key lockfile gained Cache don't naïve foo_bar file.go dry-run c++ 日本語 sha256 parseHTTPRequest x")
	between := strings.Split(" | | | |. |, |\n\n|  |/|-|(", "|")
	var b strings.Builder
	for range words {
		switch n := rnd.IntN(10); {
		case n < 4:
			fmt.Fprintf(&b, "w%x", rnd.Uint32())
		case n < 6:
			fmt.Fprintf(&b, "word%d", rnd.IntN(2000))
		default:
			b.WriteString(common[rnd.IntN(len(common))])
		}
		b.WriteString(between[rnd.IntN(len(between))])
	}
	return b.String() + "."
}

// Texts of a run in which words are learned, marked and forgotten are what they
// were.
func TestManyTexts(t *testing.T) {
	b := newBench(t)
	rnd := rand.New(rand.NewPCG(1, 2))
	want, size := map[string][2]string{}, 0
	for s := range 80 {
		var records []sources.Record
		for i := range 50 {
			r := sources.Record{
				ID: fmt.Sprintf("t%d-%d", s, i), Prompt: manyTexts(rnd, 30), Answer: manyTexts(rnd, rnd.IntN(200)),
				Time: began.Add(time.Duration(s*50+i) * time.Second),
			}
			want[r.ID], size = [2]string{r.Prompt, r.Answer}, size+len(r.Prompt)+len(r.Answer)
			records = append(records, r)
		}
		b.src.AppendRecords(fmt.Sprint("s", s), records...)
	}
	b.sync()
	for r, err := range b.open().Export(t.Context(), Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		if got := [2]string{r.Prompt, r.Summary}; got != want[r.TurnID] {
			t.Fatalf("%s: %q, want %q", r.TurnID, got, want[r.TurnID])
		}
		delete(want, r.TurnID)
	}
	if len(want) > 0 || size < 3<<20 {
		t.Errorf("%d turns are not there; %d bytes of text", len(want), size)
	}
}
