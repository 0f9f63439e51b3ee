package shard

import (
	"encoding/binary"
	"slices"

	"github.com/hansard-search/hansard/surfaces"
)

// Info says what a shard holds. Sizes are in bytes.
type Info struct {
	Size     int64 // of the whole file
	Turns    int   // turn documents
	Sessions int   // session documents
	Owners   int   // sessions that documents belong to
	Surfaces []SurfaceInfo
	Parts    []PartInfo // they do not add up to Size: headers and sums are missing
}

// SurfaceInfo is the statistics of a surface that has documents or texts.
type SurfaceInfo struct {
	Surface surfaces.Name
	Docs    int    // documents with a length above 0
	Length  uint64 // sum of their lengths
	Terms   int    // different terms
	slot    uint8
}

// PartInfo is the size of one sort of data over the whole file.
type PartInfo struct {
	Part string
	Size int64
}

// Surface returns the statistics of one surface, zeros when it has no documents.
func (i *Info) Surface(s surfaces.Name) SurfaceInfo {
	for _, v := range i.Surfaces {
		if v.Surface == s {
			return v
		}
	}
	return SurfaceInfo{Surface: s}
}

// part is the size of one part, 0 where the shard does not tell.
func (i *Info) part(part int) int64 {
	if part < len(i.Parts) {
		return i.Parts[part].Size
	}
	return 0
}

// The parts of Info, in the order in which they are stored.
const (
	partPassages = iota
	partMeta
	partMessages
	partPostings
	partDictionaries
	partFacets
	partCodes
	partRows
	partTables
	partWords
	parts
)

var partNames = [parts]string{
	"passages", "meta", "messages", "postings", "dictionaries", "facets", "codes", "rows", "tables", "words",
}

// A toc is what the reader must know before it can read anything else.
//
// Stored as uvarints: documents of both kinds, owners, the sizes of the parts
// (their number first), the surfaces (their number first; for each slot, docs,
// length, terms, length of the name, name) and the sections (their number
// first; for each section, place, length).
type toc struct {
	info     Info
	sections []tocSection // by number
}

type tocSection struct {
	id       section
	off, len int64
}

func (t *toc) encode(sizes [parts]int64) []byte {
	var b []byte
	put := func(v ...uint64) {
		for _, x := range v {
			b = binary.AppendUvarint(b, x)
		}
	}
	put(uint64(t.info.Turns), uint64(t.info.Sessions), uint64(t.info.Owners), parts)
	for _, n := range sizes {
		put(uint64(n))
	}
	put(uint64(len(t.info.Surfaces)))
	for _, s := range t.info.Surfaces {
		put(uint64(s.slot), uint64(s.Docs), s.Length, uint64(s.Terms), uint64(len(s.Surface)))
		b = append(b, s.Surface...)
	}
	put(uint64(len(t.sections)))
	for _, s := range t.sections {
		put(uint64(s.id), uint64(s.off), uint64(s.len))
	}
	return b
}

// decodeToc reads what encode wrote; ok is false for impossible numbers.
func decodeToc(b []byte, size int64) (t toc, ok bool) {
	c := cursor{b: b}
	t.info = Info{
		Size:  size,
		Turns: int(c.int(maxDocs)), Sessions: int(c.int(maxDocs)), Owners: int(c.int(2 * maxDocs)),
	}
	for i := range c.int(64) {
		n := c.int(size)
		if i < parts {
			t.info.Parts = append(t.info.Parts, PartInfo{partNames[i], n})
		}
	}
	for range c.int(maxSlots) {
		s := SurfaceInfo{
			slot: uint8(c.int(maxSlots - 1)),
			Docs: int(c.int(maxDocs)), Length: c.uvarint(), Terms: int(c.int(1 << 40)),
		}
		s.Surface = surfaces.Name(c.bytes(c.int(255)))
		t.info.Surfaces = append(t.info.Surfaces, s)
	}
	for range c.int(1 << 10) {
		t.sections = append(t.sections, tocSection{section(c.int(1 << 20)), c.int(size), c.int(size)})
	}
	return t, !c.bad && len(c.b) == 0
}

// find returns a section; one without bytes when it is absent.
func (t *toc) find(id section) tocSection {
	i, ok := slices.BinarySearchFunc(t.sections, id, func(s tocSection, id section) int { return int(s.id) - int(id) })
	if !ok {
		return tocSection{id: id}
	}
	return t.sections[i]
}
