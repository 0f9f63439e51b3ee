package jsonl

import "golang.org/x/sys/cpu"

// mark fills m with the marks of b, which is 64 bytes long for each. escape is 1
// when a backslash before b takes its first byte, after when one at its end takes
// the next. odd is not 0 when there are escapes that letters have none of.
func mark(b []byte, m []marks, escape uint64) (after, odd uint64) {
	if !cpu.X86.HasAVX2 || len(m) == 0 {
		return markWords(b, m, escape)
	}
	first := &b[:blockBytes*len(m)][0]
	if cpu.X86.HasAVX512BW {
		return markWide(first, &m[0], len(m), escape)
	}
	return markVectors(first, &m[0], len(m), escape)
}

// markVectors is mark, 32 bytes at a time, of n blocks, one at least.
//
//go:noescape
func markVectors(b *byte, m *marks, n int, escape uint64) (after, odd uint64)

// markWide is markVectors, 64 bytes at a time, for processors with AVX-512.
//
//go:noescape
func markWide(b *byte, m *marks, n int, escape uint64) (after, odd uint64)
