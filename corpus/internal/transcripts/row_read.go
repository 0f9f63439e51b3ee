package transcripts

import (
	"bytes"
	"encoding/binary"
	"unsafe"

	"github.com/hansard-search/hansard/corpus/internal/signal"
	"github.com/hansard-search/hansard/sources"
)

// record returns the payload of the record at the start of b.
func record(b []byte) ([]byte, error) {
	if len(b) < frame {
		return nil, errRecord
	}
	n := binary.LittleEndian.Uint32(b)
	if uint64(n) > uint64(len(b)-frame) {
		return nil, errRecord
	}
	payload := b[frame : frame+int(n) : frame+int(n)]
	summed := payload
	if isStates(payload) {
		summed = b[:4]
	}
	if uint32(signal.Sum64(summed)) != binary.LittleEndian.Uint32(b[4:]) {
		return nil, errChecksum
	}
	return payload, nil
}

func isStates(payload []byte) bool { return len(payload) > 0 && payload[0] == kindStates }

// A skimmed is what a table keeps in memory of a payload. Its strings lie in that.
type skimmed struct {
	key
	Stamp
	kind  byte
	apart uint64 // bytes of the State that stands apart
}

// skim checks all of a payload but a State that stands apart.
func skim(payload []byte) (s skimmed, err error) {
	c := cursor{b: payload}
	s.kind = c.byte()
	s.key = key{c.string(), c.string()}
	switch s.kind {
	case kindDelete:
	case kindRow, kindApart:
		c.stamp(&s)
	default:
		c.bad = true
	}
	if c.bad || len(c.b) > 0 {
		return skimmed{}, errRecord
	}
	return s, nil
}

// rowOf makes a row of a payload that was skimmed, which is in file or came after
// it. It shares no memory with them. Where its State is damaged the row is not ok:
// it is one that was read under no known parameters.
func rowOf(payload, file []byte) (r *Row, ok bool) {
	c := cursor{b: bytes.Clone(payload)}
	apart := c.byte() == kindApart
	r = &Row{Source: c.string(), Path: c.string()}
	if c.row(r, apart); !apart || c.size == 0 {
		return r, true
	}
	end := c.at + c.size
	if c.at > end || end > uint64(len(file)) || uint32(signal.Sum64(file[c.at:end])) != c.sum {
		r.Params = ""
		return r, false
	}
	r.State = bytes.Clone(file[c.at:end])
	return r, true
}

// A cursor reads from the front of b; after a misstep it is bad and yields zeros.
type cursor struct {
	b   []byte
	bad bool

	at, size uint64 // where a State stands that stands apart
	sum      uint32 // of it
}

// apart passes over what there is instead of a State.
func (c *cursor) apart() {
	if c.size = c.uvarint(); c.size == 0 {
		return
	}
	c.at = c.uvarint()
	if sum := c.take(4); sum != nil {
		c.sum = binary.LittleEndian.Uint32(sum)
	}
}

func (c *cursor) row(r *Row, apart bool) {
	r.Flags = Flags(c.uvarint())
	r.Inode = c.uvarint()
	r.Size = c.varint()
	r.ModTime = c.varint()
	if end := c.take(8); end != nil {
		r.End = binary.LittleEndian.Uint64(end)
	}
	r.From.Offset = c.varint()
	r.From.Line = int(c.varint())
	if tail := c.take(8); tail != nil {
		r.From.Tail = binary.LittleEndian.Uint64(tail)
	}
	r.From.Carry = c.string()
	r.LastTurn = c.string()
	copy(r.LastHash[:], c.take(16))
	r.LastEntry = c.string()
	r.Params = c.string()
	if apart {
		c.apart()
	} else {
		r.State = c.bytes()
	}
	r.Session = c.string()
	r.Parent = c.string()
	r.Lane = sources.Lane(c.string())
	r.Project = c.string()
	r.Created = c.varint()
	r.Updated = c.varint()
	r.Turns = int(c.varint())
	n := c.uvarint()
	if n > uint64(len(c.b)) { // each takes a byte at least
		c.bad = true
		return
	}
	if n > 0 {
		r.Links = make([]string, n)
	}
	for i := range r.Links {
		r.Links[i] = c.string()
	}
}

// stamp reads on like row does, but keeps less.
func (c *cursor) stamp(s *skimmed) {
	s.Flags = Flags(c.uvarint())
	s.Inode = c.uvarint()
	s.Size = c.varint()
	s.ModTime = c.varint()
	if end := c.take(8); end != nil {
		s.End = binary.LittleEndian.Uint64(end)
	}
	c.pass() // From
	c.pass()
	c.take(8)
	c.bytes()
	c.bytes() // LastTurn, LastHash, LastEntry
	c.take(16)
	c.bytes()
	s.Params = c.string()
	if s.kind == kindApart {
		c.apart()
		s.apart = c.size
	} else {
		c.bytes() // State
	}
	c.bytes() // Session
	parent := c.bytes()
	c.bytes() // Lane, Project
	c.bytes()
	c.pass() // Created, Updated, Turns
	c.pass()
	c.pass()
	n := c.uvarint()
	s.Loose = n > 0 && len(parent) == 0
	for ; n > 0 && !c.bad; n-- {
		c.bytes()
	}
}

func (c *cursor) take(n uint64) []byte {
	if n > uint64(len(c.b)) {
		c.bad, c.b = true, nil
		return nil
	}
	head := c.b[:n:n]
	c.b = c.b[n:]
	return head
}

func (c *cursor) byte() byte {
	if b := c.take(1); b != nil {
		return b[0]
	}
	return 0
}

func (c *cursor) uvarint() uint64 {
	if len(c.b) > 0 && c.b[0] < 0x80 { // most lengths
		v := c.b[0]
		c.b = c.b[1:]
		return uint64(v)
	}
	v, n := binary.Uvarint(c.b)
	if n <= 0 {
		c.bad, c.b = true, nil
		return 0
	}
	c.b = c.b[n:]
	return v
}

// pass skips a varint.
func (c *cursor) pass() {
	for i, b := range c.b[:min(len(c.b), binary.MaxVarintLen64)] {
		if b < 0x80 {
			c.b = c.b[i+1:]
			return
		}
	}
	c.bad, c.b = true, nil
}

func (c *cursor) varint() int64 {
	v := c.uvarint()
	return int64(v>>1) ^ -int64(v&1)
}

func (c *cursor) bytes() []byte {
	b := c.take(c.uvarint())
	if len(b) == 0 {
		return nil
	}
	return b
}

// string shares memory with what is read, to which nobody writes.
func (c *cursor) string() string {
	b := c.bytes()
	return unsafe.String(unsafe.SliceData(b), len(b))
}
