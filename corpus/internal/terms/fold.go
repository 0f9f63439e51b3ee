package terms

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// fold returns the key of a whole word: small letters without diacritics and
// without the connectors that people leave out or change (package comment), at
// most MaxTerm bytes. It is empty for no word only.
func fold(word string) string {
	const enough = 16 * MaxTerm // of a longer word only the hash is needed
	if len(word) > enough {
		return cut(foldLetters(cutRune(word, enough)), hash(word))
	}
	key := foldLetters(word)
	if len(key) > MaxTerm {
		key = cut(key, hash(key))
	}
	return key
}

// folded reports of most words that they are their own key.
func folded(word string) bool {
	for i := range len(word) {
		if classes[word[i]]&(lower|digit) == 0 {
			return false
		}
	}
	return len(word) <= MaxTerm
}

func foldLetters(word string) string {
	if !isASCII(word) {
		word = foldWide(word)
	}
	b := make([]byte, 0, len(word))
	dots := keepsDots(word)
	for i := 0; i < len(word); i++ {
		c := word[i]
		switch {
		case 'A' <= c && c <= 'Z':
			c += 'a' - 'A'
		case c == '_' || classes[c] == 0 && c != '+' && c != '#':
			continue
		case c == '-' && !between(word, i, digit):
			continue
		case c == '.' && !dots:
			continue
		case c == '\'' && (longAfter(word, i) || negates(word, i)):
			continue
		}
		b = append(b, c)
	}
	return string(b)
}

// between reports whether the bytes on both sides of i are of the class.
func between(word string, i int, class uint8) bool {
	return i > 0 && i+1 < len(word) && classes[word[i-1]] == class && classes[word[i+1]] == class
}

// keepsDots is false for abbreviations such as p.m and U.S.A: single letters
// between dots.
func keepsDots(word string) bool {
	for i := 0; i < len(word); i++ {
		if c := classes[word[i]]; i%2 == 0 && c&(lower|upper) == 0 || i%2 == 1 && word[i] != '.' {
			return true
		}
	}
	return false
}

// longAfter reports whether the apostrophe at i divides words (o'brien,
// l'homme), and is no contraction or possessive (don't, we'll, user's).
func longAfter(word string, i int) bool {
	n := 0
	for _, r := range word[i+1:] {
		if !unicode.IsLetter(r) {
			break
		}
		n++
	}
	return n >= 3
}

// negates reports whether the apostrophe at i is that of don't, which many leave out.
// Those of we'll and she'll make other words when they are left out.
func negates(word string, i int) bool {
	end := i + 2
	return i > 0 && word[i-1]|0x20 == 'n' && end <= len(word) && word[i+1]|0x20 == 't' &&
		(end == len(word) || classes[word[end]]&(alnum|wide) == 0)
}

// foldWide folds letters beyond ASCII: compatibility forms become plain ones,
// diacritics go, all letters are small.
func foldWide(word string) string {
	var b strings.Builder
	for _, r := range norm.NFKD.String(word) {
		r = unicode.ToLower(r)
		switch {
		case r == '\u2019':
			b.WriteByte('\'')
		case r == '\u2010' || r == '\u2011':
			b.WriteByte('-')
		case diacritic(r) || r == ExactMark:
		case letters(r) != "":
			b.WriteString(letters(r))
		case r < utf8.RuneSelf && classes[byte(r)] != 0, r >= utf8.RuneSelf && classOf(r) != runeOther:
			b.WriteRune(r)
		}
	}
	if b.Len() == 0 { // nothing but marks: the word stands for itself
		return strings.ReplaceAll(word, string(ExactMark), "")
	}
	return norm.NFC.String(b.String())
}

// diacritic reports whether a mark is an addition to a letter of Latin, Greek,
// Cyrillic, Hebrew or Arabic, and not a letter of its own as in Indic scripts.
func diacritic(r rune) bool {
	return 0x300 <= r && r <= 0x36F || 0x483 <= r && r <= 0x489 || 0x591 <= r && r <= 0x5C7 ||
		0x64B <= r && r <= 0x65F || r == 0x670 || r == 0x640 || 0xFE00 <= r && r <= 0xFE0F ||
		r == 0xAD || r == 0x200C || r == 0x200D
}

// letters spells the small letters that have no decomposition; "" for others.
func letters(r rune) string {
	switch r {
	case 'ß':
		return "ss"
	case 'æ':
		return "ae"
	case 'œ':
		return "oe"
	case 'ø':
		return "o"
	case 'đ', 'ð':
		return "d"
	case 'ł':
		return "l"
	case 'ħ':
		return "h"
	case 'ı':
		return "i"
	case 'þ':
		return "th"
	case 'ς':
		return "σ"
	}
	return ""
}

// cut shortens a key to MaxTerm bytes; the hash of the whole keeps it apart
// from others that begin alike.
func cut(key string, hash uint64) string {
	const kept = 48 // leaves room for # and 13 digits of base 36
	return cutRune(key, kept) + string(CutMark) + strconv.FormatUint(hash, 36)
}

// cutRune returns at most n bytes of s, cut before a character.
func cutRune(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// hash is FNV-1a.
func hash(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := 0; i < len(s); i++ {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return h
}

func isASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
