package rank

import "golang.org/x/sys/cpu"

// RoughFast says that the processor makes 64 scores at a time.
var RoughFast = cpu.X86.HasAVX512BW && cpu.X86.HasAVX512VBMI && cpu.X86.HasAVX512VBMI2 && cpu.X86.HasPOPCNT

func occur(x *[RoughDocs]uint8, has *[RoughDocs / 64]uint64, counts []uint8, codes *[RoughDocs]uint8, norms *RoughNorms, tools *[RoughDocs / 64]uint64, more bool) {
	if !RoughFast {
		occurPlain(x, has, counts, codes, norms, tools, more)
		return
	}
	occurWide(x, has, &counts[0], codes, norms, tools, &stepsOf, more)
}

func fold(sum, words, x *[RoughDocs]uint8, scores *RoughScores, word uint8, more bool) {
	if !RoughFast {
		foldPlain(sum, words, x, scores, word, more)
		return
	}
	foldWide(sum, words, x, scores, word, more)
}

func over(sum, words *[RoughDocs]uint8, least *[1 << RoughWords]uint8, want *[RoughDocs / 64]uint64) {
	if !RoughFast {
		overPlain(sum, words, least, want)
		return
	}
	overWide(sum, words, least, want)
}

// occurWide reads 64 bytes from the first count of each 64 documents on.
//
//go:noescape
func occurWide(x *[RoughDocs]uint8, has *[RoughDocs / 64]uint64, counts *uint8, codes *[RoughDocs]uint8, norms *RoughNorms, tools *[RoughDocs / 64]uint64, t *stepTable, more bool)

//go:noescape
func foldWide(sum, words, x *[RoughDocs]uint8, scores *RoughScores, word uint8, more bool)

//go:noescape
func overWide(sum, words *[RoughDocs]uint8, least *[1 << RoughWords]uint8, want *[RoughDocs / 64]uint64)
