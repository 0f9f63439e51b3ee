package rank

import (
	"math/bits"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// A roughLane is what a lane holds of a word in a block.
type roughLane struct {
	has    [RoughDocs / 64]uint64
	counts []uint8 // of those that have it, and room
	codes  [RoughDocs]uint8
	tools  [RoughDocs / 64]uint64
}

func drawRoughLane(t *rapid.T, r *rand.Rand) *roughLane {
	l := new(roughLane)
	every := rapid.SampledFrom([]int{1, 2, 7, 100, 5000}).Draw(t, "every")
	most := rapid.SampledFrom([]int{1, 3, 70, 255}).Draw(t, "count")
	low := rapid.IntRange(0, 255).Draw(t, "length")
	for d := range RoughDocs {
		l.codes[d] = uint8(low + r.IntN(256-low))
		if r.IntN(every) == 0 {
			l.has[d>>6] |= 1 << (d & 63)
			l.counts = append(l.counts, uint8(1+r.IntN(most)))
		}
		l.tools[d>>6] |= r.Uint64() & 1 << (d & 63)
	}
	for range RoughRoom {
		l.counts = append(l.counts, uint8(r.Uint32())) // of no meaning
	}
	return l
}

// TestRough: what is left of a block is the same whatever the processor, and no
// document is left out that is above.
func TestRough(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		norms := [2]*Norms{NewNorms(1.5, AnswerB, 20), NewNorms(1.5*ToolFactor, AnswerB, 20)}
		rough := NewRoughNorms(norms)
		var fast, plain Rough
		var exact, weights [RoughDocs]float64
		unit := rapid.Float64Range(0.1, 60).Draw(t, "unit")
		fast.Begin()
		words := rapid.IntRange(1, RoughWords).Draw(t, "words")
		for w := range words {
			var x [RoughDocs]float64
			for n := range rapid.IntRange(1, 3).Draw(t, "lanes") {
				l := drawRoughLane(t, r)
				fast.Occur(&l.has, l.counts, &l.codes, rough, &l.tools, n > 0)
				occurPlain(&plain.x, &l.has, l.counts, &l.codes, rough, &l.tools, n > 0)
				l.add(&x, norms)
			}
			var scores RoughScores
			weight := 0.05 + 8*r.Float64()
			scores.Fill(unit * weight)
			fast.Word(&scores)
			foldPlain(&plain.sum, &plain.words, &plain.x, &scores, 1<<w, w > 0)
			for d, x := range x {
				if x > 0 {
					exact[d] += weight * Saturate(x)
					weights[d] += weight
				}
			}
		}
		if fast.sum != plain.sum || fast.words != plain.words {
			t.Fatal("sums differ")
		}
		var least [1 << RoughWords]uint8
		for i := range least {
			least[i] = uint8(r.Uint32())
			if i%5 == 0 {
				least[i] = RoughNever - uint8(i%2)
			}
		}
		all := [RoughDocs / 64]uint64{}
		for i := range all {
			all[i] = r.Uint64() | r.Uint64()
		}
		left, want := all, all
		fast.Over(&least, &left)
		overPlain(&plain.sum, &plain.words, &least, &want)
		if left != want {
			t.Fatal("other documents are left")
		}
		for d := range RoughDocs {
			if bound := fast.sum[d]; bound < RoughNever-1 && float64(bound) < unit*exact[d]*(1-1e-9) {
				t.Fatalf("document %d scores %g, bound %d", d, unit*exact[d], bound)
			}
			if (bits.OnesCount8(fast.words[d]) > 0) != (weights[d] > 0) {
				t.Fatalf("document %d has words %b", d, fast.words[d])
			}
		}
	})
}

// add adds up the lane's occurrences.
func (l *roughLane) add(x *[RoughDocs]float64, norms [2]*Norms) {
	n := 0
	for d := range RoughDocs {
		if l.has[d>>6]>>(d&63)&1 == 1 {
			x[d] += float64(l.counts[n]) * norms[l.tools[d>>6]>>(d&63)&1][l.codes[d]]
			n++
		}
	}
}

func BenchmarkRough(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	l := new(roughLane)
	for d := range RoughDocs {
		l.codes[d] = uint8(10 + r.IntN(60))
		if r.IntN(3) == 0 {
			l.has[d>>6] |= 1 << (d & 63)
			l.counts = append(l.counts, uint8(1+r.IntN(3)))
		}
	}
	l.counts = append(l.counts, make([]uint8, RoughRoom)...)
	norms := NewRoughNorms([2]*Norms{NewNorms(1, B, 20), NewNorms(1, B, 20)})
	var scores RoughScores
	scores.Fill(10)
	var rough Rough
	var least [1 << RoughWords]uint8
	b.Run("lane", func(b *testing.B) {
		for b.Loop() {
			rough.Occur(&l.has, l.counts, &l.codes, norms, &l.tools, true)
		}
	})
	b.Run("word", func(b *testing.B) {
		for b.Loop() {
			rough.n = 1
			rough.Word(&scores)
		}
	})
	b.Run("over", func(b *testing.B) {
		for b.Loop() {
			rough.Over(&least, &l.tools)
		}
	})
	b.Run("lane plain", func(b *testing.B) {
		for b.Loop() {
			occurPlain(&rough.x, &l.has, l.counts, &l.codes, norms, &l.tools, true)
		}
	})
	b.Run("word plain", func(b *testing.B) {
		for b.Loop() {
			foldPlain(&rough.sum, &rough.words, &rough.x, &scores, 2, true)
		}
	})
	b.Run("over plain", func(b *testing.B) {
		for b.Loop() {
			overPlain(&rough.sum, &rough.words, &least, &l.tools)
		}
	})
}
