package search

import (
	"fmt"
	"testing"

	"github.com/hansard-search/hansard/corpus/internal/query"
	"github.com/hansard-search/hansard/sources"
	"github.com/hansard-search/hansard/surfaces"
)

// TestBoundWordsAreBounded: of many words that are asked for only so many are
// remembered, and of those the one that is asked for most.
func TestBoundWordsAreBounded(t *testing.T) {
	b := newBench(t)
	for shard := range 3 {
		for n := range 4 {
			b.src.AppendRecords(fmt.Sprintf("s%d", n), sources.Record{ID: fmt.Sprintf("t%d-%d", shard, n), Time: began,
				Prompt: fmt.Sprintf("grinding ginger %d", n), Answer: "Ground, with ginger and cardamom."})
		}
		b.sync()
	}
	s := b.open()
	var p Searcher
	const many = boundMost // words, each of several lists
	for n := range many {
		scored(t, &p, s, fmt.Sprintf("ginger w%d", n)).Close()
	}
	m := &s.words
	lists := 0
	for _, words := range []map[boundKey]*boundEverywhere{m.young, m.old} {
		for _, b := range words {
			lists += b.size()
		}
	}
	if n := len(m.young) + len(m.old); n >= many || lists < boundMost || lists > 2*boundMost+100 {
		t.Errorf("%d words are remembered, of %d lists", n, lists)
	}
	ginger := &query.Word{Groups: []query.Group{{Share: 1, Keys: []string{"ginger"}}}}
	if k, _ := keyOf(ginger, surfaces.Defaults()); m.get(k) == nil {
		t.Error("the word that is asked for most is forgotten")
	}
}
