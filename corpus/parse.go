package corpus

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

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

// A QueryError says where a query is wrong, and how.
type QueryError struct {
	Query string // "" where Query.Filter or Query.Group is wrong
	Pos   int    // byte of Query where the wrong part begins
	Msg   string // what is wrong and what would be right
}

func (e *QueryError) Error() string {
	if e.Query == "" {
		return e.Msg
	}
	return fmt.Sprintf("%s (at byte %d of the query)", e.Msg, e.Pos)
}

// ParseQuery takes a query apart. now decides what relative dates mean, in its
// location. Separated by white space, a query may hold
//
//	word          any form of it; any word may match
//	"a phrase"    these words side by side
//	+word -word   must match, must not match; also before a phrase. What is typed
//	              as one, as dry-run or src/app, is met as one
//	pref*         words that begin so
//	word~         the word, or one spelled nearly so
//	key:value     a filter, key:"a value" where it holds blanks. Keys: project,
//	              cwd, branch, model, tool, path, agent, lane, session, exclude
//	              (also -session:), after, before, surface; see Filter. With -
//	              before it, turns that meet it stay out: not of the last three
//	*             alone, or beside nothing but -words: list sessions, newest first
//
// Everything else is words, whatever signs it holds: --dry-run and -n are
// flags that are looked for, an unknown key is a word, a quotation mark that is
// not closed is none. Several lines are a text that was pasted, a stack trace or
// a diff, of which no sign was meant: they are words alone. The only errors are *QueryError, for a filter's value
// that is wrong.
func ParseQuery(s string, now time.Time) (Parsed, error) {
	p := parser{query: s, now: now}
	take := p.clause
	if strings.ContainsAny(strings.TrimSpace(s), "\r\n") {
		take = p.pasted
	}
	for p.skipSpace(); p.pos < len(p.query); p.skipSpace() {
		if err := take(); err != nil {
			return Parsed{}, err
		}
	}
	p.out.All = len(p.out.Clauses) == 0
	return p.out, nil
}

// The quotation marks of word processors mean what the plain one does.
const leftMark, rightMark = "\u201C", "\u201D"

type parser struct {
	query string
	pos   int
	now   time.Time
	out   Parsed
}

func (p *parser) skipSpace() {
	rest := strings.TrimLeftFunc(p.query[p.pos:], unicode.IsSpace)
	p.pos = len(p.query) - len(rest)
}

// clause takes the next clause or filter.
func (p *parser) clause() error {
	start := p.pos
	var c Clause
	if sign := p.query[p.pos]; p.signed() {
		c.Must, c.Not = sign == '+', sign == '-'
		p.pos++
	}
	if mark := p.mark(); mark != "" {
		if text, closed := p.quoted(mark); closed && strings.TrimSpace(text) != "" {
			p.add(Phrase, text, c)
		}
		return nil
	}
	key := p.key()
	if key != "" {
		if value, ok := p.value(); ok {
			return p.out.Filter.set(key, value, c.Not, &QueryError{Query: p.query, Pos: start}, p.now)
		}
		key += ":"
	}
	if text := key + p.bare(); strings.Trim(text, "*") != "" { // a star alone asks for nothing
		kind, word := operator(text)
		p.add(kind, word, c)
	}
	return nil
}

// pasted takes the next word of a pasted text without the signs around it.
func (p *parser) pasted() error {
	for text := p.bare(); text != ""; {
		text = strings.TrimRight(strings.TrimLeft(text, `+-"`+leftMark), `*~"`+rightMark)
		key, value, found := strings.Cut(text, ":")
		if !found || !isFilterKey(key) {
			key, value = text, ""
		}
		if key != "" {
			p.add(Word, key, Clause{})
		}
		text = value
	}
	return nil
}

func (p *parser) add(kind ClauseKind, text string, c Clause) {
	c.Kind, c.Text = kind, text
	p.out.Clauses = append(p.out.Clauses, c)
}

// signed reports whether a + or - here says must or must not. Before another
// sign it is part of a word (--dry-run, ->), and -n is a flag, -n, one in a sentence.
func (p *parser) signed() bool {
	rest := p.query[p.pos:]
	if rest[0] != '+' && rest[0] != '-' {
		return false
	}
	r, n := utf8.DecodeRuneInString(rest[1:])
	if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
		return n > 0 && strings.ContainsRune("\""+leftMark+"._/@#$", r)
	}
	after := rest[1+n:]
	if i := strings.IndexFunc(after, unicode.IsSpace); i >= 0 {
		after = after[:i]
	}
	return rest[0] == '+' || strings.Trim(after, ",.;:!?)]}'`\"") != ""
}

// mark returns the quotation mark that opens here, "" when there is none.
func (p *parser) mark() string {
	for _, mark := range []string{`"`, leftMark} {
		if strings.HasPrefix(p.query[p.pos:], mark) {
			return mark
		}
	}
	return ""
}

// quoted takes the mark that opens here and what it encloses; only the mark
// when it is not closed.
func (p *parser) quoted(mark string) (text string, closed bool) {
	p.pos += len(mark)
	closing := mark
	if mark == leftMark {
		closing = rightMark
	}
	text, _, closed = strings.Cut(p.query[p.pos:], closing)
	if !closed {
		return "", false
	}
	p.pos += len(text) + len(closing)
	return text, true
}

// key takes a filter's key and the colon; "" when there is none.
func (p *parser) key() string {
	key, _, found := strings.Cut(p.query[p.pos:], ":")
	if !found || !isFilterKey(key) {
		return ""
	}
	p.pos += len(key) + 1
	return key
}

// value takes a filter's value; ok is false when there is none.
func (p *parser) value() (value string, ok bool) {
	for mark := p.mark(); mark != ""; mark = p.mark() {
		if text, closed := p.quoted(mark); closed {
			return text, true
		}
	}
	value = p.bare()
	return value, value != ""
}

// bare takes everything up to white space.
func (p *parser) bare() string {
	rest := p.query[p.pos:]
	if i := strings.IndexFunc(rest, unicode.IsSpace); i >= 0 {
		rest = rest[:i]
	}
	p.pos += len(rest)
	return rest
}

// operator finds what the end of a word asks for. A sign that also begins the
// word is emphasis, as in **this**.
func operator(text string) (ClauseKind, string) {
	kind, sign := Prefix, "*"
	if strings.HasSuffix(text, "~") {
		kind, sign = Fuzzy, "~"
	}
	word := strings.TrimRight(text, sign)
	if word == text || strings.HasPrefix(text, sign) || !strings.ContainsFunc(word, isWordRune) {
		return Word, text
	}
	return kind, word
}

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

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
