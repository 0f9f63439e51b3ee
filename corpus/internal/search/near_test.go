package search

import (
	"bytes"
	"cmp"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/hansard-search/hansard/sources"
)

// TestBoundsHold: no row scores more once its text was read than what was said of
// it before, and much of what was said could not be said with less.
func TestBoundsHold(t *testing.T) {
	b := newBench(t)
	r := rand.New(rand.NewPCG(7, 8))
	between := []string{" ", " ", " ", " ", " ", ", ", ". ", "\n", "-", "_", ".", "/", "'", " (", "\" ", " é", " 缓存", "+", "=", " aB1", strings.Repeat("aB1", 30)}
	text := func(n int) string {
		return mixedText(r, n, func() int { return min(r.IntN(40), r.IntN(40), r.IntN(40)) }, []string{"s", "ing", "ed", "Get", "7"}, between)
	}
	for turn := range 1500 {
		b.src.AppendRecords(fmt.Sprintf("s%d", r.IntN(300)), sources.Record{ID: fmt.Sprintf("t%d", turn), Prompt: text(1 + r.IntN(12)), Answer: text(1 + r.IntN(90)),
			Time: began.Add(time.Duration(turn) * time.Hour)})
	}
	b.sync()
	s := b.open()
	exact, all := 0, 0
	for range 300 {
		words := make([]string, 2+r.IntN([]int{4, 4, 4, 30}[r.IntN(4)]))
		for i := range words {
			words[i] = invented(uint64(min(r.IntN(40), r.IntN(40))))
		}
		q := strings.Join(words, " ") + []string{"", "", " aB1", " 缓存", "*"}[r.IntN(5)]
		for _, row := range boundRows(t, s, q) {
			if row.unrepeated > row.most || row.most > row.first {
				t.Fatalf("%q: %v in the end, %v at most, %v at first:\n%q", q, row.unrepeated, row.most, row.first, row.texts)
			}
			if all++; row.most == row.unrepeated {
				exact++
			}
		}
	}
	if exact < all/10 || exact == all {
		t.Errorf("%d bounds of %d were reached", exact, all)
	}
}

// A boundRow is a row with what was said of its score.
type boundRow struct {
	*contender
	first float64
}

// boundRows reads all rows of a query.
func boundRows(t *testing.T, s *snapshot, text string) (rows []boundRow) {
	near := nearOf(t, s, text)
	near.keep = near.q.depth
	for _, c := range near.contenders(near.q.turns.Kept()) {
		row := boundRow{c, c.most}
		if has, told := lookedUp(near, &c.ranked), near.possible(&c.ranked); has != told {
			t.Fatalf("%q: pairs %+v by what was noted, %+v by postings", text, told, has)
		}
		for !c.bounded {
			if err := near.bound(c); err != nil {
				t.Fatal(err)
			}
		}
		if err := cmp.Or(near.read(c), near.settle(c)); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, row)
	}
	return rows
}

// lookedUp is where pairs can stand close together in a turn, of which nothing was
// noted.
func lookedUp(n *nearReader, r *ranked) nearness {
	noted := n.q.sited
	defer func() { n.q.sited = noted }()
	n.q.sited = bytes.Repeat([]byte{nowhereNoted}, len(noted))
	return n.possible(r)
}

// mixedText invents a text of n words that number gives, some of them in capitals,
// in another form or never seen before.
func mixedText(r *rand.Rand, n int, number func() int, endings, between []string) string {
	var s strings.Builder
	for range n {
		word := invented(uint64(number()))
		switch r.IntN(12) {
		case 0:
			word = strings.ToUpper(word)
		case 1:
			word = strings.ToUpper(word[:1]) + word[1:]
		case 2:
			word += endings[r.IntN(len(endings))]
		case 3:
			word = fmt.Sprintf("x%d", r.IntN(1e6))
		}
		s.WriteString(word)
		s.WriteString(between[r.IntN(len(between))])
	}
	return s.String()
}
