package prefetch

import (
	"slices"
	"testing"
)

// TestWritten: memory stays zero, however much there is of it.
func TestWritten(t *testing.T) {
	type row [40]byte
	for _, n := range []int{0, 1, 40, 5000} {
		s := Written(make([]row, n))
		if len(s) != n || slices.ContainsFunc(s, func(r row) bool { return r != row{} }) {
			t.Fatalf("%d: %d, or not zero", n, len(s))
		}
	}
}
