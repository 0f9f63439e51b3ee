package rank

import "math"

// IDF is the weight of a term that df of n documents hold. It is positive
// whatever df is.
func IDF(df, n int) float64 {
	d := float64(min(df, n))
	return math.Log1p((float64(n) - d + 0.5) / (d + 0.5))
}

// A Norms says by length code what one occurrence of a term counts in a field.
type Norms [256]float64

// NewNorms returns the table of a surface with the given weight whose texts
// are mean terms long on average.
func NewNorms(weight, mean float64) *Norms {
	t := new(Norms)
	mean = max(mean, 1)
	for c := range t {
		t[c] = weight / (1 - B + B*float64(LengthOf(uint8(c)))/mean)
	}
	return t
}

// Saturate makes a term's score of what its occurrences add up to, over all
// surfaces of a document: it grows ever more slowly, up to K1 + 1. Surfaces are
// added before it and not after: a word that stands in prompt and answer is not
// worth two words (additive surfaces: 64.1 on the dialogues, joined ones 68.8).
func Saturate(x float64) float64 { return x * (K1 + 1) / (x + K1) }

// Cover holds back a text's score where it lacks words: covered is the weight
// of the query's words that it has, total that of all of them.
func Cover(score, covered, total float64) float64 {
	if total <= 0 {
		return score
	}
	return score * (1 - Coverage + Coverage*covered/total)
}

// Mean is the mean length of docs texts that are length terms long together,
// held near what is typical while they are few.
func Mean(length int64, docs int, typical float64) float64 {
	return (float64(length) + TypicalTexts*typical) / (float64(docs) + TypicalTexts)
}
