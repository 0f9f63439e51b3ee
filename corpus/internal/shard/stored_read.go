package shard

import (
	"encoding/binary"
	"fmt"
	"sync"

	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/zstd"
)

// zstdDecoder is made when first needed and only ever called as a function of
// its input.
var zstdDecoder = sync.OnceValues(func() (*zstd.Decoder, error) {
	return zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderLowmem(true),
		zstd.WithDecoderMaxMemory(maxBlock))
})

// maxBlock bounds a block unpacked: a document and what says its length.
const maxBlock = maxDocument + 16

// A streamReader finds documents in the blocks of a stream.
type streamReader struct {
	table extent // no bytes when the stream is absent
	docs  int
	words *wordReader
	bufs  sync.Pool // of *[]byte, for unpacking
}

func (s *streamReader) locate(table extent, docs int, words *wordReader) {
	s.table, s.docs, s.words = table, docs, words
}

// A block is a row of a table of blocks.
type block struct {
	first, docs uint32 // documents in it
	raw         uint32 // length unpacked
	stored      int64  // length with the codec
	off         int64
}

// blocks is the number of blocks.
func (s *streamReader) blocks() int { return int(s.table.len / blockSize) }

// block returns the i-th row.
func (s *streamReader) block(m *mapping, i int) (b block, err error) {
	row, err := m.at(s.table, int64(i)*blockSize, blockSize)
	if err != nil {
		return b, err
	}
	b = block{
		first: binary.LittleEndian.Uint32(row), raw: binary.LittleEndian.Uint32(row[4:]),
		stored: int64(binary.LittleEndian.Uint32(row[8:])), off: int64(binary.LittleEndian.Uint64(row[12:])),
	}
	end := uint32(s.docs)
	if i+1 < s.blocks() {
		if row, err = m.at(s.table, int64(i+1)*blockSize, 4); err != nil {
			return b, err
		}
		end = binary.LittleEndian.Uint32(row)
	}
	if b.first >= end || int64(end) > int64(s.docs) || b.stored < 1 || b.raw > maxBlock {
		return b, m.damage(s.table.name, "block %d", i)
	}
	b.docs = end - b.first
	return b, nil
}

// find returns the block that a document is in.
func (s *streamReader) find(m *mapping, doc uint32) (block, error) {
	b, _, err := s.search(m, doc)
	return b, err
}

// findFrom is find, where the last document, which was in the i-th block, may be one
// shortly before. It returns the number of the block, too.
func (s *streamReader) findFrom(m *mapping, last uint32, i int, doc uint32) (block, int, error) {
	const few, soon = 6, 16
	for end := min(i+few, s.blocks()); doc-last < soon && i < end; i++ {
		b, err := s.block(m, i)
		if err != nil || doc < b.first {
			break
		}
		if doc-b.first < b.docs {
			return b, i, nil
		}
	}
	return s.search(m, doc)
}

func (s *streamReader) search(m *mapping, doc uint32) (block, int, error) {
	lo, hi := 0, s.blocks()-1
	for lo < hi {
		mid := int(uint(lo+hi+1) >> 1)
		row, err := m.at(s.table, int64(mid)*blockSize, 4)
		if err != nil {
			return block{}, 0, err
		}
		if binary.LittleEndian.Uint32(row) <= doc {
			lo = mid
		} else {
			hi = mid - 1
		}
	}
	b, err := s.block(m, lo)
	if err == nil && doc-b.first >= b.docs {
		err = m.damage(s.table.name, "document %d is in no block", doc)
	}
	return b, lo, err
}

// stored returns a block as it lies in the file.
func (s *streamReader) stored(m *mapping, b block) ([]byte, error) {
	return m.view(s.table.name, b.off, b.stored)
}

// unpack returns what is in a block; buf may be used for it.
func (s *streamReader) unpack(m *mapping, b block, buf []byte) ([]byte, error) {
	p, err := s.stored(m, b)
	if err != nil {
		return nil, err
	}
	if p[0] == codecWords {
		words, err := s.words.words(m)
		if err != nil {
			return nil, err
		}
		if buf, ok := words.unpackBlock(buf, p[1:], b.docs, int(b.raw)); ok {
			return buf, nil
		}
		return nil, m.damage(s.table.name, "block of document %d", b.first)
	}
	if buf, err = unpack(buf, p, int(b.raw)); err != nil {
		return nil, m.damage(s.table.name, "block of document %d: %v", b.first, err)
	}
	return buf, nil
}

func unpack(buf, p []byte, raw int) (b []byte, err error) {
	codec, p := p[0], p[1:]
	switch codec {
	case codecRaw:
		b = append(buf[:0], p...)
	case codecS2:
		if n, err := s2.DecodedLen(p); err != nil || n != raw {
			return nil, fmt.Errorf("%d bytes, not %d (%v)", n, raw, err)
		}
		b, err = s2.Decode(buf[:cap(buf)], p)
	case codecZstd:
		d, err := zstdDecoder()
		if err != nil {
			return nil, err
		}
		if cap(buf) < raw {
			buf = make([]byte, 0, raw)
		}
		if b, err = d.DecodeAll(p, buf[:0]); err != nil {
			return nil, err
		}
	default:
		return nil, fmt.Errorf("codec %d", codec)
	}
	if err == nil && len(b) != raw {
		err = fmt.Errorf("%d bytes, not %d", len(b), raw)
	}
	return b, err
}

// doc calls fn with the bytes of a document, which are good until it returns.
func (s *streamReader) doc(m *mapping, doc uint32, fn func([]byte) error) error {
	if s.table.len == 0 {
		return fn(nil)
	}
	b, err := s.find(m, doc)
	if err != nil {
		return err
	}
	p, err := s.stored(m, b)
	if err != nil {
		return err
	}
	buf, _ := s.bufs.Get().(*[]byte)
	if buf == nil {
		buf = new([]byte)
	}
	var raw []byte
	if p[0] == codecWords {
		if raw, err = s.unpackDoc(m, b, p, doc, *buf); err == nil {
			err = fn(raw)
		}
	} else if raw, err = s.unpack(m, b, *buf); err == nil {
		err = s.each(m, b, raw, func(i uint32, p []byte) error {
			if i != doc {
				return nil
			}
			return fn(p)
		})
	}
	if raw != nil && len(raw) <= 4*streamTarget[messageStream] {
		*buf = raw
		s.bufs.Put(buf)
	}
	return err
}

// each calls fn for every document of an unpacked block.
func (s *streamReader) each(m *mapping, b block, raw []byte, fn func(doc uint32, p []byte) error) error {
	heads := cursor{b: raw}
	for range b.docs {
		heads.uvarint()
	}
	rest := cursor{b: heads.b, bad: heads.bad}
	heads = cursor{b: raw}
	for i := range b.docs {
		p := rest.bytes(heads.int(maxBlock))
		if heads.bad || rest.bad {
			return m.damage(s.table.name, "document %d", b.first+i)
		}
		if err := fn(b.first+i, p); err != nil {
			return err
		}
	}
	if len(rest.b) > 0 {
		return m.damage(s.table.name, "%d bytes after document %d", len(rest.b), b.first+b.docs-1)
	}
	return nil
}
