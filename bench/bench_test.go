package main

import (
	"bytes"
	"cmp"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

// The containers must give what adding up all postings at once gives.
func TestArraysAddUp(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	q := []string{"a", "b", "c"}
	a := &arrays{words: map[string][]posting{}, turns: 3*container + 17}
	sums := make([]float32, a.turns)
	for _, w := range q {
		for turn := uint32(r.IntN(9)); turn < a.turns; turn += 1 + uint32(r.IntN(9000)) {
			p := posting{turn, r.Float32()}
			a.words[w] = append(a.words[w], p)
			sums[turn] += p.score
		}
	}
	slices.SortFunc(sums, func(x, y float32) int { return cmp.Compare(y, x) })
	for range 2 { // nothing may be left behind by the first
		for i, p := range a.search(q) {
			if p.score != sums[i] {
				t.Fatalf("row %d has %v, want %v", i, p.score, sums[i])
			}
		}
	}
	if len(a.best) != 10 {
		t.Fatalf("%d rows, want 10", len(a.best))
	}
}

func TestFlags(t *testing.T) {
	o, err := parse(strings.Fields("-all -updates 20 -quick -large 2M"), io.Discard)
	if err != nil || !o.all || o.large != 2e6 || o.updates != 20 || o.small != quick.small || o.budget != quick.budget {
		t.Errorf("%+v, %v", o, err)
	}
	for _, bad := range []string{"-turns k", "-turns 0", "-turns 3kM", "-kind fat"} {
		if _, err := parse(strings.Fields(bad), io.Discard); err == nil {
			t.Errorf("%s was taken", bad)
		}
	}
}

// A row is reached only where no more was taken than is allowed.
func TestRows(t *testing.T) {
	m := &measurement{o: &options{}, out: io.Discard, d: &dataset{Kind: "lean", Turns: 1000, Text: 80e6},
		first: map[string]cost{
			"hansard": {Wall: 4 * time.Second, Peak: 200 * mb},
			"fts5":    {Wall: time.Second, result: result{Found: map[string]int{"turns": 500}}},
		}}
	for _, c := range []struct {
		row                     row
		reached, others, gotten string
	}{
		{m.leanRow()[0], "no, 2.00x", "FTS5 40 MB/s (500 of the turns in 1.00 s)", "20 MB/s"},
		{m.resident("", 250*mb, ""), "yes", "", "200 MB, 0 B of its own"},
		{m.resident("", 100*mb, ""), "no, 2.00x", "", "200 MB, 0 B of its own"},
	} {
		if c.row.reached() != c.reached || c.row.others != c.others || c.row.got != c.gotten {
			t.Errorf("%+v: %s; want %+v", c.row, c.row.reached(), c)
		}
	}
	if rows := m.answerRow("session", .5, 2); rows != nil {
		t.Errorf("a row of what was not measured: %v", rows)
	}
}

// A process's memory is read from its status, in kilobytes.
func TestMemory(t *testing.T) {
	status := bytes.TrimSpace([]byte("Name:\tx\nVmHWM:\t    2048 kB\nRssAnon:\t 12 kB\n"))
	if peak, own := memory(status, "VmHWM:"), memory(status, "RssAnon:"); peak != 2<<20 || own != 12<<10 {
		t.Errorf("%d, %d", peak, own)
	}
	if memory(status, "VmSwap:") != 0 {
		t.Error("a line that is not there has a value")
	}
}
