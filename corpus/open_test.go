package corpus

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/hansard-search/hansard/corpus/internal/search"
	"github.com/hansard-search/hansard/sources"
)

// TestOpenSessions: answers of which most sessions are never completed are those
// of which all are, with prompts that repeat, many equal scores, sessions of which
// no turn comes up to the floor, and so few rows to put in order that it often
// cannot be told which they are.
func TestOpenSessions(t *testing.T) {
	b := newBench(t)
	r := rand.New(rand.NewPCG(5, 6))
	words := func(n, of int) string {
		s := make([]string, n)
		for i := range s {
			s[i] = invented(uint64(min(r.IntN(of), r.IntN(of))))
		}
		return strings.Join(s, " ")
	}
	prompts := []string{words(3, 12), words(4, 12), words(2, 6)}
	turn := 0
	for range 3 {
		for range 150 {
			session := fmt.Sprintf("s%d", r.IntN(300))
			for range 1 + r.IntN(9) {
				turn++
				at := began.Add(time.Duration(turn-turn%4) * time.Minute)
				b.src.AppendRecords(session, sources.Record{ID: fmt.Sprintf("t%d", turn), Prompt: prompts[r.IntN(3)], Answer: words(1+r.IntN(6), 40), Time: at, Cwd: fmt.Sprintf("/home/u/p%d", turn%2)})
			}
			if r.IntN(3) == 0 {
				b.src.Append(sources.Info{Session: session}, sources.Event{Kind: sources.Title, Rank: 4, Text: words(2, 40), Time: began})
			}
		}
		b.sync()
	}
	c := b.open()
	told := map[bool]int{}
	for range 1000 {
		q := Query{Text: words(1+r.IntN(4), []int{6, 40, 60}[r.IntN(3)]), Limit: []int{1, 3, 10}[r.IntN(3)]}
		if r.IntN(4) == 0 {
			q.Filter.Cwd = "/home/u/p1"
		}
		c.searcher.Depth = []int{2, 6, 20, 40, 200}[r.IntN(5)]
		c.searcher.Scale = &search.Scale{Skip: math.MaxInt}
		want := asJSON(t, ask1(t, c, q))
		c.searcher.Scale = &search.Scale{Skip: 1, Share: 1, Few: r.IntN(3), All: r.IntN(60) * r.IntN(2), AtOnce: r.IntN(200), Spare: r.IntN(4), Batch: 1 + r.IntN(60), Long: r.IntN(20), Crowd: r.IntN(2) * r.IntN(3000), Level: float64(r.IntN(4)) / 3}
		if got := asJSON(t, ask1(t, c, q)); got != want {
			t.Fatalf("%+v, depth %d, %+v:\n%s\nwant\n%s", q, c.searcher.Depth, *c.searcher.Scale, got, want)
		}
		if 2*q.Limit <= c.searcher.Depth {
			told[staysOpen(t, c, q)]++
		}
	}
	if told[true] < 20 || told[false] < 20 {
		t.Errorf("bounds told the first rows, or did not: %v", told)
	}
}

// staysOpen reports whether a query is answered without completing all sessions.
func staysOpen(t *testing.T, c *Corpus, q Query) bool {
	s, err := c.acquire()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Release()
	a, err := s.newAsk(c, q)
	if err != nil {
		t.Fatal(err)
	}
	defer a.release()
	if _, err := a.rows(t.Context()); err != nil {
		t.Fatal(err)
	}
	return a.search.LeftOpen()
}
