package manifest

import "fmt"

// Sealed puts the first line of a manifest with the right checksum before body.
func Sealed(body []byte) []byte {
	return append(fmt.Appendf(nil, "%s %d %s\n", word, Format, checksum(body)), body...)
}
