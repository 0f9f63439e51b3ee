package sources

import (
	"context"
	"errors"
	"io"
	"iter"
	"os"

	"github.com/hansard-search/hansard/sources/internal/jsonl"
)

// value is one JSON value, nearly always a whole line; two writers at once
// have been seen to lose a newline.
type value struct {
	node   jsonl.Node // valid until the next one is read
	in     *jsonl.Reader
	offset int64 // of the value
	length int64 // of the value, without the end of the line
	line   int   // lines before it
}

func (l value) span() Span { return Span{l.offset, l.length} }

// position is where to read this value again. A file that can no longer be
// read gives a Tail that will not match, so that it is read from the beginning.
func (l value) position(carry string) Position {
	tail, _ := l.in.Tail(l.offset)
	return Position{Offset: l.offset, Line: l.line, Tail: tail, Carry: carry}
}

// values reads the values of a file on from a position. A last line without
// a newline that does not parse is still being written, and left out. What else is
// no object is a *Skipped, and reading goes on; any other error is the last thing
// yielded.
func values(ctx context.Context, path string, from Position) iter.Seq2[value, error] {
	return func(yield func(value, error) bool) {
		var p jsonl.Parser
		err := eachLine(ctx, path, from, p.Line, func(r *jsonl.Reader, l jsonl.Line) (more bool) {
			at := value{in: r, offset: l.Offset, length: l.Length, line: l.Number}
			return at.values(&p, l, path, yield)
		})
		if err != nil {
			yield(value{}, err)
		}
	}
}

// values yields what stands on the line; false means stop.
func (l value) values(p *jsonl.Parser, from jsonl.Line, path string, yield func(value, error) bool) bool {
	skip := func(reason string) bool { return yield(value{}, &Skipped{path, l.line + 1, reason}) }
	if from.TooLong {
		return skip("the line is too long")
	}
	for rest := from.Bytes; ; {
		v, before, after, err := p.Next(rest)
		switch {
		case err == io.EOF:
			return true
		case err != nil && !from.Ended:
			return true
		case err != nil:
			return skip(err.Error())
		case v.Kind() != '{':
			return skip("not a JSON object")
		}
		l.offset += int64(before)
		l.node, l.length = p.Root(), int64(len(v))
		if !yield(l, nil) {
			return false
		}
		l.offset += l.length
		rest = after
	}
}

// sameBefore is ErrRewritten when the bytes before the position are not those that
// stood there when it was taken.
func sameBefore(f *os.File, from Position) error {
	if from.Offset < 0 {
		return ErrRewritten
	}
	tail, err := jsonl.Tail(f, from.Offset)
	if errors.Is(err, io.ErrUnexpectedEOF) || err == nil && tail != from.Tail {
		return ErrRewritten
	}
	return err
}
