package redact

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

// next returns the first place at or after i that a rule may match, or -1. It is all
// that clean text costs.
func (t *table) next(s string, i int) int {
	if !cpu.X86.HasAVX512VBMI || !cpu.X86.HasAVX512BW {
		return t.nextWords(s, i)
	}
	return t.nextWide(s, i)
}

// nextWide is next, 64 places at a time, for processors with AVX-512 VBMI.
func (t *table) nextWide(s string, i int) int {
	for last := len(s) - 4; i <= last; i++ {
		i += scan(unsafe.StringData(s[i:]), last-i+1, &t.families)
		if i <= last && t.buckets[bucket(four(s, i))] != 0 {
			return i
		}
	}
	return -1
}

// scan is the first of n places, one at least, that has; n where none does.
//
//go:noescape
func scan(s *byte, n int, f *families) int
