package rank

// Best holds the scores of a session's four best turns, the best one first.
// The zero value is a session of which no turn matches.
type Best [4]float64

// Add puts a turn's score where it belongs and reports whether it is the best
// so far. Of equal scores the first one stays.
func (b *Best) Add(score float64) (first bool) {
	for i := range b {
		if score > b[i] {
			copy(b[i+1:], b[i:])
			b[i] = score
			return i == 0
		}
	}
	return false
}

// Merge puts the scores of other turns of the same session in.
func (b *Best) Merge(o *Best) {
	for _, s := range o {
		b.Add(s)
	}
}

// Support is what the turns after the best one add to it.
func (b *Best) Support() float64 { return support2*b[1] + support3*b[2] + support4*b[3] }

// SupportMost is Support's bound, as a share of the best turn's score.
const SupportMost = support2 + support3 + support4

// Session is a session's score: its best turn and the support of the next ones, or
// what its summaries score where that is more, and what its title does.
func Session(b *Best, title, summary float64) float64 {
	return max(b[0]+b.Support(), SessionPart*summary) + SessionPart*title
}
