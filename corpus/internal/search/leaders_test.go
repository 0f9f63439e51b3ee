package search

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestLeaders: the worst of the best is the one of all scores in order, whoever rises,
// and a hit tells where its session is.
func TestLeaders(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 2))
	for _, most := range []int{1, 2, 7, 40} {
		hits := make([]sessionHit, 60)
		l := leaders{most: most, which: 1, hits: hits}
		for range 3000 {
			number := r.Uint32N(uint32(len(hits)))
			l.rose(number, hits[number].score+float64(r.IntN(4)))
			var scores []float64
			led := 0
			for n := range hits {
				if at := hits[n].place[1]; at > 0 {
					if led++; l.heap[at-1] != (leader{hits[n].score, uint32(n)}) {
						t.Fatalf("session %d of score %v is said to be %v", n, hits[n].score, l.heap[at-1])
					}
				}
				scores = append(scores, hits[n].score)
			}
			slices.Sort(scores)
			want := 0.0
			if len(l.heap) == most {
				want = scores[len(scores)-most]
			}
			if got := l.least(); got != want || led != len(l.heap) {
				t.Fatalf("the least of %d is %v, not %v; %d of %d know their places", most, got, want, led, len(l.heap))
			}
		}
	}
}
