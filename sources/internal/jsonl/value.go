package jsonl

import (
	"bytes"
	"errors"
	"io"
	"math"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// A Value is the text of one JSON value, well-formed and without white space
// around it. It is made by a Parser or taken out of another Value; the methods
// rely on that. The zero Value is a value that is not there.
type Value []byte

// A Parser finds values in bytes. It accepts and rejects what encoding/json
// does: bytes that are not UTF-8, halves of surrogate pairs and repeated names are
// no errors. The zero Parser is ready; it is for one goroutine.
type Parser struct {
	scan  scanner
	last  tree // the last value
	lines lines
	dec   *jsontext.Decoder
	buf   bytes.Buffer
}

var bom = []byte("\xef\xbb\xbf")

// Next is the first value in data, how many bytes stand before it, and the
// rest behind it. Where there is only white space, the error is io.EOF. A byte
// order mark is white space here.
func (p *Parser) Next(data []byte) (v Value, before int, rest []byte, err error) {
	if v = p.lines.known(data); v != nil {
		return v, 0, data[len(v):], nil
	}
	body := data
	if len(data) == 0 || data[0] != '{' { // as hardly any line begins
		body = bytes.TrimLeft(bytes.TrimPrefix(data, bom), " \t\r\n")
	}
	before = len(data) - len(body)
	if len(body) == 0 {
		return nil, before, nil, io.EOF
	}
	p.last, p.lines = tree{}, lines{}
	if end := p.scan.scan(body); end > 0 {
		p.last = tree{body[:end:end], p.scan.tree()}
		return p.last.b, before, body[end:], nil
	}
	v, rest, err = p.decode(body)
	if err == nil {
		p.last = *Of(v).in
	}
	return v, before, rest, err
}

// Root is the value that Next found last. It and what is in it are valid until
// the next call of Next.
func (p *Parser) Root() Node {
	if p.last.b == nil {
		return Node{}
	}
	return Node{in: &p.last}
}

// decode has the last word on a value that the scanner did not accept, and says
// what is wrong with it.
func (p *Parser) decode(body []byte) (v Value, rest []byte, err error) {
	p.buf = *bytes.NewBuffer(body[:len(body):len(body)])
	if p.dec == nil {
		p.dec = jsontext.NewDecoder(&p.buf, jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
	} else {
		p.dec.Reset(&p.buf, jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
	}
	raw, err := p.dec.ReadValue()
	if err != nil {
		return nil, nil, reason(err)
	}
	return Value(raw), body[p.dec.InputOffset():], nil
}

// reason is short: the caller knows file and line.
func reason(err error) error {
	var syntax *jsontext.SyntacticError
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("not JSON: unexpected end")
	}
	if errors.As(err, &syntax) && syntax.Err != nil {
		return errors.New("not JSON: " + syntax.Err.Error())
	}
	return errors.New("not JSON: " + err.Error())
}

// Kind is the first byte: one of { [ " t f n, or a digit or minus for numbers;
// 0 where there is no value.
func (v Value) Kind() byte {
	if len(v) == 0 {
		return 0
	}
	return v[0]
}

// True tells whether the value is true.
func (v Value) True() bool { return v.Kind() == 't' }

// Members calls f for each member of an object, in order, until f returns
// false. The name is as it is written, without quotes: names with escapes do
// not compare. Other kinds of values have no members.
func (v Value) Members(f func(name []byte, v Value) bool) {
	if v.Kind() != '{' {
		return
	}
	for i := space(v, 1); i < len(v) && v[i] == '"'; {
		end := skipString(v, i)
		name := v[i+1 : end-1]
		i = space(v, end)
		i = space(v, i+1) // the colon
		end = skip(v, i)
		if !f(name, v[i:end:end]) {
			return
		}
		i = next(v, end)
	}
}

// Elements calls f for each element of an array, in order, until f returns
// false. Other kinds of values have none.
func (v Value) Elements(f func(v Value) bool) {
	if v.Kind() != '[' {
		return
	}
	for i := space(v, 1); i < len(v) && v[i] != ']'; {
		end := skip(v, i)
		if !f(v[i:end:end]) {
			return
		}
		i = next(v, end)
	}
}

// Get is the last member of that name, as in encoding/json; nil where there is none.
func (v Value) Get(name string) (found Value) {
	v.Members(func(n []byte, m Value) bool {
		if string(n) == name {
			found = m
		}
		return true
	})
	return found
}

// Raw is what stands between the quotes of a string; nil for other kinds.
func (v Value) Raw() []byte {
	if v.Kind() != '"' {
		return nil
	}
	return v[1 : len(v)-1]
}

// space is the first place from i on that is no white space.
func space(v []byte, i int) int {
	for i < len(v) && (v[i] == ' ' || v[i] == '\n' || v[i] == '\t' || v[i] == '\r') {
		i++
	}
	return i
}

// next is where the next member or element begins, or the closing bracket stands.
func next(v []byte, i int) int {
	i = space(v, i)
	if i < len(v) && v[i] == ',' {
		i = space(v, i+1)
	}
	return i
}

// skip is the end of the value that begins at i.
func skip(v []byte, i int) int {
	if i >= len(v) {
		return len(v)
	}
	switch v[i] {
	case '"':
		return skipString(v, i)
	case '{', '[':
		return skipNested(v, i)
	}
	for i < len(v) && v[i] != ',' && v[i] != ']' && v[i] != '}' && v[i] > ' ' {
		i++
	}
	return i
}

func skipNested(v []byte, i int) int {
	for depth := 0; i < len(v); i++ {
		switch v[i] {
		case '"':
			i = skipString(v, i) - 1
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(v)
}

// skipString is the end of the string that begins at i: behind the first
// quote that an even number of backslashes stands before.
func skipString(v []byte, i int) int {
	for i++; i < len(v); i++ {
		q := bytes.IndexByte(v[i:], '"')
		if q < 0 {
			break
		}
		i += q
		b := i
		for v[b-1] == '\\' {
			b--
		}
		if (i-b)%2 == 0 {
			return i + 1
		}
	}
	return len(v)
}

// Int is the whole part of a number; 0 for other kinds and for numbers that do
// not fit.
func (v Value) Int() int64 {
	if n, ok := v.count(); ok {
		return n
	}
	n, err := strconv.ParseInt(string(v), 10, 64)
	if err == nil {
		return n
	}
	f, err := strconv.ParseFloat(string(v), 64)
	if err != nil || f >= math.MaxInt64 || f <= math.MinInt64 {
		return 0
	}
	return int64(f)
}

// count is Int for what most numbers are: a few digits.
func (v Value) count() (n int64, ok bool) {
	for _, c := range v {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int64(c-'0')
	}
	return n, len(v) > 0 && len(v) <= 18
}
