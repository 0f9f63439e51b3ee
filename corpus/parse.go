package corpus

import (
	"fmt"
	"time"
)

// A QueryError says where a query is wrong, and how.
type QueryError struct {
	Query string
	Pos   int    // byte of Query where the wrong part begins
	Msg   string // what is wrong and what would be right
}

func (e *QueryError) Error() string { return fmt.Sprintf("%s (at byte %d of the query)", e.Msg, e.Pos) }

// ClauseKind says how a clause matches.
type ClauseKind uint8

// The kinds of clauses.
const (
	Word   ClauseKind = iota // any form of the word
	Phrase                   // the words side by side, in this order
	Prefix                   // words that begin with the text
	Fuzzy                    // the word, or one that is written nearly so
)

// A Clause is one thing that a query asks for.
type Clause struct {
	Kind ClauseKind
	Text string // as typed, without the signs of the query language; never empty
	Must bool   // what does not match this is no answer
	Not  bool   // what matches this is no answer; never with Must
}

// Parsed is a query taken apart.
type Parsed struct {
	Clauses []Clause // in the order in which they were typed
	Filter  Filter   // what was said inline, as in project:api
	All     bool     // the query asks for no word: it is empty or "*"
}

// ParseQuery takes a query apart. now decides what relative dates mean, in its
// location. The only errors are *QueryError, for a filter's value that is
// wrong; any other text is words.
func ParseQuery(s string, now time.Time) (Parsed, error) { return Parsed{All: true}, nil }
