package rank

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestIDF(t *testing.T) {
	last := math.Inf(1)
	for df := range 101 {
		w := IDF(df, 100)
		if w <= 0 || w >= last {
			t.Errorf("IDF(%d, 100) = %v after %v", df, w, last)
		}
		last = w
	}
	if IDF(200, 100) != IDF(100, 100) {
		t.Error("more documents than there are count as all")
	}
}

func TestSaturate(t *testing.T) {
	if Saturate(0) != 0 || math.Abs(Saturate(1)-1) > 1e-12 || Saturate(1e9) > K1+1 {
		t.Errorf("0, 1 and many give %v, %v, %v", Saturate(0), Saturate(1), Saturate(1e9))
	}
}

func TestNorms(t *testing.T) {
	n := NewNorms(1.5, B, 40)
	if math.Abs(n[LengthCode(40)]-1.5) > 1e-12 {
		t.Errorf("a text of mean length counts %v, not its weight", n[LengthCode(40)])
	}
	for c := range 255 {
		if n[c] <= n[c+1] {
			t.Fatalf("longer texts count no less: %d %v, %d %v", c, n[c], c+1, n[c+1])
		}
	}
}

func TestMean(t *testing.T) {
	if got := Mean(0, 0, 100); got != 100 {
		t.Errorf("without texts: %v", got)
	}
	if got := Mean(30_000_000, 1_000_000, 100); math.Abs(got-30) > 0.01 {
		t.Errorf("of many texts: %v", got)
	}
}

func TestCover(t *testing.T) {
	c := NewCover(8)
	if got := c.Score(10, 8); got != 10 {
		t.Errorf("all words: %v", got)
	}
	if got := c.Score(10, 0); got != 10*(1-Coverage) {
		t.Errorf("no words: %v", got)
	}
	if got := NewCover(0).Score(10, 0); got != 10 {
		t.Errorf("a query without weight: %v", got)
	}
}

// TestBest: the four best, however they come and are merged.
func TestBest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		scores := rapid.SliceOf(rapid.Float64Range(0.1, 9)).Draw(t, "scores")
		cut := rapid.IntRange(0, len(scores)).Draw(t, "cut")
		var a, b Best
		for i, s := range scores {
			if i < cut {
				a.Add(s)
			} else {
				b.Add(s)
			}
		}
		a.Merge(&b)
		slices.SortFunc(scores, func(x, y float64) int { return cmp.Compare(y, x) })
		for i := range a {
			want := 0.0
			if i < len(scores) {
				want = scores[i]
			}
			if a[i] != want {
				t.Fatalf("%v of %v", a, scores)
			}
		}
		if a.Support() > SupportMost*a[0]+1e-9 {
			t.Fatalf("support %v of best %v", a.Support(), a[0])
		}
	})
}

// TestNearest: what a comparison of all places gives.
func TestNearest(t *testing.T) {
	places := rapid.Custom(func(t *rapid.T) []int {
		list := rapid.SliceOfDistinct(rapid.IntRange(0, 30), rapid.ID[int]).Draw(t, "places")
		slices.Sort(list)
		return list
	})
	rapid.Check(t, func(t *rapid.T) {
		a, b := places.Draw(t, "a"), places.Draw(t, "b")
		want := 0.0
		for _, x := range a {
			for _, y := range b {
				want = max(want, closeTo(y-x))
			}
		}
		if got := nearest(a, b); got != want {
			t.Fatalf("%v, want %v", got, want)
		}
	})
}

func TestFactors(t *testing.T) {
	if Recency(-3) != RecencyMost || math.Abs(Recency(RecencyHalf)-(1+RecencyGain/2)) > 1e-12 || Recency(1e6) != 1 {
		t.Errorf("recency %v, %v, %v", Recency(-3), Recency(RecencyHalf), Recency(1e6))
	}
	if Repeated(0) != 1 || Repeated(1) != Repeat || Repeated(1000) != RepeatFloor {
		t.Errorf("repeated %v, %v, %v", Repeated(0), Repeated(1), Repeated(1000))
	}
}

// TestTop: the first of all in order.
func TestTop(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := rapid.SliceOf(rapid.IntRange(0, 50)).Draw(t, "all")
		most := rapid.IntRange(-1, 12).Draw(t, "most")
		top := Top[int]{Most: most, Better: func(a, b *int) int { return cmp.Compare(*b, *a) }}
		for i, x := range all {
			if top.Full() {
				if want := slices.Sorted(slices.Values(all[:i]))[i-most]; *top.Worst() != want {
					t.Fatalf("worst %d, want %d", *top.Worst(), want)
				}
			}
			top.Add(x)
		}
		slices.SortFunc(all, func(a, b int) int { return cmp.Compare(b, a) })
		if most > 0 {
			all = all[:min(most, len(all))]
		}
		if got := top.Sorted(); !slices.Equal(got, all) {
			t.Fatalf("%v, want %v", got, all)
		}
	})
}
