package search

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/hansard-search/hansard/sources"
)

// TestMeanwhile: rows that are read meanwhile are as if they were read when it is
// their turn, however many that are.
func TestMeanwhile(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	b := newBench(t)
	for turn := range 200 {
		b.src.AppendRecords(fmt.Sprintf("s%d", turn%30), sources.Record{ID: fmt.Sprintf("t%d", turn), Prompt: fmt.Sprint("alpha ", turn%3),
			Answer: "beta alpha " + invented(uint64(turn%7)) + " beta", Time: began.Add(time.Duration(turn) * time.Hour)})
	}
	b.sync()
	s := b.open()
	want := boundRows(t, s, "alpha beta")
	q := &Search{snap: s}
	for _, wait := range []bool{true, false} {
		var rows []*contender
		read := 0
		o := &opened{q: q, near: nearOf(t, s, "alpha beta")}
		for _, row := range want {
			rows = append(rows, &contender{ranked: row.ranked, pairs: row.pairs, recency: row.recency, bounded: true})
		}
		m := o.meanwhile(rows)
		if wait {
			m.done.done.Wait()
		}
		m.end()
		for i, r := range rows {
			if !r.read {
				continue
			}
			read++
			if err := m.near.settle(r); err != nil {
				t.Fatal(err)
			}
			if w := want[i]; r.near != w.near || r.prompt != w.prompt || r.unrepeated != w.unrepeated || r.most != w.unrepeated {
				t.Fatalf("row %d: %v, %v, want %v, %v", i, r.near, r.unrepeated, w.near, w.unrepeated)
			}
		}
		if wait && (read != len(want) || read == 0) {
			t.Errorf("%d rows of %d were read", read, len(want))
		}
	}
}

// nearOf makes a reader of a query's pairs.
func nearOf(t *testing.T, s *snapshot, text string) *nearReader {
	q := scored(t, new(Searcher), s, text)
	q.text = newTextReader(q.plan)
	return q.nearReader()
}
