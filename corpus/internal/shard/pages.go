package shard

import (
	"bytes"
	"encoding/binary"
	"errors"
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
	feet   [2][]byte       // both of them, the first empty where there is one
	okPage []atomic.Uint32 // a bit a page of the body
	okSums []atomic.Uint32 // a bit a page of sums
	closed atomic.Bool
}

func (m *mapping) damage(part, format string, args ...any) error {
	return &DamageError{File: m.file, Part: part, Detail: fmt.Sprintf(format, args...)}
}

// newMapping finds the parts of a file and checks its foot, or else the other one.
func newMapping(file string, data []byte) (*mapping, error) {
	m := &mapping{file: file, data: data}
	if len(data) < headerSize+trailerSize {
		return nil, m.damage("file", "%d bytes are too few", len(data))
	}
	if err := m.readFoot(len(data)); err != nil && (errors.Is(err, ErrVersion) || !m.readOther()) {
		return nil, err
	}
	m.okPage = make([]atomic.Uint32, len(m.sums)/sumSize/32+1)
	m.okSums = make([]atomic.Uint32, len(m.top)/sumSize/32+1)
	return m, nil
}

// readFoot reads the foot that ends at a place in the file.
func (m *mapping) readFoot(end int) error {
	tail := m.data[end-trailerSize : end]
	if string(tail[24:]) != tailMagic {
		return m.damage("trailer", "the file does not end as an index file")
	}
	v, err := m.version(tail)
	if err != nil {
		return err
	}
	body, size := int64(binary.LittleEndian.Uint64(tail)), int64(len(m.data))
	toc := int64(binary.LittleEndian.Uint32(tail[8:]))
	if body < headerSize || body > size {
		return m.damage("trailer", "a body of %d bytes in a file of %d", body, size)
	}
	sums := (body + pageSize - 1) / pageSize * sumSize
	top := (sums + pageSize - 1) / pageSize * sumSize
	foot, first := toc+top+trailerSize, int64(0) // first is what lies between body and sums
	if hasTwoFeet(v, body) {
		first = foot
	}
	if body+first+sums+foot != size || int64(end) != size && (first == 0 || int64(end) != body+first) {
		return m.damage("trailer", "the parts do not add up to the file's %d bytes", size)
	}
	at := int64(end) - foot
	if signal.Sum64(m.data[at:end-16]) != binary.LittleEndian.Uint64(tail[16:]) {
		return m.damage("trailer", "wrong checksum")
	}
	m.body, m.sums = body, m.data[body+first:][:sums]
	m.toc, m.top = m.data[at:][:toc], m.data[at+toc:][:top]
	m.feet = [2][]byte{m.data[body:][:first], m.data[size-foot:]}
	return nil
}

// hasTwoFeet reports whether a foot lies in front of the sums too.
func hasTwoFeet(version uint32, body int64) bool { return version >= 3 && body > headerSize }

// readOther reads the foot in front of the sums. It is at most two feet and the sums
// away from the end.
func (m *mapping) readOther() bool {
	const feet = 64 << 10 // more than they take without the top sums
	from := max(0, len(m.data)-len(m.data)/256-feet)
	for end := len(m.data); ; {
		i := bytes.LastIndex(m.data[from:end], []byte(tailMagic))
		if i < 0 {
			return false
		}
		end = from + i + len(tailMagic) - 1
		if end+1 >= headerSize+trailerSize && m.readFoot(end+1) == nil {
			return true
		}
	}
}

// sameFeet reports whether the file says twice what it says twice.
func (m *mapping) sameFeet() bool { return len(m.feet[0]) == 0 || bytes.Equal(m.feet[0], m.feet[1]) }

// version tells another version, which somebody may want to keep, from damage.
func (m *mapping) version(tail []byte) (uint32, error) {
	v := binary.LittleEndian.Uint32(tail[12:])
	if v >= oldestVersion && v <= formatVersion {
		return v, nil
	}
	if string(m.data[:8]) == headMagic && binary.LittleEndian.Uint32(m.data[8:]) == v {
		return v, fmt.Errorf("%w: %s has version %d, this program reads %d to %d", ErrVersion, m.file, v, oldestVersion, formatVersion)
	}
	return v, m.damage("trailer", "version %d", v)
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
		if !m.sumsFit(s, m.sumsOf(s)) {
			return m.checkAgain(s)
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

// sumsOf is a page of sums, as it is stored.
func (m *mapping) sumsOf(s int64) []byte {
	return m.sums[s*pageSize : min((s+1)*pageSize, int64(len(m.sums)))]
}

func (m *mapping) sumsFit(s int64, sums []byte) bool {
	return signal.Sum64(sums) == binary.LittleEndian.Uint64(m.top[s*sumSize:])
}

// checkAgain checks the pages whose sums are damaged: when their sums, made again,
// are those of which the foot has the sum, then all of these pages are sound.
func (m *mapping) checkAgain(s int64) error {
	const pages = pageSize / sumSize
	from, to := s*pages*pageSize, min((s+1)*pages*pageSize, m.body)
	if !m.sumsFit(s, appendSums(nil, m.data[from:to])) {
		return m.damage("checksums", "wrong checksum for pages %d and on", s*pages)
	}
	for p := s * pages; p*pageSize < to; p++ {
		m.okPage[p/32].Or(1 << (p % 32))
	}
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
