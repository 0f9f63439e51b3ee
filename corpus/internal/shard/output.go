package shard

import (
	"encoding/binary"
	"io"

	"github.com/hansard-search/hansard/corpus/internal/signal"
)

// outputBuffer is how much is gathered before a write: few enough calls, and
// whole pages, so that each is hashed once.
const outputBuffer = 16 * pageSize

// An output writes the body and keeps the sum of each page. After an error it
// swallows everything, and err tells.
type output struct {
	w    io.Writer
	buf  []byte // what is not yet written; begins on a page
	done int64  // bytes written
	sums []byte
	err  error

	behind *behind // writes the body; nil: it is written where it is flushed
}

// pos is where the next byte goes.
func (o *output) pos() int64 { return o.done + int64(len(o.buf)) }

func (o *output) write(b []byte) {
	for len(b) > 0 {
		if o.buf == nil && len(b) < pageSize {
			o.buf = make([]byte, 0, pageSize) // small shards stay small
		}
		if len(o.buf) == outputBuffer {
			o.flush()
		}
		n := min(len(b), outputBuffer-len(o.buf))
		o.buf = append(o.buf, b[:n]...)
		b = b[n:]
	}
}

// pad goes on to the next page.
func (o *output) pad() {
	if n := int(o.pos() % pageSize); n > 0 {
		o.write(make([]byte, pageSize-n))
	}
}

// flush writes what is there: whole pages, but at the end of the body.
func (o *output) flush() {
	if o.behind != nil {
		o.behind.later(o)
		return
	}
	o.sums = appendSums(o.sums, o.buf)
	o.raw(o.buf)
	o.buf = o.buf[:0]
}

// appendSums adds the sum of each page.
func appendSums(sums, b []byte) []byte {
	for len(b) > 0 {
		page := b[:min(pageSize, len(b))]
		sums = binary.LittleEndian.AppendUint64(sums, signal.Sum64(page))
		b = b[len(page):]
	}
	return sums
}

func (o *output) raw(b []byte) {
	if o.err == nil && len(b) > 0 {
		_, o.err = o.w.Write(b)
	}
	o.done += int64(len(b))
}

// finish writes everything that follows the body, and returns the file's size.
func (o *output) finish(toc []byte) (int64, error) {
	o.flush()
	o.endBehind()
	body := o.done
	foot := appendSums(toc, o.sums)
	foot = binary.LittleEndian.AppendUint64(foot, uint64(body))
	foot = binary.LittleEndian.AppendUint32(foot, uint32(len(toc)))
	foot = binary.LittleEndian.AppendUint32(foot, formatVersion)
	foot = binary.LittleEndian.AppendUint64(foot, signal.Sum64(foot))
	foot = append(foot, tailMagic...)
	if hasTwoFeet(formatVersion, body) {
		o.raw(foot)
	}
	o.raw(o.sums)
	o.raw(foot)
	return o.done, o.err
}

func (o *output) header() {
	var h [headerSize]byte
	copy(h[:], headMagic)
	binary.LittleEndian.PutUint32(h[8:], formatVersion)
	o.write(h[:])
}
