package search

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/hansard-search/hansard/corpus/internal/shard"
)

// TestSessionOfTurn: the session of every turn is that of its stretch.
func TestSessionOfTurn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s stretches
		var of []uint32 // by turn
		for n, size := range rapid.SliceOfN(rapid.OneOf(rapid.IntRange(1, 9), rapid.IntRange(1, 900)), 1, 60).Draw(t, "sizes") {
			for range size {
				of = append(of, uint32(n*7%5))
			}
			s.all = append(s.all, shard.Stretch{End: uint32(len(of)), Session: uint32(n * 7 % 5)})
		}
		s.number()
		for doc, want := range of {
			if got := s.session(uint32(doc)); got != want {
				t.Fatalf("turn %d of %d: session %d, want %d", doc, len(of), got, want)
			}
		}
	})
}
