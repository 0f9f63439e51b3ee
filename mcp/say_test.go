package mcp

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hansard-search/hansard/corpus"
)

// TestAsidesHaveAnOrder: the same answer reads the same each time.
func TestAsidesHaveAnOrder(t *testing.T) {
	a := &corpus.Answer{Scope: corpus.Scope{Repaired: map[string]string{}}}
	for i := range 10 {
		a.Scope.Repaired[fmt.Sprintf("wrd%d", i)] = "word"
	}
	var b strings.Builder
	sayAsides(&b, a)
	if lines := strings.Fields(b.String()); len(lines) != 40 || !slices.IsSorted(slices.Collect(strings.Lines(b.String()))) {
		t.Error(b.String())
	}
}

// TestFiltersAreSaid: with their values as they were given, and moments as elsewhere.
func TestFiltersAreSaid(t *testing.T) {
	s := &Server{Now: func() time.Time { return time.Date(2026, 10, 1, 0, 0, 0, 0, time.UTC) }}
	var b strings.Builder
	s.sayNothing(&b, &corpus.Answer{Query: "retry", Scope: corpus.Scope{Refresh: corpus.RefreshSkipped, RemovedByFilters: 1, Filters: map[string]any{
		"project": []string{"api", "web"}, "path": "list[0]", "after": corpus.Time{Time: time.Date(2026, 9, 1, 8, 0, 0, 0, time.UTC)},
	}}})
	if !strings.Contains(b.String(), "The filters (after: 2026-09-01 08:00; path: list[0]; project: api or web) removed 1 match.\n") ||
		!strings.Contains(b.String(), "was not brought up to date") {
		t.Error(b.String())
	}
}

// TestPastTheEnd: a page behind the last session says so.
func TestPastTheEnd(t *testing.T) {
	if got := (&Server{}).sayList(&corpus.SessionList{Total: 3, Offset: 9}); got != "No sessions from 9 on: there are 3.\n" {
		t.Errorf("%q", got)
	}
}

// TestMemoryHasAsides: entries that were found do not hide what the answer rests on.
func TestMemoryHasAsides(t *testing.T) {
	s := &Server{Now: time.Now}
	a := &corpus.Answer{Total: 1, Scope: corpus.Scope{Turns: 9, UnknownWords: []string{"wombat"}, Damaged: []string{"shards/2.shard"}}}
	got := s.sayMemory(&memoryAnswer{Total: 1, Results: []*corpus.TurnRecord{{Prompt: "Deploy"}}}, a)
	want := "1 of 9 entries match; the best 1 follow.\nNowhere in the index: wombat.\nDamaged, and left out: shards/2.shard (hansard check tells more).\n"
	if !strings.HasPrefix(got, want) {
		t.Error(got)
	}
}
