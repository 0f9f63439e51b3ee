package corpus

import (
	"slices"
	"strings"

	"github.com/hansard-search/hansard/corpus/internal/query"
)

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
	Filter  Filter   // what was said inline, as in project:api; times are in UTC
	All     bool     // there are no clauses: the query asks for no word, it is empty or "*"
}

// lists reports whether the query looks for nothing: it lists what is there,
// or what is there without the words that it excludes.
func (p Parsed) lists() bool {
	return !slices.ContainsFunc(p.Clauses, func(c Clause) bool { return !c.Not })
}

// asked are the clauses as a search takes them.
func (p Parsed) asked() []query.Clause {
	kinds := [...]query.Kind{Word: query.Plain, Phrase: query.Phrase, Prefix: query.Prefix, Fuzzy: query.Fuzzy}
	clauses := make([]query.Clause, len(p.Clauses))
	for i, c := range p.Clauses {
		clauses[i] = query.Clause{Kind: kinds[c.Kind], Text: c.Text, Must: c.Must, Not: c.Not}
	}
	return clauses
}

// unquoted is the query with words in the place of what is quoted beside other
// words, and what is read so by how it was typed: who quotes a title in a question
// asks for more than its very words. What has to match, and a query that is nothing
// but quotations, stays.
func (p Parsed) unquoted() (out Parsed, read map[string]string) {
	free := func(c Clause) bool { return !c.Must && !c.Not }
	if !slices.ContainsFunc(p.Clauses, func(c Clause) bool { return c.Kind == Word && free(c) }) {
		return p, nil
	}
	out, read = p, map[string]string{}
	out.Clauses = slices.Clone(p.Clauses)
	for i := range out.Clauses {
		if c := &out.Clauses[i]; c.Kind == Phrase && free(*c) {
			read[quote(c.Text)] = c.Text
			c.Kind = Word
		}
	}
	return out, read
}

// String spells the query so that ParseQuery gives the same Parsed.
func (p Parsed) String() string {
	parts := p.Filter.spell()
	for _, c := range p.Clauses {
		var b strings.Builder
		switch {
		case c.Must:
			b.WriteByte('+')
		case c.Not:
			b.WriteByte('-')
		}
		switch c.Kind {
		case Word:
			b.WriteString(c.Text)
		case Phrase:
			b.WriteString(quote(c.Text))
		case Prefix:
			b.WriteString(c.Text + "*")
		case Fuzzy:
			b.WriteString(c.Text + "~")
		}
		parts = append(parts, b.String())
	}
	if len(parts) == 0 {
		return "*"
	}
	return strings.Join(parts, " ")
}

func quote(text string) string {
	if strings.Contains(text, `"`) {
		return leftMark + text + rightMark
	}
	return `"` + text + `"`
}
