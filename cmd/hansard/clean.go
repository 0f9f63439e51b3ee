package main

import (
	"strings"
	"unicode"
)

// safe is text that may reach a terminal. Constants are safe; everything else
// becomes so through clean or line, so that what a transcript holds cannot
// move the cursor, set a title, or turn a sentence around.
type safe string

// clean takes escape sequences, control characters and characters that change
// the direction of writing out of s. Newlines stay, tabs become spaces,
// bytes that are no text become U+FFFD.
func clean(s string) safe {
	if plain(s) {
		return safe(s)
	}
	s = strip(strings.ToValidUTF8(s, "\ufffd"))
	s = strings.ReplaceAll(s, "\r\n", "\n")
	if !strings.ContainsFunc(s, hostile) {
		return safe(s)
	}
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '\n':
			b.WriteByte('\n')
		case r == '\t':
			b.WriteString("    ")
		case r == '\r', r == '\u2028', r == '\u2029', r == '\v', r == '\f', r == '\u0085':
			b.WriteByte('\n')
		case !hostile(r):
			b.WriteRune(r)
		}
	}
	return safe(b.String())
}

// plain reports whether s is lines of printable ASCII, which most texts are.
func plain[S ~string | ~[]byte](s S) bool {
	for i := range len(s) {
		if c := s[i]; (c < ' ' || c > '~') && c != '\n' {
			return false
		}
	}
	return true
}

// line is clean on one line: white space is folded.
func line(s string) safe { return safe(strings.Join(strings.Fields(string(clean(s))), " ")) }

// hostile reports whether a terminal might do something else with r than draw it.
func hostile(r rune) bool {
	switch {
	case r == '\n':
		return false
	case unicode.IsControl(r): // C0, DEL, C1
		return true
	case r == '\u2028', r == '\u2029': // line and paragraph separators
		return true
	case r == '\u061c', r == '\u200e', r == '\u200f', '\u202a' <= r && r <= '\u202e', '\u2066' <= r && r <= '\u206f':
		return true // marks, embeddings, overrides and isolates of direction
	case r == '\ufeff', '\ufff9' <= r && r <= '\ufffb', 0xe0000 <= r && r <= 0xe007f:
		return true // drawn as nothing at all, and so a place to hide words in
	}
	return false
}
