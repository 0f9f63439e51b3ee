package ownjson

import (
	"encoding/json"
	"strconv"
)

// AppendText appends a string as encoding/json writes it.
func AppendText[T ~string](b []byte, s T) []byte {
	for i := range len(s) {
		if !plain[s[i]] {
			return appendEscaped(b, string(s))
		}
	}
	b = append(b, '"')
	b = append(b, s...)
	return append(b, '"')
}

// plain tells of bytes that stand for themselves.
var plain = func() (t [256]bool) {
	for c := ' '; c <= '~'; c++ {
		t[c] = c != '"' && c != '\\' && c != '<' && c != '>' && c != '&'
	}
	return t
}()

func appendEscaped(b []byte, s string) []byte {
	text, _ := json.Marshal(s) // which cannot fail
	return append(b, text...)
}

// AppendNumber appends the name of a field and its number.
func AppendNumber(b []byte, field string, n int64) []byte {
	return strconv.AppendInt(append(b, field...), n, 10)
}
