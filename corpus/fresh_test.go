package corpus

import "testing"

// TestWritten: memory stays zero, however much there is of it.
func TestWritten(t *testing.T) {
	for _, n := range []int{0, 1, 40, 5000} {
		s := written(make([]sessionHit, n))
		if len(s) != n {
			t.Fatalf("%d of %d", len(s), n)
		}
		for i := range s {
			if s[i] != (sessionHit{}) {
				t.Fatalf("%d of %d is %+v", i, n, s[i])
			}
		}
	}
}
