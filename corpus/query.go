package corpus

import "time"

// A Query asks a corpus. The zero value of each field works.
type Query struct {
	Text    string // in the query language; "" and "*" list sessions, newest first
	Filter  Filter // joined with the filters inside Text
	Group   Group
	Limit   int       // rows; 0: 10; negative: all
	Before  int       // messages before the matched one; see Window
	After   int       // messages after it
	Window  bool      // whether hits carry a window at all
	Regexp  bool      // Text is a regular expression over the stored text
	Explain bool      // hits carry the parts of their score
	Now     time.Time // what dates such as 7d in Text are counted from; zero: when the index was made
}

// Group says what a row of an answer is.
type Group string

// The groupings.
const (
	BySession Group = "session" // the default: the best turn of each session
	ByTurn    Group = "turn"
)
