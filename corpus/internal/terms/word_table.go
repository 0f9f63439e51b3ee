package terms

import (
	"math/bits"

	"github.com/hansard-search/hansard/corpus/internal/prefetch"
)

const (
	// wordBytes is how many bytes of a word a slot holds: nearly all words are as
	// short, and of those no byte has to be read elsewhere to know them again.
	wordBytes = 16
	// pairBytes is the same for pairs of characters, of which a byte tells the kind.
	pairBytes = wordBytes - 1
)

// A wordSlot is a place of a wordTable: half a line of the processor's cache that
// tells which word it is and under which terms it stands. It holds no pointer that
// the collector would follow.
type wordSlot struct {
	lo, hi      uint64 // the word, see wordKey
	entry       uint32 // index in lexicon.entries plus one; 0 = not remembered
	stem, exact uint32 // numbers of the whole word's terms; 0 where there is no exact one
	parts       bool   // the entry has some
	again       bool   // seen more than once since the last sweep
}

func (s *wordSlot) fill(e *entry) {
	s.stem, s.exact, s.parts = e.whole.stem, e.whole.exact, e.to > e.from
}

// A wordTable is a hash table of words with open addressing. The zero value is
// empty.
type wordTable struct {
	slots []wordSlot // a power of two of them, at most 3/4 used
	used  int
}

// firstSlots is the size of a small table: what a query's words need.
const firstSlots = 256

// find returns the slot of a key: an empty one where it is not known, nil while
// there are none. It is good until the next add.
func (t *wordTable) find(lo, hi uint64) *wordSlot { return t.hashed(lo, hi, mix(lo, hi)) }

// hashed is find for a key of which the hash is known.
func (t *wordTable) hashed(lo, hi uint64, hash uint32) *wordSlot {
	if len(t.slots) == 0 {
		return nil
	}
	mask := uint32(len(t.slots) - 1)
	for i := hash; ; i++ {
		s := &t.slots[i&mask]
		if s.lo == lo && s.hi == hi || s.entry == 0 {
			return s
		}
	}
}

func (t *wordTable) known(lo, hi uint64) bool {
	s := t.find(lo, hi)
	return s != nil && s.entry != 0
}

// add returns the slot of a key that is not known, with the key in it. The caller
// gives it an entry.
func (t *wordTable) add(lo, hi uint64) *wordSlot {
	if 4*(t.used+1) > 3*len(t.slots) {
		t.grow()
	}
	t.used++
	s := t.find(lo, hi)
	s.lo, s.hi = lo, hi
	return s
}

func (t *wordTable) grow() {
	old := t.slots
	t.slots = prefetch.Written(make([]wordSlot, max(firstSlots, 2*len(old))))
	for _, s := range old {
		if s.entry != 0 {
			*t.find(s.lo, s.hi) = s
		}
	}
}

// mix spreads a key: multiplications by odd numbers reach the upper bits, which
// are brought down.
func mix(lo, hi uint64) uint32 {
	h := (lo ^ bits.RotateLeft64(hi, 29)) * 0x9E3779B97F4A7C15
	h ^= h >> 32
	return uint32(h * 0xD6E8FEB86659FD93 >> 32)
}

// The last byte of the second half says of longer words that it is a hash, and
// of pairs their kind. No byte of UTF-8 is that large, so that they are no words.
const noWord = 0xFF

// wordKey returns the bytes of the word text[start:end], the rest zeros, which no
// word holds; of one longer than wordBytes the first eight and a hash.
func wordKey(text string, start, end int) (lo, hi uint64) {
	n := end - start
	if n > wordBytes {
		return load(text[start:]), hash(text[start:end])<<8 | noWord
	}
	if start+wordBytes > len(text) {
		var b [wordBytes]byte
		copy(b[:], text[start:end])
		return load(string(b[:8])), load(string(b[8:]))
	}
	// Shifts by 64 give 0.
	lo = load(text[start:]) & (^uint64(0) >> (64 - 8*uint(min(n, 8))))
	hi = load(text[start+8:]) & (^uint64(0) >> (64 - 8*uint(max(n, 8)-8)))
	return lo, hi
}

// pairKey is wordKey for characters of a script without spaces.
func pairKey(raw string, kind Kind) (lo, hi uint64) {
	lo, hi = wordKey(raw, 0, len(raw))
	return lo, hi | (noWord-uint64(kind))<<56
}

// load reads eight bytes.
func load(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}
