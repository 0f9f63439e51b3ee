package main

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/hansard-search/hansard/corpus"
)

// TestRecentKeepsItsBudget: whatever was said, the block costs no more than it
// may, and is whole characters.
func TestRecentKeepsItsBudget(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := recentPage{Cwd: "/home/u/api", Budget: rapid.IntRange(20, 1000).Draw(t, "budget")}
		for range rapid.IntRange(1, 6).Draw(t, "sessions") {
			p.Sessions = append(p.Sessions, recentSession{
				SessionRecord: corpus.SessionRecord{SessionID: "0fe553fc-e62a", Turns: 3, Name: rapid.String().Draw(t, "name")},
				Asked:         strings.Repeat(rapid.String().Draw(t, "asked"), 20), Concluded: strings.Repeat(rapid.String().Draw(t, "concluded"), 20),
			})
		}
		text := p.words(&screen{now: now})
		if tokens(text) > p.Budget || !utf8.ValidString(text) {
			t.Fatalf("%d tokens of %d: %q", tokens(text), p.Budget, text)
		}
	})
}

// TestRecentUsesItsBudget: what one session does not need goes to the others.
func TestRecentUsesItsBudget(t *testing.T) {
	long := strings.Repeat("word ", 1000)
	p := recentPage{Cwd: "/home/u/api", Budget: 300, Sessions: []recentSession{
		{SessionRecord: corpus.SessionRecord{SessionID: "0fe553fc-e62a", Updated: corpus.Time{Time: now.Add(-time.Hour)}}, Asked: "short", Concluded: "too"},
		{SessionRecord: corpus.SessionRecord{SessionID: "1fe553fc-e62a"}, Asked: long, Concluded: long},
	}}
	if n := tokens(p.words(&screen{now: now})); n < 290 || n > 300 {
		t.Errorf("%d tokens of 300", n)
	}
}
