//go:build !amd64

package jsonl

// mark fills m with the marks of b, which is 64 bytes long for each.
func mark(b []byte, m []marks) { markWords(b, m) }
