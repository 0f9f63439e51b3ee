package terms

// Alone is what can be said of a piece by its code where nobody knows yet what
// stands beside it.
type Alone struct {
	Ends   bool // a word that is the piece before it ends there
	Word   bool // it is one word in one place, if it begins and ends as one
	Led    bool // it begins as one, whatever stands before it
	After  bool // what follows it begins as one
	Joins  bool // it may go on with the word before it, if another follows
	Target bool // a target may begin in it
}

// Alone tells of the piece with a code. Where it is a word, fn is called with what
// that matches.
func (m *Matcher) Alone(code uint16, fn func(Match)) (a Alone) {
	kind, found := code&pieceKind, code>>pieceFound
	a.Led, a.Target = code&pieceLed != 0, code&pieceTarget != 0
	a.After = kind == pieceBlank || kind == pieceStop
	a.Ends = a.Led || a.After || kind == pieceSign
	a.Joins = kind == pieceJoiner
	a.Word = kind == pieceWord && (!a.Target || found > 0)
	if a.Word && a.Target && found > 1 {
		f := &m.pieces.found[found-2]
		if a.Word = f.places == 1; a.Word {
			for i := range f.matches {
				fn(f.matches[i])
			}
		}
	}
	return a
}
