package corpus

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hansard-search/hansard/corpus/internal/search"
	"github.com/hansard-search/hansard/sources"
)

// TestSkippingEqualsScoringAll: over several blocks and shards, searches that
// leave turns out answer what searches answer that score all of them.
func TestSkippingEqualsScoringAll(t *testing.T) {
	b := newBench(t)
	r := rand.New(rand.NewPCG(3, 4))
	zipf := rand.NewZipf(r, 1.2, 3, 2000)
	words := func(n int) string {
		s := make([]string, n)
		for i := range s {
			if s[i] = invented(zipf.Uint64()); r.IntN(9) == 0 {
				s[i] = "the"
			} else if r.IntN(5) == 0 {
				s[i] += "ing"
			}
		}
		return strings.Join(s, " ")
	}
	turn := 0
	for _, sessions := range []int{900, 60, 5} {
		for range sessions {
			session := fmt.Sprintf("s%d", r.IntN(1200))
			for range 1 + r.IntN(18) {
				turn++
				rec := sources.Record{ID: fmt.Sprintf("t%d", turn), Prompt: words(1 + r.IntN(8)), Answer: words(1 + r.IntN(30)), Time: began.Add(time.Duration(turn) * time.Minute),
					Cwd: fmt.Sprintf("/home/u/p%d", turn%3)}
				events := rec.Events()
				if r.IntN(3) == 0 {
					events = slices.Insert(events, 1, sources.Event{Kind: sources.ToolCall, Time: rec.Time, Group: rec.ID, Tool: sources.Tool{Name: "Bash"}})
				}
				b.src.Append(sources.Info{Session: session}, events...)
			}
			if r.IntN(4) == 0 {
				b.src.Append(sources.Info{Session: session}, sources.Event{Kind: sources.Title, Rank: 4, Text: words(3), Time: began})
			}
		}
		b.sync()
	}
	c := b.open()
	for range 300 {
		query := make([]string, 1+r.IntN(5))
		for i := range query {
			query[i] = []string{invented(r.Uint64N(6)), invented(r.Uint64N(60)), invented(zipf.Uint64()), invented(200 + r.Uint64N(1500)), "the"}[r.IntN(5)]
		}
		q := Query{Text: strings.Join(query, " "), Group: []Group{ByTurn, BySession}[r.IntN(2)], Limit: []int{1, 10, 50}[r.IntN(3)]}
		switch r.IntN(8) {
		case 0:
			q.Filter.Cwd = "/home/u/p1"
		case 1:
			q.Text += " +" + invented(r.Uint64N(20))
		case 2:
			q.Text += " -" + invented(r.Uint64N(20))
			q.Filter.Cwd = "/home/u/p2"
		case 3:
			q.Text += " " + began.AddDate(0, 0, r.IntN(7)).Format(time.DateOnly)
		case 4:
			q.Text = began.AddDate(0, 0, r.IntN(7)).Format(time.DateOnly)
		case 5: // read as several words
			near := invented(r.Uint64N(60))
			q.Text += " " + near[:2] + near[1:] + []string{"", "ing"}[r.IntN(2)]
		}
		c.searcher.Depth = []int{1, 3, 20, 200}[r.IntN(4)]
		c.searcher.Scale = &search.Scale{Skip: math.MaxInt}
		want := asJSON(t, ask1(t, c, q))
		c.searcher.Scale = []*search.Scale{
			{Skip: 1, Share: 1, Few: 1, AtOnce: 1},
			{Skip: 1, Share: 1, Few: 3, AtOnce: 400, Batch: 1, Long: 5, Crowd: 10, Level: 0.5, Sampled: 1},
			{Skip: 1, Share: 1, Few: 1000, Batch: 3, Crowd: 1000, Level: 0.9, Sampled: 1, Plain: 9},
			{Skip: 1, Share: 1, Few: 2, AtOnce: 50, Spare: 6, Batch: 16, Long: 1000, Crowd: math.MaxInt, Level: 0.3},
			{Skip: 1, Share: 1, Few: 2, All: 1000, AtOnce: 50, Spare: 6, Batch: 16, Level: 0.7, Sampled: 1},
		}[r.IntN(5)]
		if got := asJSON(t, ask1(t, c, q)); got != want {
			t.Fatalf("%+v, depth %d, scale %+v:\n%s\nwant\n%s", q, c.searcher.Depth, c.searcher.Scale, got, want)
		}
	}
}
