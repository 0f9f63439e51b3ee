package shard

import (
	"encoding/binary"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/zstd"
)

// zstdWindow is how far back an encoder looks. One that looks further takes 8 MB as
// soon as a document is larger than one of its blocks.
const zstdWindow = 512 << 10

// zstdAtOnce is how many may pack at a time; others wait. One takes 256 KB.
const zstdAtOnce = 4

// zstdEncoder is made when first needed, because that takes half a
// millisecond, and only ever called as a function of its input.
var zstdEncoder = sync.OnceValues(func() (*zstd.Encoder, error) {
	return zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithSingleSegment(true),
		zstd.WithEncoderConcurrency(min(runtime.GOMAXPROCS(0), zstdAtOnce)), zstd.WithEncoderCRC(false), zstd.WithWindowSize(zstdWindow))
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
	words  *wordWriter // of passages
	docs   uint32      // so far
	first  uint32      // document of the open block
	heads  []byte      // of the open block: lengths
	bytes  []byte      // of the open block
	table  []byte
	buf    []byte
	merged bool  // of other shards: what lies here stays, and is packed more tightly
	packed int   // of the open block when its documents come packed: its length unpacked
	raw    int64 // bytes of documents, to tell whether there are any
	size   int64 // bytes of blocks

	room   int            // up to how many packed bytes wait, for Amend
	waits  []waitingBlock // in order
	held   int            // their bytes
	edited *unpackedBlock // by Amend; nil: none since a document was added
}

// add takes the bytes of the next document.
func (s *streamWriter) add(b []byte) error { return s.addMarked(b, nil) }

// addMarked is add for passages of which words are marked.
func (s *streamWriter) addMarked(b []byte, in []marking) error {
	if len(b) > maxDocument {
		return fmt.Errorf("%w: %d bytes", ErrDocument, len(b))
	}
	if err := s.endEdit(); err != nil {
		return err
	}
	if s.docs > s.first && s.packed == 0 && s.open()+len(b) > streamTarget[s.stream] {
		if err := s.flush(); err != nil {
			return err
		}
	}
	if s.words != nil && s.words.any() && (s.docs == s.first || s.packed > 0) {
		s.words.buf = s.words.packMarked(s.words.buf[:0], b, in)
		err := s.addPacked(len(b), s.words.buf)
		s.words.buf = usual(s.words.buf)
		return err
	}
	s.heads = binary.AppendUvarint(s.heads, uint64(len(b)))
	s.raw += int64(len(b))
	s.docs++
	if len(b) > unusual { // it is alone in its block
		s.heads = append(s.heads, b...)
		return s.flush()
	}
	s.bytes = append(s.bytes, b...)
	return nil
}

func (s *streamWriter) open() int { return len(s.heads) + len(s.bytes) }

// flush ends the open block.
func (s *streamWriter) flush() error {
	if s.docs == s.first {
		return nil
	}
	if s.packed > 0 {
		s.flushPacked()
		return nil
	}
	s.heads = append(s.heads, s.bytes...)
	b := heldBlock{s, s.first, s.docs - s.first, s.heads}
	s.first = s.docs
	var err error
	if s.words != nil && !s.words.settled {
		err = s.words.hold(b)
	} else {
		err = s.write(b.first, b.docs, b.raw)
	}
	s.heads, s.bytes = usual(s.heads), s.bytes[:0]
	return err
}

// write packs and writes a block of docs documents from first on.
func (s *streamWriter) write(first, docs uint32, raw []byte) error {
	b, err := s.pack(raw, docs)
	if err == nil {
		s.block(first, uint32(len(raw)), b)
		s.buf = usual(s.buf)
	}
	return err
}

// block takes a block that is packed already.
func (s *streamWriter) block(first, raw uint32, b []byte) {
	if s.room > 0 {
		s.wait(waitingBlock{first, raw, slices.Clone(b)})
		return
	}
	s.place(waitingBlock{first, raw, b})
}

// place writes a block.
func (s *streamWriter) place(b waitingBlock) {
	s.table = binary.LittleEndian.AppendUint32(s.table, b.first)
	s.table = binary.LittleEndian.AppendUint32(s.table, b.raw)
	s.table = binary.LittleEndian.AppendUint32(s.table, uint32(len(b.packed)))
	s.table = binary.LittleEndian.AppendUint64(s.table, uint64(s.out.pos()))
	s.out.write(b.packed)
	s.size += int64(len(b.packed))
}

// copyBlock takes a block of the next n documents from another shard as it is.
func (s *streamWriter) copyBlock(n, raw uint32, b []byte) error {
	if err := s.flush(); err != nil {
		return err
	}
	s.block(s.first, raw, b)
	s.docs += n
	s.first = s.docs
	s.raw += int64(raw)
	return nil
}

func (s *streamWriter) pack(raw []byte, docs uint32) ([]byte, error) {
	s.buf = append(s.buf[:0], codecRaw)
	switch {
	case len(raw) < minPacked:
	case s.words != nil && s.words.learned:
		s.buf[0] = codecWords
		s.buf = s.words.appendBlock(s.buf, raw, docs)
	case s.stream == messageStream && (s.merged && (len(s.table) > 0 || len(raw) >= streamTarget[s.stream]) || len(raw) > unusual):
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
	err := s.endEdit()
	if err == nil {
		err = s.flush()
	}
	if err == nil && s.words != nil {
		err = s.words.settle()
	}
	s.release()
	return s.table, err
}
