package shard

import (
	"encoding/binary"
	"fmt"
)

// A kindWriter gathers the columns and streams of one kind of documents.
type kindWriter struct {
	docs    uint32
	columns columns // where rows and keys are instead; nil: here
	rows    []byte
	owners  []byte
	keys    keyWriter
	facets  lexicon
	late    map[uint32][]uint32 // documents that got a facet out of order, by its id
	streams [streams]streamWriter
	slots   uint32 // of surfaces with passages
}

// Columns are the rows and keys of a kind when they are written.
type columns interface {
	hash(doc int) ([]byte, error) // what a row begins with; good until the next call
	writeRows(out *output) error
	writeKeys(out *output) error
}

func (k *kindWriter) hash(doc int) ([]byte, error) { return k.rows[doc*rowSize:][:16], nil }
func (k *kindWriter) writeRows(out *output) error  { out.write(k.rows); return nil }
func (k *kindWriter) writeKeys(out *output) error  { k.keys.write(out); return nil }

func (k *kindWriter) init(out *output, words *wordWriter) {
	for i := range k.streams {
		k.streams[i] = streamWriter{out: out, stream: i}
	}
	k.streams[passageStream].words = words
}

// row adds the fixed part of a document.
func (k *kindWriter) row(h *Head, key string) {
	b := append(append(k.rows, h.Key[:]...), h.Hash[:]...)
	b = binary.LittleEndian.AppendUint64(b, uint64(h.Created))
	b = binary.LittleEndian.AppendUint64(b, uint64(h.Updated))
	k.rows = binary.LittleEndian.AppendUint32(b, h.Flags)
	k.owners = binary.LittleEndian.AppendUint32(k.owners, h.Session)
	k.keys.add(key)
	k.docs++
}

func readHead(row []byte) Head {
	h := Head{
		Created: int64(binary.LittleEndian.Uint64(row[createdAt:])),
		Updated: int64(binary.LittleEndian.Uint64(row[updatedAt:])),
		Flags:   binary.LittleEndian.Uint32(row[flagsAt:]),
	}
	copy(h.Key[:], row)
	copy(h.Hash[:], row[16:])
	return h
}

// maxLexicon bounds the memory of a surface's terms: places in it are 32 bits.
// A caller that minds its memory ends the shard long before; see Writer.Memory.
const maxLexicon = 2 << 30

// A fieldWriter gathers what one surface contributes.
type fieldWriter struct {
	terms   lexicon
	codes   []byte // by document; shorter than there are documents
	lengths []byte // likewise, 4 bytes each
	docs    int    // with a length above 0
	total   uint64 // sum of lengths
}

// length notes the length of a document.
func (f *fieldWriter) length(doc uint32, code uint8, length uint32) {
	if n := int(doc) + 1 - len(f.codes); n > 0 {
		f.codes = append(f.codes, make([]byte, n)...)
		f.lengths = append(f.lengths, make([]byte, 4*n)...)
	}
	f.codes[doc] = code
	binary.LittleEndian.PutUint32(f.lengths[4*doc:], length)
	f.docs++
	f.total += uint64(length)
}

func (f *fieldWriter) add(doc uint32, d *Field) error {
	if d.Length == 0 {
		if n := len(d.Terms) + len(d.Counts); n > 0 {
			return fmt.Errorf("%w: %d terms of %s have no length", ErrDocument, n, d.Surface)
		}
		return nil
	}
	if f.terms.memory() > maxLexicon {
		return fmt.Errorf("%w: the shard is full of terms", ErrDocument)
	}
	if int(doc) < len(f.codes) {
		return fmt.Errorf("%w: surface %s is there twice", ErrDocument, d.Surface)
	}
	f.length(doc, d.Code, d.Length)
	err := f.terms.addTerms(d.Terms, doc)
	if err == nil && len(d.Counts) > 0 {
		err = f.terms.addCounts(d.Vocabulary, d.Counts, doc)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", d.Surface, err)
	}
	return nil
}

// pad gives codes and lengths an entry for each of n documents.
func (f *fieldWriter) pad(n uint32) {
	if missing := int(n) - len(f.codes); missing > 0 {
		f.codes = append(f.codes, make([]byte, missing)...)
		f.lengths = append(f.lengths, make([]byte, 4*missing)...)
	}
}
