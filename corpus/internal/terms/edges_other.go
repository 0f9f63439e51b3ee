//go:build !amd64

package terms

func edges(text string, at uint32, open uint64, out []uint32) (n int, after uint64) {
	return edgesWords(text, at, open, out)
}
