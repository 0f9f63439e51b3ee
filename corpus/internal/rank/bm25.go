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
// are mean terms long on average; b says how much long ones are held back.
func NewNorms(weight, b, mean float64) *Norms {
	t := new(Norms)
	mean = max(mean, 1)
	for c := range t {
		t[c] = weight / (1 - b + b*float64(LengthOf(uint8(c)))/mean)
	}
	return t
}

// Saturate makes a term's score of what its occurrences add up to, over all
// surfaces of a document: it grows ever more slowly, up to K1 + 1. Surfaces are
// added before it and not after: a word that stands in prompt and answer is not
// worth two words (additive surfaces: 64.1 on the dialogues, joined ones 68.8).
func Saturate(x float64) float64 { return x * (K1 + 1) / (x + K1) }

// A Cover holds back the scores of texts that lack words of a query.
type Cover struct{ base, each float64 }

// NewCover returns the Cover of a query whose words weigh total together.
func NewCover(total float64) Cover {
	if total <= 0 {
		return Cover{base: 1}
	}
	return Cover{base: 1 - Coverage, each: Coverage / total}
}

// Score is the score of a text that has words of the given weight.
func (c Cover) Score(score, covered float64) float64 { return score * (c.base + c.each*covered) }

// Mean is the mean length of docs texts that are length terms long together,
// held near what is typical while they are few.
func Mean(length int64, docs int, typical float64) float64 {
	return (float64(length) + TypicalTexts*typical) / (float64(docs) + TypicalTexts)
}
