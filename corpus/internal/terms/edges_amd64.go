package terms

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

// edges is edgesWords, by what the processor has.
func edges(text string, at uint32, open uint64, out []uint32) (n int, after uint64) {
	if !cpu.X86.HasAVX512VBMI2 || !cpu.X86.HasAVX512BW || text == "" {
		return edgesWords(text, at, open, out)
	}
	_ = out[len(text)+edgesRoom-1]
	return edgesWide(unsafe.StringData(text), len(text), at, open, &out[0])
}

// edgesWide is edgesWords of n bytes, one at least, 64 at a time.
//
//go:noescape
func edgesWide(text *byte, n int, at uint32, open uint64, out *uint32) (found int, after uint64)
