package corpus

import (
	"fmt"
	"testing"

	"github.com/hansard-search/hansard/corpus/internal/signal"
)

// TestKeySet: a set has all its keys, whatever their number, and few others.
func TestKeySet(t *testing.T) {
	for _, n := range []int{0, 1, 7, 8, 9, 100, 70_000} {
		numbers := make(map[signal.Hash]uint32)
		for i := range n {
			numbers[signal.Of(fmt.Sprint("in ", i))] = uint32(i)
		}
		s := keySetOf(numbers)
		for key := range numbers {
			if !s.mayHave(key) {
				t.Fatalf("one of %d keys is not in the set", n)
			}
		}
		wrong := 0
		for i := range 10_000 {
			if s.mayHave(signal.Of(fmt.Sprint("out ", i))) {
				wrong++
			}
		}
		if wrong > 1000 || n == 0 && wrong > 0 {
			t.Errorf("with %d keys %d of 10000 others are said to be there", n, wrong)
		}
		if len(s)*8 > 2*n+8 {
			t.Errorf("%d bytes for %d keys", len(s)*8, n)
		}
	}
}
