//go:build !amd64

package jsonl

// mark fills m with the marks of b, which is 64 bytes long for each. escape is 1
// when a backslash before b takes its first byte, after when one at its end takes
// the next. odd is not 0 when there are escapes that letters have none of.
func mark(b []byte, m []marks, escape uint64) (after, odd uint64) { return markWords(b, m, escape) }
