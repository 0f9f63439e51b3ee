package search

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
	Word   Kind = iota // any form of the word
	Phrase             // the words side by side, in this order
	Prefix             // words that begin with the text
	Fuzzy              // the word, or one that is written nearly so
)

// expands reports whether the clause stands for all words that are like its text.
func (c Clause) expands() bool { return c.Kind == Prefix || c.Kind == Fuzzy }

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
