//go:build !amd64

package redact

// next returns the first place at or after i that a rule may match, or -1. It is all
// that clean text costs.
func (t *table) next(s string, i int) int { return t.nextWords(s, i) }
