package transcripts

import (
	"bytes"
	"encoding/binary"
	"unsafe"

	"github.com/hansard-search/hansard/corpus/internal/signal"
	"github.com/hansard-search/hansard/sources"
)

// Prefix begins the name of every table file; its number follows.
const Prefix = "TRANSCRIPTS."

// A table file is the header and then records, each a change of one row; the
// last record of a Source and Path counts. Records are only ever added at the
// end, beyond what the manifest names, so that a change of one row costs one
// record, and whoever reads what was published is never disturbed. Some records
// more may stand in the manifest: a few that fit there cost nothing to write, where
// making a page of the file durable is a third of what a run of one turn costs.
//
//	record   uint32 little endian: bytes of payload
//	         uint32 little endian: low half of Sum64 of payload
//	         payload
//	payload  byte: 0 deleted, 1 row
//	         string Source, string Path            and no more when deleted
//	         uvarint Flags, uvarint Inode, varint Size, varint ModTime, uint64 End
//	         varint From.Offset, varint From.Line, uint64 From.Tail, string From.Carry
//	         string LastTurn, 16 bytes LastHash, string LastEntry, string Params, string State
//	         string Session, string Parent, string Lane, string Project
//	         varint Created, varint Updated, varint Turns
//	         uvarint number of Links, string each
//	string   uvarint length in bytes, bytes
//
// varint is zigzag as in encoding/binary. The version is in the header; a
// table of another version counts as damaged, which costs one reading of the
// transcripts. History: 1, the first.
const header = "hansard transcripts 1\n"

const (
	frame     = 8         // bytes before a payload
	minRecord = frame + 3 // no payload is shorter than a kind and two empty strings
)

// The kinds of payloads.
const (
	kindDelete byte = iota
	kindRow
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
	if uint32(signal.Sum64(payload)) != binary.LittleEndian.Uint32(b[4:]) {
		return nil, errChecksum
	}
	return payload, nil
}

// appendRecord appends a record whose payload is what fill appends.
func appendRecord(b []byte, fill func([]byte) []byte) []byte {
	start := len(b)
	b = fill(append(b, make([]byte, frame)...))
	payload := b[start+frame:]
	binary.LittleEndian.PutUint32(b[start:], uint32(len(payload)))
	binary.LittleEndian.PutUint32(b[start+4:], uint32(signal.Sum64(payload)))
	return b
}

func appendDelete(b []byte, k key) []byte {
	return appendRecord(b, func(b []byte) []byte {
		return appendString(appendString(append(b, kindDelete), k.source), k.path)
	})
}

func appendRow(b []byte, r *Row) []byte {
	return appendRecord(b, func(b []byte) []byte {
		b = appendString(appendString(append(b, kindRow), r.Source), r.Path)
		b = binary.AppendUvarint(b, uint64(r.Flags))
		b = binary.AppendUvarint(b, r.Inode)
		b = binary.AppendVarint(b, r.Size)
		b = binary.AppendVarint(b, r.ModTime)
		b = binary.LittleEndian.AppendUint64(b, r.End)
		b = binary.AppendVarint(b, r.From.Offset)
		b = binary.AppendVarint(b, int64(r.From.Line))
		b = binary.LittleEndian.AppendUint64(b, r.From.Tail)
		b = appendString(b, r.From.Carry)
		b = appendString(b, r.LastTurn)
		b = append(b, r.LastHash[:]...)
		b = appendString(b, r.LastEntry)
		b = appendString(b, r.Params)
		b = append(binary.AppendUvarint(b, uint64(len(r.State))), r.State...)
		b = appendString(b, r.Session)
		b = appendString(b, r.Parent)
		b = appendString(b, string(r.Lane))
		b = appendString(b, r.Project)
		b = binary.AppendVarint(b, r.Created)
		b = binary.AppendVarint(b, r.Updated)
		b = binary.AppendVarint(b, int64(r.Turns))
		b = binary.AppendUvarint(b, uint64(len(r.Links)))
		for _, l := range r.Links {
			b = appendString(b, l)
		}
		return b
	})
}

func appendString(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// skim reads what a table keeps in memory of a payload: key and stamp, whose
// strings lie in it. All of it is checked.
func skim(payload []byte) (k key, s Stamp, deleted bool, err error) {
	c := cursor{b: payload}
	kind := c.byte()
	k = key{c.string(), c.string()}
	switch kind {
	case kindDelete:
		deleted = true
	case kindRow:
		s = c.stamp()
	default:
		c.bad = true
	}
	if c.bad || len(c.b) > 0 {
		return key{}, Stamp{}, false, errRecord
	}
	return k, s, deleted, nil
}

// rowOf makes a row of a payload that was skimmed. It shares no memory with it.
func rowOf(payload []byte) *Row {
	c := cursor{b: bytes.Clone(payload)}
	c.byte()
	r := &Row{Source: c.string(), Path: c.string()}
	c.row(r)
	return r
}

// A cursor reads from the front of b; after a misstep it is bad and yields zeros.
type cursor struct {
	b   []byte
	bad bool
}

func (c *cursor) row(r *Row) {
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
	r.State = c.bytes()
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
func (c *cursor) stamp() (s Stamp) {
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
	c.bytes() // State
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
	return s
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
