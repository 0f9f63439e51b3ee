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
//	payload  byte: 0 deleted, 1 row, 2 row whose State stands apart, 3 States
//	         string Source, string Path            and no more when deleted
//	         uvarint Flags, uvarint Inode, varint Size, varint ModTime, uint64 End
//	         varint From.Offset, varint From.Line, uint64 From.Tail, string From.Carry
//	         string LastTurn, 16 bytes LastHash, string LastEntry, string Params, string State
//	         string Session, string Parent, string Lane, string Project
//	         varint Created, varint Updated, varint Turns
//	         uvarint number of Links, string each
//	string   uvarint length in bytes, bytes
//
// varint is zigzag as in encoding/binary.
//
// States are most of a table, and only those of transcripts that changed are asked
// for. So a file that is written as a whole begins with one record of kind 3, which
// is passed over: its checksum is that of its length, and its payload's other bytes
// are the States of the rows that follow. Those are of kind 2; instead of State they
// have
//
//	uvarint bytes of State, and unless that is 0
//	uvarint where it stands in the file, uint32 low half of its Sum64
//
// The version is in the header; a table of another version counts as damaged, which
// costs one reading of the transcripts. History: 1, the first, which is read too;
// 2, kinds 2 and 3.
const (
	header  = "hansard transcripts 2\n"
	header1 = "hansard transcripts 1\n"
)

const (
	frame     = 8         // bytes before a payload
	minRecord = frame + 3 // no payload is shorter than a kind and two empty strings
)

// The kinds of payloads.
const (
	kindDelete byte = iota
	kindRow
	kindApart
	kindStates
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
	return appendKind(b, kindRow, r, func(b []byte) []byte {
		return append(binary.AppendUvarint(b, uint64(len(r.State))), r.State...)
	})
}

// appendApart is appendRow for a row whose State stands at a place of the file.
func appendApart(b []byte, r *Row, at int) []byte {
	return appendKind(b, kindApart, r, func(b []byte) []byte {
		b = binary.AppendUvarint(b, uint64(len(r.State)))
		if len(r.State) == 0 {
			return b
		}
		b = binary.AppendUvarint(b, uint64(at))
		return binary.LittleEndian.AppendUint32(b, uint32(signal.Sum64(r.State)))
	})
}

func appendKind(b []byte, kind byte, r *Row, state func([]byte) []byte) []byte {
	return appendRecord(b, func(b []byte) []byte {
		b = appendString(appendString(append(b, kind), r.Source), r.Path)
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
		b = state(b)
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
