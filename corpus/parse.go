package corpus

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

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
			if err := p.filter(key, value, c); err != nil {
				return &QueryError{Query: p.query, Pos: start, Msg: err.Error()}
			}
			return nil
		}
		key += ":"
	}
	if text := key + p.bare(); strings.Trim(text, "*") != "" { // a star alone asks for nothing
		kind, word := operator(text)
		p.add(kind, word, c)
	}
	return nil
}

// filter applies key:value, behind the sign that c has.
func (p *parser) filter(key, value string, c Clause) (err error) {
	if c.Not {
		err, key = p.out.Filter.without(key, value), "-"+key
	} else {
		err = p.out.Filter.set(key, value, p.now)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", key, err)
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
