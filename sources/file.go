package sources

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"iter"
	"os"
	"strings"

	"github.com/hansard-search/hansard/sources/internal/jsonl"
)

// A File is a Transcript that is a file, but for its Events. A type that embeds it
// and has those is a Transcript and an Ender. It is a value, holds nothing open, and
// its methods may be called concurrently. The zero File is no file: it has no path.
type File struct{ info Info }

// FileOf is the file that in describes, see Folder.Transcripts.
func FileOf(in Info) File { return File{in} }

// Info is what FileOf was given.
func (f File) Info() Info { return f.info }

// End implements Ender.
func (f File) End() (uint64, error) { return endOf(f.info) }

// Lines reads the lines of the file on from a position that Line.Position gave, the zero
// Position being the beginning. Errors are those that Transcript.Events may yield, and can
// be passed on as they are: ErrRewritten comes first and alone; a line of more than 256 MB
// is a *Skipped, is not kept in memory, and reading goes on; any other error, that of
// ctx among them, is the last thing yielded. A file that becomes shorter meanwhile ends
// where it then ends. Memory is bounded by the longest line.
func (f File) Lines(ctx context.Context, from Position) iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		err := eachLine(ctx, f.info.Path, from, (*jsonl.Reader).Next, func(r *jsonl.Reader, l jsonl.Line) (more bool) {
			line := Line{Bytes: bytes.TrimSuffix(l.Bytes, []byte("\r")), Span: Span{l.Offset, l.Length}, Number: l.Number, Ended: l.Ended, in: r, path: f.info.Path}
			if l.TooLong {
				return yield(Line{}, line.Skipped("the line is too long"))
			}
			return yield(line, nil)
		})
		if err != nil {
			yield(Line{}, err)
		}
	}
}

// eachLine calls take for each line of a file on from a position, as next reads them,
// until it returns false.
func eachLine(ctx context.Context, path string, from Position, next func(*jsonl.Reader) (jsonl.Line, error), take func(*jsonl.Reader, jsonl.Line) (more bool)) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := sameBefore(f, from); err != nil {
		return err
	}
	r := jsonl.NewReader(f, from.Offset, from.Line)
	defer r.Close()
	for {
		l, err := next(r)
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		case ctx.Err() != nil:
			return ctx.Err()
		case !take(r, l):
			return nil
		}
	}
}

// A Line is one line of a File. It is void when the next one is read, its Bytes,
// which nobody may change, and its methods too.
type Line struct {
	Bytes  []byte // without its end, which is a newline or a carriage return and one
	Span   Span   // with its end
	Number int    // lines before it
	// Ended: a newline ended it. The last line of a file may still be written when it
	// has none: what cannot be told to be whole has to be left for the next time.
	Ended bool

	in   *jsonl.Reader
	path string
}

// Position is where to read this line again, with the reader's own state that the lines
// before it left behind: what a prompt's Event.From needs. Where the file can no longer be
// read it is one that will not match, so that the file is read from the beginning. That of
// the zero Line is the beginning.
func (l Line) Position(carry string) Position {
	if l.in == nil {
		return Position{Carry: carry}
	}
	return value{in: l.in, offset: l.Span.Offset, line: l.Number}.position(carry)
}

// Skipped is the error of a line that cannot be used, to be yielded.
func (l Line) Skipped(reason string) *Skipped { return &Skipped{l.path, l.Number + 1, reason} }

// Text is the line as text of its own; what is not UTF-8 becomes U+FFFD.
func (l Line) Text() string { return strings.ToValidUTF8(string(l.Bytes), "\uFFFD") }

// JSON reads the line into v as encoding/json does: what the line lacks stays in v as it
// was, and nothing in v shares the line's bytes. ok is false where there is nothing to
// read: the line is blank, or the last one and not finished. The error is a *Skipped, to
// be yielded.
func (l Line) JSON(v any) (ok bool, err error) {
	if len(bytes.TrimSpace(l.Bytes)) == 0 {
		return false, nil
	}
	if err := json.Unmarshal(l.Bytes, v); err != nil {
		if !l.Ended && !json.Valid(l.Bytes) {
			return false, nil
		}
		return false, l.Skipped(err.Error())
	}
	return true, nil
}
