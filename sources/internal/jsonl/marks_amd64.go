package jsonl

import "golang.org/x/sys/cpu"

// mark fills m with the marks of b, which is 64 bytes long for each.
func mark(b []byte, m []marks) {
	if !cpu.X86.HasAVX2 {
		markWords(b, m)
		return
	}
	if len(m) > 0 {
		markVectors(&b[:blockBytes*len(m)][0], &m[0], len(m))
	}
}

// markVectors is mark, 32 bytes at a time, of n blocks, one at least.
//
//go:noescape
func markVectors(b *byte, m *marks, n int)
