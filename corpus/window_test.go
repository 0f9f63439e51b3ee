package corpus

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/hansard-search/hansard/corpus/internal/snippet"
	"github.com/hansard-search/hansard/segment"
)

func TestWindowBounds(t *testing.T) {
	tests := []struct{ match, before, after, total, from, to int }{
		{10, 4, 4, 100, 6, 15},
		{0, 4, 4, 100, 0, 5},
		{99, 4, 4, 100, 95, 100},
		{1, 4, 4, 3, 0, 3},
		{0, 0, 0, 1, 0, 1},
		{5, -3, -1, 10, 5, 6},
		{50, 20, 20, 100, 43, 59},
		{50, 20, 4, 100, 39, 55},
		{50, 4, 20, 100, 46, 62},
		{50, 100, 0, 100, 35, 51},
		{2, 100, 100, 100, 0, 16},
		{50, math.MaxInt, math.MaxInt, 100, 43, 59},
		{-1, 4, 4, 10, 0, 0},
		{10, 4, 4, 10, 0, 0},
	}
	for _, tt := range tests {
		if from, to := windowBounds(tt.match, tt.before, tt.after, tt.total); from != tt.from || to != tt.to {
			t.Errorf("windowBounds(%d, %d, %d, %d) = %d, %d; want %d, %d", tt.match, tt.before, tt.after, tt.total, from, to, tt.from, tt.to)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		total := rapid.IntRange(1, 60).Draw(t, "total")
		match := rapid.IntRange(0, total-1).Draw(t, "match")
		before, after := rapid.IntRange(-2, 60).Draw(t, "before"), rapid.IntRange(-2, 60).Draw(t, "after")
		from, to := windowBounds(match, before, after, total)
		if from < 0 || from > match || to <= match || to > total || to-from > MaxWindow {
			t.Errorf("windowBounds(%d, %d, %d, %d) = %d, %d", match, before, after, total, from, to)
		}
		if full := min(max(before, 0), match) + min(max(after, 0), total-1-match) + 1; to-from != min(full, MaxWindow) {
			t.Errorf("windowBounds(%d, %d, %d, %d) = %d, %d: %d items", match, before, after, total, from, to, to-from)
		}
	})
}

func TestWindowItems(t *testing.T) {
	messages := []segment.Message{
		{Role: segment.User, Text: "why does it fail"},
		{Role: segment.Assistant, Tool: "Bash", Text: "go test ./... and a long tail"},
	}
	got := windowItems(messages, 12, func(text string) snippet.Snippet { return snippet.Best(text, nil, 20) })
	want := []WindowItem{
		{Role: "user", MsgIdx: 12, Snippet: "why does it fail"},
		{Role: "assistant", MsgIdx: 13, Snippet: "go test ...", Truncated: true, ToolName: "Bash"},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got\n%s", d)
	}
}
