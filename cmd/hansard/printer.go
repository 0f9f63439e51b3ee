package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// A page is a result that can be shown both ways.
type page interface {
	data() any      // what programs get
	text(s *screen) // what people get
}

// A printer shows results. There are two: one for people, one for programs.
type printer interface {
	show(page) error // a whole result, or one of a stream
	fail(*failure)   // the last word, to the other stream
	warn(string)     // a word on the side
}

type textPrinter struct {
	out    io.Writer
	err    io.Writer
	screen screen
}

func (p *textPrinter) show(pg page) error {
	s := p.screen
	pg.text(&s)
	_, err := p.out.Write(s.buf.Bytes())
	return err
}

func (p *textPrinter) fail(f *failure) { fmt.Fprintf(p.err, "hansard: %s\n", line(f.Error())) }

func (p *textPrinter) warn(s string) { fmt.Fprintf(p.err, "hansard: %s\n", line(s)) }

type jsonPrinter struct{ out, err io.Writer }

func (p jsonPrinter) show(pg page) error {
	b, err := encode(pg.data())
	if err != nil {
		return err
	}
	_, err = p.out.Write(b)
	return err
}

func (p jsonPrinter) fail(f *failure) {
	b, err := encode(map[string]*failure{"error": f})
	if err != nil {
		b = []byte(`{"error":{"code":"internal","message":"the error cannot be written as JSON","next":""}}` + "\n")
	}
	_, _ = p.err.Write(b) // there is nowhere left to complain
}

func (p jsonPrinter) warn(s string) {
	if b, err := encode(map[string]any{"warning": map[string]string{"message": s}}); err == nil {
		_, _ = p.err.Write(b)
	}
}

// encode writes v as one line of JSON. Characters that a terminal might obey
// are escaped, which changes no value.
func encode(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	text := buf.Bytes()
	if plain(text) || bytes.IndexFunc(text, hostile) < 0 {
		return text, nil
	}
	out := make([]byte, 0, len(text)+64)
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		switch {
		case !hostile(r):
			out = append(out, text[:n]...)
		case r > 0xffff:
			hi, lo := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, hi, lo)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
		text = text[n:]
	}
	return out, nil
}
