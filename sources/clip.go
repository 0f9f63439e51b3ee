package sources

import (
	"strings"
	"unicode/utf8"
)

// clipGap stands for what was left out of a capped text.
const clipGap = "\n...\n"

// clip keeps the head and the tail of s, whole characters only, limit
// bytes in all. The head gets more: it says what the text is.
func clip[T string | []byte](s T, limit int) string {
	if len(s) <= limit {
		return string(s)
	}
	if limit <= 4*len(clipGap) {
		return strings.Clone(string(s[:runeStart(s, limit)]))
	}
	tail := len(s) - limit/4
	for tail < len(s) && !utf8.RuneStart(s[tail]) {
		tail++
	}
	head := runeStart(s, limit-limit/4-len(clipGap))
	return string(s[:head]) + clipGap + string(s[tail:])
}

// runeStart is the last start of a character at or before i.
func runeStart[T string | []byte](s T, i int) int {
	for i > 0 && i < len(s) && !utf8.RuneStart(s[i]) {
		i--
	}
	return i
}
