package terms

import "unsafe"

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
