package rank

import "math"

// A Pair is two words of a query that stand side by side in it.
type Pair struct {
	First, Second int     // their numbers
	Weight        float64 // of the commoner one
}

// Closeness scores how near to each other and in which order the pairs' words
// stand in a text. at holds, by word, the places where it stands, ascending.
func Closeness(pairs []Pair, at [][]int) float64 {
	sum := 0.0
	for _, p := range pairs {
		sum += p.Weight * nearest(at[p.First], at[p.Second])
	}
	return sum
}

// nearest is 1 for places side by side, a half for one word between, and so on.
// One place cannot be both words: it is an identifier's and its part's.
func nearest(a, b []int) float64 {
	best := 0.0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		best = max(best, closeTo(b[j]-a[i]))
		switch {
		case a[i] < b[j]:
			i++
		case a[i] > b[j]:
			j++
		default:
			if j+1 < len(b) {
				best = max(best, closeTo(b[j+1]-a[i]))
			}
			if i+1 < len(a) {
				best = max(best, closeTo(b[j]-a[i+1]))
			}
			i, j = i+1, j+1
		}
	}
	return best
}

func closeTo(distance int) float64 {
	switch {
	case distance > 0 && distance <= NearWindow:
		return 1 / float64(distance)
	case distance < 0 && -distance <= NearWindow:
		return Backward / float64(-distance)
	}
	return 0
}

// Recency is the factor of a turn that is so many days old; younger than
// nothing counts as new.
func Recency(days float64) float64 {
	return 1 + RecencyGain*math.Exp2(-max(days, 0)/RecencyHalf)
}

// RecencyMost is Recency's bound.
const RecencyMost = 1 + RecencyGain

// Repeated is the factor of a row with so many better ones of the same prompt.
func Repeated(before int) float64 {
	return max(RepeatFloor, math.Pow(Repeat, float64(before)))
}
