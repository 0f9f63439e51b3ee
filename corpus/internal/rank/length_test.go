package rank

import "testing"

func TestLengthCode(t *testing.T) {
	for c := range 256 {
		if got := LengthCode(LengthOf(uint8(c))); got != uint8(c) {
			t.Errorf("LengthCode(LengthOf(%d)) = %d", c, got)
		}
	}
	last := uint8(0)
	for n := range uint32(600_000) {
		c := LengthCode(n)
		if c < last {
			t.Fatalf("LengthCode(%d) = %d, below LengthCode(%d) = %d", n, c, n-1, last)
		}
		if n < 32 && LengthOf(c) != n {
			t.Errorf("length %d is not exact: %d", n, LengthOf(c))
		}
		if d := LengthOf(c); n < maxLength && (d > n || n-d > n/17) {
			t.Fatalf("length %d decodes to %d", n, d)
		}
		last = c
	}
	if LengthCode(1<<32-1) != 255 {
		t.Error("the longest text has not the last code")
	}
}
