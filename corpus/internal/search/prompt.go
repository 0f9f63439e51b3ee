package search

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"github.com/hansard-search/hansard/corpus/internal/signal"
)

// promptHash is the same for prompts that differ in capitals and blanks only.
func (n *nearReader) promptHash(text string) signal.Hash {
	b := n.room.folded[:0]
	for i := 0; i < len(text); {
		if c := small[text[i]]; c != 0 {
			b = append(b, c)
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		i += size
		switch {
		case !unicode.IsSpace(r):
			b = utf8.AppendRune(b, unicode.ToLower(r))
		case len(b) > 0 && b[len(b)-1] != ' ':
			b = append(b, ' ')
		}
	}
	n.room.folded = b
	return signal.OfBytes(bytes.TrimSuffix(b, []byte(" ")))
}

// small is the small letter of a byte, or the byte; 0 for blanks and for what is
// no character by itself.
var small = func() (t [256]byte) {
	for c := range byte(utf8.RuneSelf) {
		if !unicode.IsSpace(rune(c)) {
			t[c] = byte(unicode.ToLower(rune(c)))
		}
	}
	return t
}()
