package terms

import (
	"slices"
	"unsafe"
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
// without its length.
func (m *Matcher) Code(piece string) (code uint16) {
	code = uint16(Piece(piece) >> 16)
	if m.sieve.within(piece) {
		code |= pieceTarget
		if code&pieceKind == pieceWord {
			body := piece
			if code&pieceLed != 0 {
				body = body[1:]
			}
			code |= m.find(body)
		}
	}
	return code
}

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

// find notes what a word matches by itself.
func (m *Matcher) find(word string) uint16 {
	m.begin()
	s := m.a.start(word)
	if !s.next() || s.start > 0 || s.end < len(word) {
		return 0
	}
	e := m.a.lex.entry(word, 0, len(word), s.flags)
	if !m.matches(e) {
		return pieceNothing
	}
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

// ScanPieces is Scan for a text of pieces, by their codes. Start and End of
// the matches tell nothing.
func (m *Matcher) ScanPieces(codes []uint16, bytes PieceBytes, yield func(Match) bool) {
	m.begin()
	p := &m.pieces
	p.codes, p.bytes, p.last, p.done, m.words = codes, bytes, 0, 0, 0
	for i := 0; i < len(codes); i++ {
		if codes[i]&pieceTarget == 0 {
			continue
		}
		found := codes[i] >> pieceFound
		if found == 0 || !p.begins(i) || !p.ends(i) {
			if i = m.scanAround(i, yield) - 1; i < 0 {
				break
			}
		} else if found > 1 && !m.reportPiece(i, &p.found[found-2], yield) {
			break
		}
	}
	p.codes, p.bytes = nil, nil
}

// reportPiece yields what the word matches that a piece is.
func (m *Matcher) reportPiece(i int, f *foundWord, yield func(Match) bool) (more bool) {
	p := &m.pieces
	if m.words > 0 {
		m.words += m.placesBetween(p.last, i)
	}
	for k := range f.matches {
		one := f.matches[k]
		one.Pos += m.words
		if !yield(one) {
			return false
		}
	}
	m.words += f.places
	p.last, p.done = i+1, i+1
	return true
}

// scanAround reads what stands between blanks around a piece, and returns the
// piece behind it, or 0 when yield returned false.
func (m *Matcher) scanAround(i int, yield func(Match) bool) int {
	p := &m.pieces
	from, to := i, p.after(i, len(p.codes))
	for from > p.done && !p.blankBefore(from) {
		from--
	}
	m.end, m.ahead = 0, 0
	if m.words > 0 {
		m.ahead = m.placesBetween(p.last, from)
	}
	text := p.text(from, to)
	more := m.scan(text, yield)
	p.done, m.ahead = to, 0
	if m.end > 0 {
		m.words += m.placesFrom(text, m.end, Reach+1)
		p.last = to
	}
	if !more {
		return 0
	}
	return to
}

// placesBetween is how many places the words of pieces take, as far as anybody
// asks. At from no word goes on, nor at to.
func (m *Matcher) placesBetween(from, to int) (n int) {
	p := &m.pieces
	for i := from; i < to && n <= Reach; {
		switch p.codes[i] & pieceKind {
		case pieceWord:
			if p.ends(i) {
				i, n = i+1, n+1
				continue
			}
		case pieceOther:
		default:
			i++
			continue
		}
		end := p.after(i, to)
		n += m.placesFrom(p.text(i, end), 0, Reach+1-n)
		i = end
	}
	return n
}

// placesFrom is how many places the words take that begin in text from a place on,
// as far as anybody asks.
func (m *Matcher) placesFrom(text string, from, most int) (n int) {
	s := m.a.start(text)
	for s.end = from; n < most && s.next(); {
		n += m.places(s)
	}
	return n
}

// text returns the bytes of pieces, good until it is called again.
func (p *cutText) text(from, to int) string {
	p.room = p.bytes.Append(p.room[:0], from, to)
	return unsafe.String(unsafe.SliceData(p.room), len(p.room))
}

// after returns the first piece behind i, to at most, with a blank before it.
func (p *cutText) after(i, to int) int {
	for i++; i < to && !p.blankBefore(i); {
		i++
	}
	return i
}

// blankBefore reports whether a piece begins with a blank, or stands behind one.
func (p *cutText) blankBefore(i int) bool {
	return p.blank(i) || i > 0 && p.codes[i-1]&pieceKind == pieceBlank
}

func (p *cutText) blank(i int) bool {
	return p.codes[i]&pieceLed != 0 || p.codes[i]&pieceKind == pieceBlank
}

// begins reports whether a word that begins a piece is certainly no part of one
// that begins before it.
func (p *cutText) begins(i int) bool {
	if i == 0 || i == p.done || p.codes[i]&pieceLed != 0 {
		return true
	}
	switch p.codes[i-1] & pieceKind {
	case pieceBlank, pieceStop:
		return true
	case pieceSign, pieceJoiner, pieceName:
		return i-1 == p.done || p.codes[i-1]&pieceLed != 0
	}
	return false
}

// ends reports whether a word that no piece before it begins ends with its piece.
func (p *cutText) ends(i int) bool {
	if i+1 == len(p.codes) || p.blank(i+1) {
		return true
	}
	const shortest = 3 // longer than a name with signs, even with a blank before it
	switch p.codes[i+1] & pieceKind {
	case pieceStop, pieceSign:
		return true
	case pieceName:
		return p.codes[i]&15 > shortest
	case pieceJoiner:
		if i+2 == len(p.codes) || p.blank(i+2) {
			return true
		}
		k := p.codes[i+2] & pieceKind
		return k != pieceWord && k != pieceOther
	}
	return false
}
