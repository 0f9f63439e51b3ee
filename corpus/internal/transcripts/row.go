package transcripts

import (
	"encoding/binary"

	"github.com/hansard-search/hansard/corpus/internal/signal"
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
