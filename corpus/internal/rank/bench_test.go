package rank

import (
	"cmp"
	"math/rand/v2"
	"testing"
)

// BenchmarkTop keeps and sorts the best 200 of 5,000 rows as large as a search's.
func BenchmarkTop(b *testing.B) {
	type row struct {
		score float64
		_     [17]float64
	}
	r := rand.New(rand.NewPCG(1, 2))
	scores := make([]float64, 5000)
	for i := range scores {
		scores[i] = r.Float64()
	}
	b.ReportAllocs()
	for b.Loop() {
		top := Top[row]{Most: 200, Better: func(a, b *row) int { return cmp.Compare(b.score, a.score) }}
		for _, s := range scores {
			if !top.Full() || s >= top.Worst().score {
				top.Add(row{score: s})
			}
		}
		top.Sorted()
	}
}
