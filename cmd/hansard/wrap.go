package main

import (
	"strings"

	"github.com/clipperhouse/displaywidth"
)

// wrap breaks a line between words, and never inside one: paths, ids and flags are
// there to be copied. Only of a word that no row has room for, and that is written
// without spaces, as Chinese is, the characters are its words.
func wrap(l string, room int) []string {
	if width(l) <= room {
		return []string{l}
	}
	b := breaker{room: room}
	for word := range strings.FieldsFuncSeq(l, func(r rune) bool { return r == ' ' }) { // not at U+00A0
		w := width(word)
		spread := w > room && ideographic(word)
		switch {
		case b.row.Len() == 0:
		case spread || b.wide+1+w <= room:
			b.put(" ", 1)
		default:
			b.turn()
		}
		if spread {
			b.spread(word)
		} else {
			b.put(word, w)
		}
	}
	b.turn()
	return b.rows
}

// A breaker fills rows.
type breaker struct {
	room int // columns of a row
	rows []string
	row  strings.Builder // the last
	wide int             // its columns
}

func (b *breaker) put(text string, columns int) {
	b.row.WriteString(text)
	b.wide += columns
}

// turn begins another row.
func (b *breaker) turn() {
	b.rows = append(b.rows, b.row.String())
	b.row.Reset()
	b.wide = 0
}

// closing are signs that no row of Chinese or Japanese begins with.
const closing = "。、，．！？：；）」』】》〉〕ー々"

// spread puts a word that may be broken between characters of two columns.
func (b *breaker) spread(word string) {
	double := false // the character before has two
	for g := graphemes(word); g.Next(); {
		w := g.Width()
		if b.wide+w > b.room && double && w == 2 && !strings.Contains(closing, g.Value()) {
			b.turn()
		}
		b.put(g.Value(), w)
		double = w == 2 || w == 0 && double // colours have none
	}
}

// ideographic reports whether a word holds two characters of two columns in a row.
func ideographic(word string) bool {
	if plain(word) {
		return false
	}
	double := false
	for g := graphemes(word); g.Next(); {
		w := g.Width()
		if w == 2 && double {
			return true
		}
		double = w == 2 || w == 0 && double
	}
	return false
}

func graphemes(text string) displaywidth.Graphemes[string] {
	return displaywidth.Options{ControlSequences: true}.StringGraphemes(text)
}
