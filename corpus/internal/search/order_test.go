package search

import (
	"cmp"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/hansard-search/hansard/corpus/internal/rank"
	"github.com/hansard-search/hansard/corpus/internal/signal"
)

// TestSettled: whatever the order in which rows are read, repeated prompts are
// held back as if all were sorted at once, and what was reached stays.
func TestSettled(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		scores := rapid.SliceOfDistinct(rapid.IntRange(1, 1000), rapid.ID[int]).Draw(t, "scores")
		want := rapid.IntRange(1, 5).Draw(t, "want")
		var s settled
		sorted := make([]*contender, len(scores))
		for i, score := range scores {
			c := &contender{unrepeated: float64(score)}
			if n := rapid.IntRange(0, 3).Draw(t, "prompt"); n > 0 {
				c.prompt = signal.Of(string(rune('a' + n)))
			}
			sorted[i] = c
			s.add(c)
		}
		slices.SortFunc(sorted, func(a, b *contender) int { return cmp.Compare(b.unrepeated, a.unrepeated) })
		before := map[signal.Hash]int{}
		var finals []float64
		for _, c := range sorted {
			n := before[c.prompt]
			if c.prompt.IsZero() {
				n = 0
			}
			before[c.prompt]++
			if c.final != c.unrepeated*rank.Repeated(n) {
				t.Fatalf("score %v with %d before it: %v", c.unrepeated, n, c.final)
			}
			finals = append(finals, c.final)
		}
		slices.SortFunc(finals, func(a, b float64) int { return cmp.Compare(b, a) })
		most := rapid.Float64Range(0, 1000).Draw(t, "most")
		if got := s.reached(want, most); got != (len(finals) >= want && finals[want-1] > most) {
			t.Fatalf("%d of %v above %v: %v", want, finals, most, got)
		}
	})
}

// TestPromptHash: capitals and blanks do not matter, all else does.
func TestPromptHash(t *testing.T) {
	n := &nearReader{room: new(orderRoom)}
	for _, same := range [][2]string{{"Fix it", " fix\n IT "}, {"ÄÖ x", "äö  X"}, {"", " \t"}} {
		if n.promptHash(same[0]) != n.promptHash(same[1]) {
			t.Errorf("%q and %q are told apart", same[0], same[1])
		}
	}
	for _, other := range [][2]string{{"fix it", "fixit"}, {"fix it", "fix it."}, {"é", "e"}} {
		if n.promptHash(other[0]) == n.promptHash(other[1]) {
			t.Errorf("%q and %q are taken for the same", other[0], other[1])
		}
	}
}
