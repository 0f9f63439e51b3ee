package jsonl

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// parts of lines, sound and broken: what ends strings, values and lines, and what
// looks as if it did.
var lineParts = []string{
	`{"a":"b"}`, `{"type":"user","message":{"content":[{"text":"x\ny \"q\" \u00e9"},{"n":-1.5e3}]},"z":null}`, `{"long":"` + strings.Repeat(`ab\\\"c`, 40) + `"}`,
	`{"a":1`, `}`, `{`, `[`, `]`, `"`, `\`, `\\`, `\"`, `,`, `:`, " ", "\t", "\r", "\n", "\r\n", "\x00", "\xff", "\xef\xbb\xbf", "{}", "[1]", "7", `"s"`,
	`{"a":` + "\n" + `1}`, `{"a":"x` + "\n" + `y"}`, `{"a":"b\`, `{"a":1} `, `{"a":1}{"b":2}`, `{ "a" : [ true , false ] }`, `{"u":"\u12"}`, `{"u":"\u12aG"}`,
	`{"d":` + strings.Repeat("[", 9) + strings.Repeat("]", 9) + `}`, strings.Repeat("x", 70),
}

// TestLine: lines and what is on them are the same, whether or not their ends are
// looked for by themselves.
func TestLine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(lineParts), 0, 60).Draw(t, "text"), rapid.SampledFrom([]string{"", "\n"}).Draw(t, "between"))
		size, from := rapid.IntRange(1, 700).Draw(t, "buffer"), rapid.IntRange(0, len(text)).Draw(t, "from")
		limit := rapid.SampledFrom([]int{40, MaxLine}).Draw(t, "max")
		var parser Parser
		read := func(next func(r *Reader) (Line, error)) string {
			r := NewReader(strings.NewReader(text), int64(from), 0)
			defer r.Close()
			r.buf, r.max = make([]byte, size), limit
			return told(t, r, &parser, next)
		}
		want := read((*Reader).Next)
		if got := read(parser.Line); got != want {
			t.Fatalf("told\n%s\nnot\n%s", got, want)
		}
	})
}

// told is all that is on the lines of r.
func told(t *rapid.T, r *Reader, p *Parser, next func(r *Reader) (Line, error)) string {
	var all strings.Builder
	for {
		l, err := next(r)
		if err == io.EOF {
			return all.String()
		}
		if err != nil {
			t.Fatal(err)
		}
		tail, _ := r.Tail(l.Offset)
		fmt.Fprintf(&all, "line %d at %d, %d long, %t %t, behind %x: %q\n", l.Number, l.Offset, l.Length, l.Ended, l.TooLong, tail, l.Bytes)
		for rest := l.Bytes; ; {
			v, before, after, err := p.Next(rest)
			fmt.Fprintf(&all, "  %q %d %q %v\n", v, before, after, err)
			if err != nil {
				break
			}
			describe(&all, p.Root())
			rest = after
		}
	}
}

// describe goes through all of a value.
func describe(all *strings.Builder, v Node) {
	fmt.Fprintf(all, "  %c %q %q\n", v.Kind(), v.Value(), v.String())
	v.Members(func(name []byte, v Node) bool {
		fmt.Fprintf(all, "  %q", name)
		describe(all, v)
		return true
	})
	v.Elements(func(v Node) bool { describe(all, v); return true })
}

// TestLineLong: objects that are longer than the buffer, and as long.
func TestLineLong(t *testing.T) {
	for n := 2*block - 300; n < 2*block+300; n += 7 {
		text := []byte(`{"a":"` + strings.Repeat("x", n-block) + `"}` + "\n" + `{"a":"` + strings.Repeat("y", block/2) + `","b":[1]}` + "\n{\"c\":2}\n")
		r, lines := NewReader(bytes.NewReader(text), 0, 0), bytes.SplitAfter(text, []byte("\n"))
		var p Parser
		for _, want := range lines[:3] {
			l, err := p.Line(r)
			if err != nil || string(l.Bytes)+"\n" != string(want) {
				t.Fatalf("%d: %d bytes, not %d: %v", n, len(l.Bytes), len(want), err)
			}
			if v, _, _, err := p.Next(l.Bytes); err != nil || len(v) != len(l.Bytes) {
				t.Fatalf("%d: %d bytes, not %d: %v", n, len(v), len(want), err)
			}
		}
		if _, err := p.Line(r); err != io.EOF {
			t.Fatal(err)
		}
		r.Close()
	}
}
