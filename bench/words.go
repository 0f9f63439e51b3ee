package main

import (
	"math"
	"math/rand/v2"
)

const (
	// vocabulary is about what 100,000 turns of real transcripts hold after the
	// words that stand in one turn only are left out.
	vocabulary = 60_000
	// zipf and shift are the usual fit to text (Mandelbrot).
	zipf, shift = 1.05, 2.7
	drawBits    = 20
)

// words draws words as text does: few very often, most of them hardly ever.
type words struct {
	r    *rand.Rand
	list []string
	draw []uint16 // rank by quantile; a table is 20 times as fast as computing
}

func newWords(seed uint64) *words {
	w := &words{r: rand.New(rand.NewPCG(seed, 1)), draw: make([]uint16, 1<<drawBits)}
	invent := rand.New(rand.NewPCG(seed, 2))
	seen := make(map[string]bool)
	for len(w.list) < vocabulary {
		if s := word(invent, len(w.list)); !seen[s] {
			seen[s] = true
			w.list = append(w.list, s)
		}
	}
	total := 0.0
	for i := range w.list {
		total += weight(i)
	}
	sum, at := 0.0, 0
	for i := range w.list {
		sum += weight(i)
		for limit := int(sum / total * float64(len(w.draw))); at < limit; at++ {
			w.draw[at] = uint16(i)
		}
	}
	return w
}

func weight(rank int) float64 { return 1 / math.Pow(float64(rank)+shift, zipf) }

// word invents a word; common ones are short.
func word(r *rand.Rand, rank int) string {
	const consonants, vowels = "bcdfghjklmnprstvwz", "aeiou"
	n := 1 + r.IntN(2)
	if rank > 200 {
		n = 2 + r.IntN(3)
	}
	var b []byte
	for range n {
		b = append(b, consonants[r.IntN(len(consonants))], vowels[r.IntN(len(vowels))])
		if r.IntN(3) == 0 {
			b = append(b, consonants[r.IntN(len(consonants))])
		}
	}
	return string(b)
}

func (w *words) rank() int { return int(w.draw[w.r.Uint32()>>(32-drawBits)]) }

// text appends about n words, in sentences.
func (w *words) text(b []byte, n int) []byte {
	for i := range n {
		if i > 0 {
			if w.r.IntN(14) == 0 {
				b = append(b, '.')
			}
			b = append(b, ' ')
		}
		b = append(b, w.list[w.rank()]...)
	}
	return append(b, '.')
}

// length draws how many words a text has: most are short, some are long.
func (w *words) length(mean float64) int {
	return 2 + int(min(mean*8, w.r.ExpFloat64()*mean))
}

// The classes of queries.
var classes = []string{"mixed", "common", "rare"}

// query draws 3 to 5 words: as text has them with some that mean something;
// only from the 30 most common; or none of the 1,000 most common.
func (w *words) query(class string) []string {
	q := make([]string, 3+w.r.IntN(3))
	for i := range q {
		switch {
		case class == "common":
			q[i] = w.list[w.r.IntN(30)]
		case class == "rare", i == 0:
			q[i] = w.list[1000+w.r.IntN(20_000)]
		default:
			q[i] = w.list[w.rank()]
		}
	}
	return q
}
