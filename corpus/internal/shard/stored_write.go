package shard

import (
	"encoding/binary"
	"fmt"
	"sync"

	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/zstd"
)

// zstdEncoder is made when first needed, because that takes half a
// millisecond, and only ever called as a function of its input.
var zstdEncoder = sync.OnceValues(func() (*zstd.Encoder, error) {
	return zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1),
		zstd.WithEncoderCRC(false), zstd.WithSingleSegment(true))
})

// maxDocument bounds the bytes of a document in a stream, and with it what a
// damaged file can make a reader allocate.
const maxDocument = 1 << 30

// minPacked is the length below which a block is not worth packing.
const minPacked = 64

// A streamWriter gathers the documents of a stream into blocks.
type streamWriter struct {
	out    *output
	stream int
	docs   uint32 // so far
	first  uint32 // document of the open block
	heads  []byte // of the open block: lengths
	bytes  []byte // of the open block
	table  []byte
	buf    []byte
	raw    int64 // bytes of documents, to tell whether there are any
	size   int64 // bytes of blocks
}

// add takes the bytes of the next document.
func (s *streamWriter) add(b []byte) error {
	if len(b) > maxDocument {
		return fmt.Errorf("%w: %d bytes", ErrDocument, len(b))
	}
	if s.docs > s.first && s.open()+len(b) > streamTarget[s.stream] {
		if err := s.flush(); err != nil {
			return err
		}
	}
	s.heads = binary.AppendUvarint(s.heads, uint64(len(b)))
	s.bytes = append(s.bytes, b...)
	s.raw += int64(len(b))
	s.docs++
	return nil
}

func (s *streamWriter) open() int { return len(s.heads) + len(s.bytes) }

// flush ends the open block.
func (s *streamWriter) flush() error {
	if s.docs == s.first {
		return nil
	}
	n := s.open()
	s.heads = append(s.heads, s.bytes...)
	b, err := s.pack(s.heads)
	if err != nil {
		return err
	}
	s.block(s.docs-s.first, uint32(n), b)
	s.heads, s.bytes = s.heads[:0], s.bytes[:0]
	return nil
}

// block writes a block of the next n documents that is packed already. The
// open block must be flushed, and docs counted.
func (s *streamWriter) block(n, raw uint32, b []byte) {
	s.table = binary.LittleEndian.AppendUint32(s.table, s.first)
	s.table = binary.LittleEndian.AppendUint32(s.table, raw)
	s.table = binary.LittleEndian.AppendUint32(s.table, uint32(len(b)))
	s.table = binary.LittleEndian.AppendUint64(s.table, uint64(s.out.pos()))
	s.out.write(b)
	s.size += int64(len(b))
	s.first += n
}

// copyBlock takes a block of the next n documents from another shard as it is.
func (s *streamWriter) copyBlock(n, raw uint32, b []byte) error {
	if err := s.flush(); err != nil {
		return err
	}
	s.docs += n
	s.raw += int64(raw)
	s.block(n, raw, b)
	return nil
}

func (s *streamWriter) pack(raw []byte) ([]byte, error) {
	s.buf = append(s.buf[:0], codecRaw)
	switch {
	case len(raw) < minPacked:
	case s.stream == messageStream && (len(s.table) > 0 || len(raw) >= streamTarget[s.stream]):
		e, err := zstdEncoder()
		if err != nil {
			return nil, err
		}
		s.buf[0] = codecZstd
		s.buf = e.EncodeAll(raw, s.buf)
	default:
		s.buf = append(s.buf, make([]byte, s2.MaxEncodedLen(len(raw)))...)
		s.buf[0] = codecS2
		s.buf = s.buf[:1+len(s2.Encode(s.buf[1:], raw))]
	}
	if s.buf[0] == codecRaw || len(s.buf) > len(raw) {
		s.buf = append(append(s.buf[:0], codecRaw), raw...)
	}
	return s.buf, nil
}

// finish ends the stream and returns its table of blocks; nil when no document
// has a byte.
func (s *streamWriter) finish() ([]byte, error) {
	if s.raw == 0 {
		return nil, nil
	}
	err := s.flush()
	return s.table, err
}
