// Package jsonl reads JSON Lines as they are found on disks: lines of any
// length, a last line that is still being written, files that shrink while they
// are read, several objects on one line, bytes that are not UTF-8.
//
// It is the only importer of go-json-experiment. It does not know what the
// lines mean, and never writes.
package jsonl

import (
	"bytes"
	"errors"
	"hash/crc64"
	"io"
	"sync"
)

const (
	// block is how much is read at once: large enough that system calls do not
	// count, small enough to stay in a second-level cache.
	block = 256 << 10
	// keep bounds the buffers that go back to the pool, so that one giant line
	// does not hold its memory for ever.
	keep = 4 << 20
	// MaxLine is the longest line that is read, in bytes. The longest real ones are a
	// few MB (pictures); beyond this a line is damage or an attack on memory.
	MaxLine = 256 << 20
	// tailLength is how many bytes before a position its Tail covers: two
	// transcripts do not agree in the end of a line with ids and times in it.
	tailLength = 256
	// endLength is how many of the last bytes of a file its End covers: the whole
	// end of a session that was written over in place, but no more than two reads.
	endLength = 8 << 10
)

// A Line is one line of a file.
type Line struct {
	Bytes   []byte // without the newline; valid until the next Next; nil when TooLong
	Offset  int64  // of its first byte
	Length  int64  // with its newline
	Number  int    // lines before it
	Ended   bool   // a newline ended it
	TooLong bool   // longer than the limit; passed over without being kept
}

// A Reader reads lines one after the other. It is for one goroutine. Close
// gives its buffer back.
type Reader struct {
	in     io.ReaderAt
	max    int
	buf    []byte
	pooled *[]byte
	start  int // buf[start:end] is read and not yet handed out
	end    int
	whole  int   // lines that begin before it end in buf
	at     int64 // offset of buf[start]
	number int
	eof    bool
}

var buffers = sync.Pool{New: func() any { b := make([]byte, block); return &b }}

// NewReader reads in from an offset on, before which there are number lines.
func NewReader(in io.ReaderAt, offset int64, number int) *Reader {
	p := buffers.Get().(*[]byte)
	return &Reader{in: in, max: MaxLine, buf: *p, pooled: p, at: offset, number: number}
}

// Close gives the buffer back. Lines handed out are then void.
func (r *Reader) Close() {
	if r.pooled == nil {
		return
	}
	if cap(r.buf) <= keep {
		*r.pooled = r.buf[:cap(r.buf)]
	}
	buffers.Put(r.pooled)
	r.pooled, r.buf, r.start, r.end, r.whole, r.eof = nil, nil, 0, 0, 0, true
}

// Next is the next line, or io.EOF. A file that became shorter simply ends.
func (r *Reader) Next() (Line, error) {
	seen := 0
	for {
		if i := bytes.IndexByte(r.buf[r.start+seen:r.end], '\n'); i >= 0 {
			return r.take(seen+i, 1), nil
		}
		seen = r.end - r.start
		if r.eof {
			if seen == 0 {
				return Line{}, io.EOF
			}
			return r.take(seen, 0), nil
		}
		if seen > r.max {
			return r.pass()
		}
		if err := r.fill(); err != nil {
			return Line{}, err
		}
	}
}

// take hands out n bytes and passes over the newline.
func (r *Reader) take(n, newline int) Line {
	l := Line{Bytes: r.buf[r.start : r.start+n], Offset: r.at, Length: int64(n + newline), Number: r.number, Ended: newline > 0}
	if n > r.max {
		l.Bytes, l.TooLong = nil, true
	}
	r.start += n + newline
	r.at += l.Length
	r.number++
	return l
}

// pass reads to the end of a line that is too long, keeping none of it.
func (r *Reader) pass() (Line, error) {
	l := Line{Offset: r.at, Number: r.number, TooLong: true}
	for {
		i := bytes.IndexByte(r.buf[r.start:r.end], '\n')
		if i >= 0 {
			l.Length += int64(i + 1)
			l.Ended = true
			r.start += i + 1
			break
		}
		l.Length += int64(r.end - r.start)
		r.start, r.end = 0, 0
		if r.eof {
			break
		}
		r.at = l.Offset + l.Length
		if err := r.fill(); err != nil {
			return Line{}, err
		}
	}
	r.at = l.Offset + l.Length
	r.number++
	return l, nil
}

// fill reads one more block behind what is there.
func (r *Reader) fill() error {
	if from := r.start - tailLength; from > 0 { // which Tail may be asked for
		copy(r.buf, r.buf[from:r.end])
		r.start, r.end = tailLength, r.end-from
	}
	if r.end == len(r.buf) {
		size := max(2*len(r.buf), min(4*len(r.buf), keep))
		if size > keep {
			size = r.end + r.ahead() + block
		}
		grown := make([]byte, size)
		copy(grown, r.buf[:r.end])
		r.buf = grown
	}
	n, err := r.in.ReadAt(r.buf[r.end:min(r.end+block, len(r.buf))], r.at+int64(r.end-r.start))
	r.whole = r.end + behindLast(r.buf[r.end:r.end+n])
	r.end += n
	if errors.Is(err, io.EOF) {
		r.eof, err = true, nil
	}
	return err
}

// behindLast is where what stands behind the last newline in b begins; 0 where there
// is none.
func behindLast(b []byte) int {
	const some = 1 << 10 // bytes.LastIndexByte takes one after the other
	for end := len(b); end > 0; end -= some {
		from := max(0, end-some)
		if bytes.IndexByte(b[from:end], '\n') >= 0 {
			return from + bytes.LastIndexByte(b[from:end], '\n') + 1
		}
	}
	return 0
}

// ahead is about how many bytes of the line that is being read follow what is read of
// it, not many more than its limit. Lines of megabytes are read twice for it: a buffer
// that doubles would take up to three times their size.
func (r *Reader) ahead() (n int) {
	p := buffers.Get().(*[]byte)
	defer buffers.Put(p)
	b := (*p)[:block]
	for seen := r.end - r.start; seen+n <= r.max; {
		m, err := r.in.ReadAt(b, r.at+int64(seen+n))
		if i := bytes.IndexByte(b[:m], '\n'); i >= 0 {
			return n + i
		}
		if n += m; err != nil {
			break
		}
	}
	return n
}

// Tail is the hash of the bytes just before an offset; 0 at the beginning. It is
// io.ErrUnexpectedEOF when the file is shorter than that.
func Tail(in io.ReaderAt, offset int64) (uint64, error) {
	return before(in, offset, tailLength)
}

// Tail is Tail of what the reader reads. Bytes about the line that was handed out
// last are still there, and are not read again.
func (r *Reader) Tail(offset int64) (uint64, error) {
	end := offset - r.at + int64(r.start)
	from := end - min(offset, tailLength)
	if offset <= 0 || from < 0 || end > int64(r.end) {
		return Tail(r.in, offset)
	}
	return sum(r.buf[from:end]), nil
}

// End is Tail for more bytes, to prove that a file of the given size was not
// written over.
func End(in io.ReaderAt, size int64) (uint64, error) { return before(in, size, endLength) }

// before is the hash of at most limit bytes before an offset.
func before(in io.ReaderAt, offset, limit int64) (uint64, error) {
	if offset <= 0 {
		return 0, nil
	}
	b := make([]byte, min(offset, limit))
	n := int64(len(b))
	if m, err := in.ReadAt(b, offset-n); int64(m) < n {
		if err == nil || errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return 0, err
	}
	return sum(b), nil
}

func sum(b []byte) uint64 {
	return crc64.Checksum(b, crc64.MakeTable(crc64.ECMA)) // which is made once
}
