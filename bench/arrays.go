package main

import (
	"math"
	"slices"
	"strings"
)

// The limit of answering: postings as plain arrays in memory, added up a
// container of 65,536 turns after the other, whose scores stay in the cache. No
// dictionary, no filters, no names or text of what is found, nothing skipped.

const container = 1 << 16

// A posting is a turn in which a word stands, and what it adds to its score.
type posting struct {
	turn  uint32
	score float32
}

// arrays are the postings of the words that queries ask for.
type arrays struct {
	words  map[string][]posting
	turns  uint32
	scores [container]float32
	at     []int // of each word of the query: the first posting that is still to be added
	best   []posting
}

// arraysQuery asks for the ten best turns with any of the words.
func arraysQuery(j *job, r *result) error {
	a := &arrays{words: make(map[string][]posting)}
	for _, class := range classes {
		for _, q := range j.Queries[class] {
			for _, w := range q {
				a.words[w] = nil
			}
		}
	}
	if err := eachPair(j.dataset, a.add); err != nil {
		return err
	}
	for _, list := range a.words {
		idf := float32(math.Log(1 + float64(a.turns)/float64(len(list)+1)))
		for i := range list {
			list[i].score *= idf
		}
	}
	return j.ask(r, len(j.Queries["mixed"]), func(q []string) (int, error) { return len(a.search(q)), nil })
}

// add notes the words of a turn, saturated and by the text's length as in BM25.
func (a *arrays) add(p pair) error {
	counts := make(map[string]int)
	words := strings.FieldsFunc(p.Prompt+" "+p.Answer, func(r rune) bool { return r == ' ' || r == '.' })
	for _, w := range words {
		if _, ok := a.words[w]; ok {
			counts[w]++
		}
	}
	length := 0.25 + 0.75*float32(len(words))/175 // as long as turns are on average
	for w, n := range counts {
		a.words[w] = append(a.words[w], posting{a.turns, float32(n) / (float32(n) + 1.2*length)})
	}
	a.turns++
	return nil
}

func (a *arrays) search(q []string) []posting {
	const rows = 10
	a.at = append(a.at[:0], make([]int, len(q))...)
	a.best = a.best[:0]
	least := float32(0)
	for first := uint32(0); first < a.turns; first += container {
		for i, w := range q {
			a.at[i] += a.fill(a.words[w][a.at[i]:], first)
		}
		for i, score := range a.scores {
			if score <= least {
				continue
			}
			at, _ := slices.BinarySearchFunc(a.best, score, func(p posting, s float32) int {
				if p.score >= s {
					return -1
				}
				return 1
			})
			a.best = slices.Insert(a.best, at, posting{first + uint32(i), score})
			if len(a.best) > rows {
				a.best = a.best[:rows]
			}
			if len(a.best) == rows {
				least = a.best[rows-1].score
			}
		}
		clear(a.scores[:])
	}
	return a.best
}

// fill adds a word's scores in the container that begins at first, and returns
// how many postings that took.
func (a *arrays) fill(list []posting, first uint32) int {
	for i, p := range list {
		at := p.turn - first
		if at >= container {
			return i
		}
		a.scores[at] += p.score
	}
	return len(list)
}
