package terms

import (
	"hash/maphash"
	"slices"
)

// A stored text is a row of pieces, most of which come again: what there is to
// know of one is found out once. A piece has a code:
//
//	bits 0-3   its length in bytes, which is the caller's to set
//	bits 4-6   what it is
//	bit 7      it begins with a blank
//	bit 8      a target may begin in it
//	bits 9-15  what it matches where it is a word: 0 nobody knows, 1 nothing, else
//	           one of Matcher.pieces.found, from 2 on
const (
	pieceKind    = 7 << 4
	pieceLed     = 1 << 7
	pieceTarget  = 1 << 8
	pieceFound   = 9
	mostFound    = 1<<7 - 2
	pieceNothing = 1 << pieceFound
)

// What a piece is, beside a blank before it.
const (
	pieceOther  = iota << 4 // not known: its letters have to be read
	pieceWord               // letters and digits of ASCII, which take one place
	pieceBlank              // nothing else
	pieceStop               // signs, of which one divides whatever stands before and behind
	pieceSign               // signs that divide short words
	pieceJoiner             // one sign that connects words
	pieceName               // + or # first, which may be of the name before them
)

// A cutText is a text that is read as pieces.
type cutText struct {
	codes []uint16
	bytes PieceBytes
	last  int // piece behind the last match, and what was counted with it
	done  int // piece up to which all is read: no word goes on there
	room  []byte

	found []foundWord
	trial []Match
}

// PieceBytes appends the bytes of some pieces of a text.
type PieceBytes interface {
	Append(dst []byte, from, to int) []byte
}

// A foundWord is what a word matches, by itself.
type foundWord struct {
	places  int
	matches []Match
}

// Piece is what there is to know of a piece, whatever is looked for: in the upper
// half its code, without its length; in the lower one the two bytes with which it
// begins, if Pairs tells by them alone whether a target can begin in it.
func Piece(piece string) (known uint32) {
	body, code := piece, uint16(0)
	if body != "" && body[0] <= ' ' {
		body, code = body[1:], pieceLed
	}
	kind, once := kindOfPiece(body)
	known = uint32(code|kind) << 16
	switch {
	case once:
		known |= uint32(body[0])<<8 | uint32(body[1])
	case kind == pieceOther || kind == pieceWord:
		known |= whatever << 8
	}
	return known
}

// whatever is a byte with which any target can begin.
const whatever = 0xFF

// Pairs are the pairs of bytes with which a target can begin.
func (m *Matcher) Pairs() *[1 << 11]uint32 { return &m.sieve.pairs }

// Code is the code of a piece in which a target can begin by what is known of it,
// without its length. Where Pairs tells of it by two bytes, and Misses may say the
// same of it without reading it, form is of which word it is a form, whatever is
// looked for; else it is 0.
func (m *Matcher) Code(piece string) (code uint16, form uint32) {
	known := Piece(piece)
	code = uint16(known >> 16)
	if m.sieve.within(piece) {
		code |= pieceTarget
		if code&pieceKind == pieceWord {
			body := piece
			if code&pieceLed != 0 {
				body = body[1:]
			}
			var found uint16
			found, form = m.find(body)
			code |= found
		}
	}
	if known>>8&0xFF == whatever {
		form = 0
	}
	return code, form
}

// Misses reports whether words of a form, which is not 0, certainly match nothing,
// and what Code adds to what is known of one.
func (m *Matcher) Misses(form uint32) (code uint16, ok bool) {
	if m.forms == nil {
		m.forms = m.formsAsked()
	}
	return pieceTarget | pieceNothing, !slices.Contains(m.forms, anyForm) && !slices.Contains(m.forms, form)
}

// anyForm stands for the forms of words that cannot be told.
const anyForm = 0

// formsAsked are the forms of words that may match, never nil.
func (m *Matcher) formsAsked() []uint32 {
	forms := make([]uint32, 0, len(m.targets))
	for _, t := range m.targets {
		form, marked := Form(t.Term)
		switch {
		case form == "":
		case marked || t.Prefix:
			forms = append(forms, anyForm)
		default:
			forms = append(forms, formOf(form))
		}
	}
	return forms
}

var formSeed = maphash.MakeSeed()

// formOf is a number for all words that have a stem; others may have the same one.
func formOf(stem string) uint32 { return uint32(maphash.String(formSeed, stem)) | 1 }

// kindOfPiece is what a piece is without the blank before it, and whether a part of
// a word can begin at its first two bytes only.
func kindOfPiece(body string) (kind uint16, once bool) {
	n := 0
	for n < len(body) && classes[body[n]] == lower {
		n++
	}
	if n == len(body) && n > 1 { // most
		return pieceWord, true
	}
	var all, rest uint8 // classes of bytes, and of those from the second on
	blank, stops := true, false
	for i := range len(body) {
		c := classes[body[i]]
		if c == 0 {
			c = other
		}
		all |= c
		if i > 0 {
			rest |= c
		}
		blank = blank && body[i] <= ' '
		switch body[i] {
		case '_': // goes on as a letter does
			all |= wide
		case '+', '/', '=', '-': // may be in the midst of encoded data
		default:
			stops = true
		}
	}
	switch {
	case blank:
		return pieceBlank, false
	case all&^(lower|upper) == 0 && rest == lower, all == digit && rest == digit:
		return pieceWord, true
	case all&^(lower|digit) == 0, all == upper:
		return pieceWord, false
	case all&^(joined|other) != 0:
		return pieceOther, false
	case body[0] == '+' || body[0] == '#':
		return pieceName, false
	case len(body) == 1 && all == joined:
		return pieceJoiner, false
	case stops:
		return pieceStop, false
	}
	return pieceSign, false
}

// other is a class of bytes that divide words.
const other = 1 << 7

// within is next for a piece: whether there is such a place, whatever stands
// before and behind it.
func (v *sieve) within(piece string) bool {
	last := len(piece) - 1
	for i := 0; i < last; i++ {
		at := uint16(piece[i])<<8 | uint16(piece[i+1])
		if v.pairs[at>>5]>>(at&31)&1 == 1 && begins(piece, i) {
			return true
		}
	}
	if last < 0 || !begins(piece, last) {
		return false
	}
	for _, some := range v.pairs[int(piece[last])<<3:][:8] {
		if some != 0 {
			return true
		}
	}
	return false
}

// find notes what a word matches by itself, and tells its form if it has no parts.
func (m *Matcher) find(word string) (found uint16, form uint32) {
	m.begin()
	s := m.a.start(word)
	if !s.next() || s.start > 0 || s.end < len(word) {
		return 0, 0
	}
	e := m.a.lex.entry(word, 0, len(word), s.flags)
	if e.from == e.to {
		form = formOf(m.a.lex.vocabulary.text(e.whole.stem))
	}
	if !m.matches(e) {
		return pieceNothing, form
	}
	return m.noteFound(e), form
}

// noteFound notes what an entry matches, which is something.
func (m *Matcher) noteFound(e *entry) uint16 {
	f := foundWord{places: int(e.leaves), matches: m.pieces.trial[:0]}
	words := m.words
	m.words = 0
	m.report(e, 0, 0, func(one Match) bool { f.matches = append(f.matches, one); return true })
	m.words, m.pieces.trial = words, f.matches
	for i := range m.pieces.found {
		if m.pieces.found[i].same(&f) {
			return uint16(i+2) << pieceFound
		}
	}
	if len(m.pieces.found) == mostFound {
		return 0
	}
	f.matches = slices.Clone(f.matches)
	m.pieces.found = append(m.pieces.found, f)
	return uint16(len(m.pieces.found)+1) << pieceFound
}

// same reports whether two words match the same but for the bytes.
func (f *foundWord) same(o *foundWord) bool {
	if f.places != o.places || len(f.matches) != len(o.matches) {
		return false
	}
	for i := range f.matches {
		a, b := f.matches[i], o.matches[i]
		a.Start, a.End, b.Start, b.End = 0, 0, 0, 0
		if a != b {
			return false
		}
	}
	return true
}
