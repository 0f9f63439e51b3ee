package terms

import (
	"hash/maphash"
	"unsafe"

	"github.com/hansard-search/hansard/corpus/internal/prefetch"
)

// texts keeps short texts by number, from 1. An Analyzer knows a hundred thousand of
// them, and while a first index is made the garbage collector goes through what
// lives again and again: there is one pointer for many texts. The zero value is
// empty.
type texts struct {
	blocks [][]byte
	places []uint64 // by number: block, offset (16 bits), size (24 bits)
}

// Sizes of blocks: a query has few words.
const (
	firstBlock = 1 << 10
	largeBlock = 1 << 16
)

// add keeps a text and returns its number.
func (t *texts) add(s string) uint32 {
	if len(t.places) == 0 {
		t.places = append(t.places, 0)
	}
	last := len(t.blocks) - 1
	if last < 0 || len(t.blocks[last])+len(s) > cap(t.blocks[last]) {
		t.blocks = append(t.blocks, make([]byte, 0, max(min(firstBlock<<(2*min(len(t.blocks), 3)), largeBlock), len(s))))
		last++
	}
	b := &t.blocks[last]
	t.places = append(t.places, uint64(last)<<40|uint64(len(*b))<<24|uint64(len(s)))
	*b = append(*b, s...)
	return uint32(len(t.places) - 1)
}

// text is the text with a number, which may be kept: nothing of a block is ever
// changed.
func (t *texts) text(number uint32) string {
	p := t.places[number]
	b := t.blocks[p>>40][p>>24&0xFFFF:][:p&0xFFFFFF]
	return unsafe.String(unsafe.SliceData(b), len(b))
}

// A Vocabulary tells the texts of terms that an Analyzer numbered. It is for the
// Analyzer's goroutine.
type Vocabulary struct {
	texts
	seed  maphash.Seed
	slots []uint32 // a power of two of them, at most 3/4 used: numbers by the hash of texts; 0 = none
}

func newVocabulary() *Vocabulary {
	v := &Vocabulary{seed: maphash.MakeSeed(), slots: make([]uint32, firstSlots)}
	v.places = append(v.places, 0)
	return v
}

// Term returns the text of a term, "" for a number that was not given out.
func (v *Vocabulary) Term(number uint32) string {
	if number == 0 || int(number) >= len(v.places) {
		return ""
	}
	return v.text(number)
}

// number is that of a key, a new one when it has none.
func (v *Vocabulary) number(key string) uint32 {
	at, mask := maphash.String(v.seed, key), uint64(len(v.slots)-1)
	for ; v.slots[at&mask] != 0; at++ {
		if n := v.slots[at&mask]; v.text(n) == key {
			return n
		}
	}
	n := v.add(key)
	v.slots[at&mask] = n
	if 4*len(v.places) > 3*len(v.slots) {
		v.grow()
	}
	return n
}

func (v *Vocabulary) grow() {
	v.slots = prefetch.Written(make([]uint32, 2*len(v.slots)))
	mask := uint64(len(v.slots) - 1)
	for n := 1; n < len(v.places); n++ {
		at := maphash.String(v.seed, v.text(uint32(n)))
		for v.slots[at&mask] != 0 {
			at++
		}
		v.slots[at&mask] = uint32(n)
	}
}
