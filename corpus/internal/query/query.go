// Package query makes of a question's clauses what shards can be asked: which keys
// of their dictionaries each word stands for and how much it counts (Plan), and which
// documents have what has to match and nothing that must not (Demands, Expression).
//
// A beginning stands for the words that begin so, a misspelling for the nearest words
// that there are (expand.go, repair.go, nearest.go), a date for the days that it names (date.go).
// What keys cannot tell, as a phrase, is told by reading the texts that may have it
// (phrase.go, regexp.go, read.go).
//
// The package does not know in which language a question is typed, nor how documents
// are scored and put in order; it writes nothing.
package query

import "unicode"

// A Clause is one thing that a question asks for.
type Clause struct {
	Kind Kind
	Text string // never empty
	Must bool   // what does not match this is no answer
	Not  bool   // what matches this is no answer; never with Must
}

// Kind says how a clause matches.
type Kind uint8

// The kinds of clauses.
const (
	Plain  Kind = iota // any form of the word
	Phrase             // the words side by side, in this order
	Prefix             // words that begin with the text
	Fuzzy              // the word, or one that is written nearly so
)

// expands reports whether the clause stands for all words that are like its text.
func (c Clause) expands() bool { return c.Kind == Prefix || c.Kind == Fuzzy }

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
