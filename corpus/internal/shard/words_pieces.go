package shard

import (
	"encoding/binary"

	"github.com/hansard-search/hansard/surfaces"
)

// Pieces reads texts as they are packed: of a word of a shard it is found out once
// what there is to know of it, not wherever it stands. It is for one goroutine.
//
// What is known of a piece whatever is looked for is a number of 32 bits: two bytes
// by which Asked tells whether this piece matters, and above them its code. The code
// of one that matters is asked for.
type Pieces struct {
	r     *Reader
	asked Asked
	words *wordList
	known []uint32 // by number of a word; 0: not known yet
	forms []uint32 // likewise; 0: not told
	told  [1 << toldBits]toldPiece
	steps []uint16 // by number of a word: see StepEnds; none: not asked yet
	reads int      // documents
	doc   uint32   // the last one
	block int      // in which it is

	packed []byte // what is left of the document
	rest   []byte // of a piece of which the beginning was read
	codes  []uint16
	items  []uint32 // by piece: number of a word, or itsOwn and place in own
	own    []byte   // bytes of pieces without a number
	ahead  [64]uint32
}

// Asked is what is to be known of pieces, which have up to maxWord bytes.
type Asked struct {
	Known func(piece string) uint32                     // always the same, and without its length
	Pairs *[1 << 11]uint32                              // a set of two bytes
	Code  func(piece string) (code uint16, form uint32) // of one whose two bytes are in the set, without its length
	// Misses reports whether pieces of a form that Code told, which is not 0, are
	// certainly not looked for, and what Code adds to what is known of one.
	Misses func(form uint32) (code uint16, ok bool)
	Step   func(code uint16) uint16 // what a piece does to a phrase of Steps words; nil: all texts are read
	Steps  int                      // at most StepWords
}

// A toldPiece is the code of a word that matters, by its number.
type toldPiece struct {
	word uint32 // and one
	code uint16
}

// PieceLength has the bits of a code that are the length of the piece.
const PieceLength = 1<<wordShift - 1

const (
	itsOwn   = 1 << 31
	toldBits = 10
)

// Begin readies p for the texts of a shard.
func (p *Pieces) Begin(r *Reader, asked Asked) {
	p.r, p.asked, p.reads, p.doc, p.block = r, asked, 0, 0, 0
	clear(p.told[:])
}

// End leaves nothing but room for the next shard.
func (p *Pieces) End() {
	p.r, p.asked, p.words, p.known, p.forms, p.packed, p.rest = nil, Asked{}, nil, nil, nil, nil, nil
	p.steps = p.steps[:0]
	if cap(p.codes) > keptPieces {
		p.codes, p.items, p.own = nil, nil, nil
	}
}

// keptPieces is of how large a text the room is kept.
const keptPieces = 1 << 14

// Read calls fn with the codes of the pieces of each text of a document, good until
// fn returns, until fn returns false; it may leave texts out in which the phrase of
// which Step knows does not stand. ok is false for a document that is packed otherwise or is damaged,
// of which some texts may have been read: ReadPassages tells.
func (p *Pieces) Read(k Kind, doc uint32, fn func(s surfaces.Name, codes []uint16) (more bool)) (ok bool, err error) {
	t, err := p.r.kind(k, doc)
	if err != nil {
		return false, err
	}
	size, ok, err := p.find(&t.streams[passageStream], doc)
	if size == 0 || !ok || err != nil {
		return ok, err
	}
	p.reads++
	skims := p.skims()
	for left := p.uvarint(&size); left > 0 && size > 0; left-- {
		slot := p.uvarint(&size)
		n := p.uvarint(&size)
		if slot >= maxSlots || n > size {
			return false, nil
		}
		at := p.r.slot(uint8(slot))
		if at < 0 {
			return false, nil
		}
		if skims {
			packed, rest := p.packed, p.rest
			may, ok := p.skim(int(n))
			if !ok {
				return false, nil
			}
			if !may {
				size -= n
				continue
			}
			p.packed, p.rest = packed, rest
		}
		if !p.text(int(n)) {
			return false, nil
		}
		if size -= n; !fn(p.r.surfaces[at].name, p.codes) {
			return true, nil
		}
	}
	return size == 0 && len(p.packed)+len(p.rest) == 0, nil
}

// find finds a document and its length unpacked; ok is false where it is not
// packed as words.
func (p *Pieces) find(s *streamReader, doc uint32) (size uint64, ok bool, err error) {
	if s.table.len == 0 {
		return 0, true, nil
	}
	b, at, err := s.findFrom(p.r.m, p.doc, p.block, doc)
	if err != nil {
		return 0, false, err
	}
	p.doc, p.block = doc, at
	block, err := s.stored(p.r.m, b)
	if err != nil || block[0] != codecWords {
		return 0, false, err
	}
	words, err := s.words.some(p.r.m)
	if err != nil {
		return 0, false, err
	}
	if p.words != words {
		p.words, p.steps = words, p.steps[:0]
		p.known, p.forms = words.knownPieces()
	}
	n, packed, ok := packedDoc(block[1:], b.docs, doc-b.first)
	p.packed, p.rest = packed, nil
	return uint64(n), ok && n <= int64(b.raw), nil
}

// uvarint reads a number that stands between texts, of a document of which size
// bytes are left. Pieces do not end where texts begin.
func (p *Pieces) uvarint(size *uint64) (v uint64) {
	for shift := 0; shift < 64 && *size > 0; shift += 7 {
		if len(p.rest) == 0 && !p.begin() {
			break
		}
		c := p.rest[0]
		p.rest = p.rest[1:]
		*size--
		if v |= uint64(c&0x7F) << shift; c < 0x80 {
			return v
		}
	}
	*size = 0
	return 1 << 63
}

// begin reads the beginning of the next piece.
func (p *Pieces) begin() bool {
	if len(p.packed) == 0 {
		return false
	}
	if v, n, ok := numberAt(p.packed); ok {
		if int(v) >= len(p.known) || !p.words.sound(v) {
			return false
		}
		p.packed, p.rest = p.packed[n:], p.words.word(v)
		return len(p.rest) > 0
	}
	n, from := asIs(p.packed, 0)
	if n <= 0 || n > len(p.packed)-from {
		return false
	}
	p.rest, p.packed = p.packed[from:from+n], p.packed[from+n:]
	return true
}

// numberAt reads the number of a word; ok is false where bytes follow as they are,
// or too few.
func numberAt(p []byte) (v uint32, n int, ok bool) {
	switch c := uint32(p[0]); {
	case c < wordTwo:
		return c, 1, true
	case c < byteThree && len(p) > 1:
		return wordTwo + (c-wordTwo)<<8 + uint32(p[1]), 2, true
	case c == byteThree && len(p) > 2:
		return wordThree + uint32(p[1])<<8 + uint32(p[2]), 3, true
	}
	return 0, 0, false
}

func (l *wordList) word(v uint32) []byte {
	w := l.words[v]
	return l.text[w>>wordShift:][:w&(1<<wordShift-1)]
}

// text reads the pieces of the next size bytes; false for what is no text.
func (p *Pieces) text(size int) bool {
	if most := len(p.rest) + len(p.packed) + 1; cap(p.codes) < most { // a piece takes a byte
		p.codes, p.items = make([]uint16, 2*most), make([]uint32, 2*most)
	}
	p.codes, p.items, p.own = p.codes[:0], p.items[:0], p.own[:0]
	for size > 0 {
		if len(p.rest) == 0 {
			if size = p.numbered(size); size == 0 {
				break
			}
			if !p.begin() {
				return false
			}
		}
		n := min(size, len(p.rest))
		p.apart(p.rest[:n])
		p.rest, size = p.rest[n:], size-n
	}
	return true
}

// apart takes bytes without a number as pieces.
func (p *Pieces) apart(b []byte) {
	for len(b) > 0 {
		piece := b[:wordEnd(b)]
		known := p.know(piece)
		code := uint16(known >> 16)
		if at := known & 0xFFFF; p.asked.Pairs[at>>5]>>(at&31)&1 == 1 {
			code, _ = p.codeOf(piece)
		}
		p.codes = append(p.codes, code)
		p.items = append(p.items, itsOwn|uint32(len(p.own)))
		p.own = append(p.own, piece...)
		b = b[len(piece):]
	}
}

// Append appends the bytes of some pieces of the text that was read last.
func (p *Pieces) Append(dst []byte, from, to int) []byte {
	for i := from; i < to; i++ {
		n := int(p.codes[i] & PieceLength)
		if at := p.items[i]; at&itsOwn != 0 {
			dst = append(dst, p.own[at&^itsOwn:][:n]...)
		} else {
			dst = p.words.appendWord(dst, at)
		}
	}
	return dst
}

// appendWord appends a word. It is good where it was unpacked before.
func (l *wordList) appendWord(dst []byte, v uint32) []byte {
	w := l.words[v]
	from, n := l.text[w>>wordShift:][:wordRoom], len(dst)
	dst = binary.LittleEndian.AppendUint64(dst, binary.LittleEndian.Uint64(from))
	dst = binary.LittleEndian.AppendUint64(dst, binary.LittleEndian.Uint64(from[8:]))
	return dst[:n+int(w&(1<<wordShift-1))]
}
