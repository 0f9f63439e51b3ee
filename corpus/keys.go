package corpus

import (
	"encoding/binary"
	bit "math/bits"

	"github.com/hansard-search/hansard/corpus/internal/signal"
)

// A keySet tells of most keys that they are not in it (a Bloom filter of a byte a
// key: one in forty is told wrongly to be in). A first index asks of each turn
// whether one of its shards has it, while the other workers wait, and hardly ever
// one has.
type keySet []uint64

// keySetOf returns the set of the keys of a shard.
func keySetOf(numbers map[signal.Hash]uint32) keySet {
	s := make(keySet, 1<<bit.Len(uint(len(numbers)/8)))
	for key := range numbers {
		a, b := s.start(key)
		for range 4 {
			s[a>>6] |= 1 << (a & 63)
			a = (a + b) & s.mask()
		}
	}
	return s
}

// mayHave is false for keys that are not in the set.
func (s keySet) mayHave(key signal.Hash) bool {
	a, b := s.start(key)
	for range 4 {
		if s[a>>6]>>(a&63)&1 == 0 {
			return false
		}
		a = (a + b) & s.mask()
	}
	return true
}

func (s keySet) mask() uint64 { return uint64(len(s))*64 - 1 }

// start is the first bit of a key and the step to the others: keys are hashes.
func (s keySet) start(key signal.Hash) (bit, step uint64) {
	return binary.LittleEndian.Uint64(key[:8]) & s.mask(), binary.LittleEndian.Uint64(key[8:]) | 1
}
