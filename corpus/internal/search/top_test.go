package search

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestRankedTop: the first of all, in order, many of which score the same.
func TestRankedTop(t *testing.T) {
	var top rankedTop
	rapid.Check(t, func(t *rapid.T) {
		times := rapid.SliceOfDistinct(rapid.Int64Range(0, 1000), rapid.ID[int64]).Draw(t, "times")
		top.most = rapid.IntRange(-1, 12).Draw(t, "most")
		top.Empty()
		var all []ranked
		for _, at := range times {
			r := ranked{score: float64(rapid.IntRange(0, 5).Draw(t, "score")), updated: at, dated: true}
			all = append(all, r)
			if top.Add(r); top.Full() {
				slices.SortFunc(all, func(a, b ranked) int { return compareRanked(&a, &b) })
				if want := all[top.most-1]; *top.Worst() != want {
					t.Fatalf("worst %v, want %v", *top.Worst(), want)
				}
			}
		}
		slices.SortFunc(all, func(a, b ranked) int { return compareRanked(&a, &b) })
		if top.most > 0 {
			all = all[:min(top.most, len(all))]
		}
		sorted := top.Sorted()
		if !slices.Equal(sorted, all) {
			t.Fatalf("%v, want %v", sorted, all)
		}
		kept := slices.Clone(top.Kept())
		slices.SortFunc(kept, func(a, b ranked) int { return compareRanked(&a, &b) })
		if !slices.Equal(kept, sorted) {
			t.Fatalf("kept %v, want %v", kept, sorted)
		}
	})
}
