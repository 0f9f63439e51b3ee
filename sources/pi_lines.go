package sources

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"hash/fnv"
	"io"
	"iter"
	"os"
)

// piTail is how many bytes before a position its Tail covers: enough that two
// different files do not look the same, few enough to read at every refresh.
const piTail = 256

// piLine is one line of a file. bytes are valid until the next one is read.
type piLine struct {
	bytes   []byte // without its end
	offset  int64
	length  int64 // with its end
	line    int   // lines before it
	tail    uint64
	partial bool // the last one, without a newline
}

func (l piLine) span() Span { return Span{l.offset, l.length} }

func (l piLine) position(carry string) Position {
	return Position{Offset: l.offset, Line: l.line, Tail: l.tail, Carry: carry}
}

// piLines reads the lines of a file on from a position. Blank lines are left
// out. Any error is the last thing yielded.
func piLines(ctx context.Context, path string, from Position) iter.Seq2[piLine, error] {
	return func(yield func(piLine, error) bool) {
		f, err := os.Open(path)
		if err != nil {
			yield(piLine{}, err)
			return
		}
		defer f.Close()
		tail, err := piSeek(f, from)
		if err != nil {
			yield(piLine{}, err)
			return
		}
		in := bufio.NewReaderSize(f, 64<<10)
		at := piLine{offset: from.Offset, line: from.Line}
		var buf []byte
		for {
			if err := ctx.Err(); err != nil {
				yield(piLine{}, err)
				return
			}
			buf, err = piReadLine(in, buf[:0])
			if len(buf) == 0 && err == io.EOF {
				return
			}
			if err != nil && err != io.EOF {
				yield(piLine{}, err)
				return
			}
			at.length, at.tail, at.partial = int64(len(buf)), piSum(tail), err == io.EOF
			at.bytes = bytes.TrimSpace(buf)
			if len(at.bytes) > 0 && !yield(at, nil) {
				return
			}
			tail = append(tail, buf[max(0, len(buf)-piTail):]...)
			tail = append(tail[:0], tail[max(0, len(tail)-piTail):]...)
			at.offset += at.length
			at.line++
		}
	}
}

// piReadLine appends the next line to buf, its end included.
func piReadLine(in *bufio.Reader, buf []byte) ([]byte, error) {
	for {
		part, err := in.ReadSlice('\n')
		buf = append(buf, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return buf, err
		}
	}
}

// piSeek goes to the position and returns the bytes before it, or
// ErrRewritten when they are not those that stood there.
func piSeek(f *os.File, from Position) ([]byte, error) {
	if from.Offset < 0 {
		return nil, ErrRewritten
	}
	tail := make([]byte, min(from.Offset, piTail))
	if from.Offset == 0 {
		return tail, nil
	}
	switch _, err := f.ReadAt(tail, from.Offset-int64(len(tail))); {
	case errors.Is(err, io.EOF):
		return nil, ErrRewritten
	case err != nil:
		return nil, err
	case piSum(tail) != from.Tail:
		return nil, ErrRewritten
	}
	_, err := f.Seek(from.Offset, io.SeekStart)
	return tail, err
}

// piSum is the hash of a tail: 0 only for an empty one.
func piSum(tail []byte) uint64 {
	if len(tail) == 0 {
		return 0
	}
	h := fnv.New64a()
	h.Write(tail)
	return max(1, h.Sum64())
}
