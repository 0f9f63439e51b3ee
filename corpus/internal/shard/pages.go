package shard

import (
	"encoding/binary"
	"fmt"
	"sync/atomic"

	"github.com/hansard-search/hansard/corpus/internal/signal"
)

// A mapping is the bytes of a file and what of it is already checked. It is
// for any number of goroutines: two that check the same page do it twice.
type mapping struct {
	file   string
	data   []byte
	body   int64 // length
	toc    []byte
	sums   []byte
	top    []byte
	okPage []atomic.Uint32 // a bit a page of the body
	okSums []atomic.Uint32 // a bit a page of sums
	closed atomic.Bool
}

func (m *mapping) damage(part, format string, args ...any) error {
	return &DamageError{File: m.file, Part: part, Detail: fmt.Sprintf(format, args...)}
}

// newMapping finds the parts of a file and checks its trailer.
func newMapping(file string, data []byte) (*mapping, error) {
	m := &mapping{file: file, data: data}
	if len(data) < headerSize+trailerSize {
		return nil, m.damage("file", "%d bytes are too few", len(data))
	}
	tail := data[len(data)-trailerSize:]
	if string(tail[24:]) != tailMagic {
		return nil, m.damage("trailer", "the file does not end as an index file")
	}
	if err := m.version(data, tail); err != nil {
		return nil, err
	}
	m.body = int64(binary.LittleEndian.Uint64(tail))
	toc := int64(binary.LittleEndian.Uint32(tail[8:]))
	size := int64(len(data))
	if m.body < headerSize || m.body > size {
		return nil, m.damage("trailer", "a body of %d bytes in a file of %d", m.body, size)
	}
	sums := (m.body + pageSize - 1) / pageSize * sumSize
	top := (sums + pageSize - 1) / pageSize * sumSize
	if m.body+sums+toc+top+trailerSize != size {
		return nil, m.damage("trailer", "the parts do not add up to the file's %d bytes", size)
	}
	if signal.Sum64(data[m.body+sums:size-16]) != binary.LittleEndian.Uint64(tail[16:]) {
		return nil, m.damage("trailer", "wrong checksum")
	}
	m.sums = data[m.body : m.body+sums]
	m.toc = data[m.body+sums : m.body+sums+toc]
	m.top = data[m.body+sums+toc : m.body+sums+toc+top]
	m.okPage = make([]atomic.Uint32, sums/sumSize/32+1)
	m.okSums = make([]atomic.Uint32, top/sumSize/32+1)
	return m, nil
}

// version tells another version, which somebody may want to keep, from damage.
func (m *mapping) version(data, tail []byte) error {
	v := binary.LittleEndian.Uint32(tail[12:])
	if v >= oldestVersion && v <= formatVersion {
		return nil
	}
	if string(data[:8]) == headMagic && binary.LittleEndian.Uint32(data[8:]) == v {
		return fmt.Errorf("%w: %s has version %d, this program reads %d to %d", ErrVersion, m.file, v, oldestVersion, formatVersion)
	}
	return m.damage("trailer", "version %d", v)
}

// view returns n bytes of the body, checked. They lie in the file.
func (m *mapping) view(part string, off, n int64) ([]byte, error) {
	if m.closed.Load() {
		return nil, ErrClosed
	}
	if off < 0 || n < 0 || off > m.body || n > m.body-off {
		return nil, m.damage(part, "bytes %d to %d of %d", off, off+n, m.body)
	}
	if n == 0 {
		return nil, nil
	}
	for p := off / pageSize; p <= (off+n-1)/pageSize; p++ {
		if m.okPage[p/32].Load()>>(p%32)&1 == 0 {
			if err := m.check(part, p); err != nil {
				return nil, err
			}
		}
	}
	return m.data[off : off+n : off+n], nil
}

// check compares a page with its sum, and the sum with the sum of sums.
func (m *mapping) check(part string, page int64) error {
	s := page * sumSize / pageSize
	if m.okSums[s/32].Load()>>(s%32)&1 == 0 {
		b := m.sums[s*pageSize : min((s+1)*pageSize, int64(len(m.sums)))]
		if signal.Sum64(b) != binary.LittleEndian.Uint64(m.top[s*sumSize:]) {
			return m.damage("checksums", "wrong checksum for pages %d and on", s*pageSize/sumSize)
		}
		m.okSums[s/32].Or(1 << (s % 32))
	}
	b := m.data[page*pageSize : min((page+1)*pageSize, m.body)]
	if signal.Sum64(b) != binary.LittleEndian.Uint64(m.sums[page*sumSize:]) {
		return m.damage(part, "wrong checksum, bytes %d to %d", page*pageSize, page*pageSize+int64(len(b)))
	}
	m.okPage[page/32].Or(1 << (page % 32))
	return nil
}

// An extent is a part of the body with a name for errors.
type extent struct {
	name string
	off  int64
	len  int64
}

// at returns n bytes from i of an extent, checked. They lie in the file.
func (m *mapping) at(e extent, i, n int64) ([]byte, error) {
	if i < 0 || n < 0 || i > e.len || n > e.len-i {
		return nil, m.damage(e.name, "bytes %d to %d of %d", i, i+n, e.len)
	}
	return m.view(e.name, e.off+i, n)
}

// all returns an extent, checked. It lies in the file.
func (m *mapping) all(e extent) ([]byte, error) { return m.view(e.name, e.off, e.len) }

// A cursor reads numbers from bytes; after the first that is not there, bad.
type cursor struct {
	b   []byte
	bad bool
}

func (c *cursor) uvarint() uint64 {
	v, n := binary.Uvarint(c.b)
	if n <= 0 {
		c.bad, c.b = true, nil
		return 0
	}
	c.b = c.b[n:]
	return v
}

// int is a uvarint that must be at most limit.
func (c *cursor) int(limit int64) int64 {
	v := c.uvarint()
	if v > uint64(limit) {
		c.bad = true
		return 0
	}
	return int64(v)
}

func (c *cursor) byte() byte {
	if len(c.b) == 0 {
		c.bad = true
		return 0
	}
	v := c.b[0]
	c.b = c.b[1:]
	return v
}

// bytes returns the next n bytes, which are not copied.
func (c *cursor) bytes(n int64) []byte {
	if n < 0 || n > int64(len(c.b)) {
		c.bad, c.b = true, nil
		return nil
	}
	v := c.b[:n:n]
	c.b = c.b[n:]
	return v
}
