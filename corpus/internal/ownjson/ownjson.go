// Package ownjson reads JSON of the very form in which encoding/json writes this
// program's records: fields in their order, without blanks. That takes a fifth of
// the time; whatever else a text holds, encoding/json is to decide about it.
//
// It knows no record: callers say what they expect next.
package ownjson

import (
	"strings"
	"unicode/utf8"
)

// A Reader reads from the front of a text. After anything that was not as
// expected it is bad, and what it returns means nothing.
type Reader struct {
	rest string
	bad  bool
}

// NewReader returns a Reader at the beginning of text. Strings that it returns
// are parts of text.
func NewReader(text string) *Reader { return &Reader{rest: text} }

// Ended reports whether all was as expected, to the end of the text.
func (r *Reader) Ended() bool { return !r.bad && r.rest == "" }

// Bad reports whether something was not as expected: loops end by it.
func (r *Reader) Bad() bool { return r.bad }

// Spoil makes the Reader bad: a value is not what the caller expects.
func (r *Reader) Spoil() { r.bad = true }

// Try reads w if it is next.
func (r *Reader) Try(w string) (was bool) {
	r.rest, was = strings.CutPrefix(r.rest, w)
	return was
}

// Word reads w, which has to be next.
func (r *Reader) Word(w string) { r.bad = !r.Try(w) || r.bad }

// Text reads a string in which nothing is escaped but quotation marks and backslashes.
func (r *Reader) Text() string {
	if !r.Try(`"`) {
		r.bad = true
		return ""
	}
	wide := false
	for i := range len(r.rest) {
		switch b := r.rest[i]; {
		case b == '"':
			t := r.rest[:i]
			r.rest = r.rest[i+1:]
			r.bad = r.bad || wide && !utf8.ValidString(t)
			return t
		case b >= utf8.RuneSelf:
			wide = true
		case b == '\\':
			return r.escaped(i)
		case b < ' ':
			r.bad = true
			return ""
		}
	}
	r.bad = true
	return ""
}

// escaped is Text for a string whose first backslash is at i: a path of Windows.
func (r *Reader) escaped(i int) string {
	t := append(make([]byte, 0, 2*i+64), r.rest[:i]...)
	for ; i < len(r.rest) && r.rest[i] >= ' '; i++ {
		switch r.rest[i] {
		case '"':
			r.rest = r.rest[i+1:]
			r.bad = r.bad || !utf8.Valid(t)
			return string(t)
		case '\\':
			if i++; i == len(r.rest) || r.rest[i] != '\\' && r.rest[i] != '"' {
				r.bad = true
				return ""
			}
		}
		t = append(t, r.rest[i])
	}
	r.bad = true
	return ""
}

// Number reads a number from 0 to below 10^18, without leading zeros.
func (r *Reader) Number() (n int64) {
	i := 0
	for i < len(r.rest) && i < 18 && r.rest[i] >= '0' && r.rest[i] <= '9' {
		n = n*10 + int64(r.rest[i]-'0')
		i++
	}
	if i == 0 || i > 1 && r.rest[0] == '0' {
		r.bad = true
	}
	r.rest = r.rest[i:]
	return n
}

// Each calls one for each element of a list, to read it, until what ends the
// list, close; the first follows what was read last.
func (r *Reader) Each(close string, one func()) {
	for n := 0; !r.bad && (n == 0 || !r.Try(close)); n++ {
		if n > 0 {
			r.Word(",")
		}
		one()
	}
}
