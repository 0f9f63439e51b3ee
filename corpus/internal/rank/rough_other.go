//go:build !amd64

package rank

// RoughFast says that the processor makes 64 scores at a time.
const RoughFast = false

func occur(x *[RoughDocs]uint8, has *[RoughDocs / 64]uint64, counts []uint8, codes *[RoughDocs]uint8, norms *RoughNorms, tools *[RoughDocs / 64]uint64, more bool) {
	occurPlain(x, has, counts, codes, norms, tools, more)
}

func fold(sum, words, x *[RoughDocs]uint8, scores *RoughScores, word uint8, more bool) {
	foldPlain(sum, words, x, scores, word, more)
}

func over(sum, words *[RoughDocs]uint8, least *[1 << RoughWords]uint8, want *[RoughDocs / 64]uint64) {
	overPlain(sum, words, least, want)
}
