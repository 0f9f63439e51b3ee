package terms

// A Match is one place of a text where a target stands.
type Match struct {
	Target     int  // index into the targets given to NewMatcher
	Pos        int  // place in the order of words, as Token.Pos
	Start, End int  // bytes of the text
	Exact      bool // the very form that was asked for, not another form of the word
}

// A Target is a term to look for.
type Target struct {
	Term   string // Token.Term, or with Prefix the beginning of a form
	Exact  string // Token.Exact; "" when no form is better than another
	Prefix bool   // Term is the beginning of a word
}

// A Matcher finds a query's terms in texts. It must not be used by two
// goroutines at once.
type Matcher struct {
	a *Analyzer
}

// NewMatcher returns a Matcher of targets that reads words with a, which it
// shares with nobody else while Scan runs.
func NewMatcher(a *Analyzer, targets []Target) *Matcher { return &Matcher{a: a} }

// Scan calls yield for each match in text in order of Start until it returns
// false, and returns the number of words read.
func (m *Matcher) Scan(text string, yield func(Match) bool) (words int) { return 0 }
