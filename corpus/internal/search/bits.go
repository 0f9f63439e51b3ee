package search

import (
	"github.com/hansard-search/hansard/corpus/internal/postings"
	"github.com/hansard-search/hansard/corpus/internal/shard"
)

// bits is a set of documents for hot loops: bit doc&63 of word doc>>6. The nil
// bits hold every document.
type bits []uint64

func (b bits) has(doc uint32) bool { return b == nil || b[doc>>6]>>(doc&63)&1 == 1 }

// newBits returns an empty set for documents below n.
func newBits(n int) bits { return make(bits, (n+63)/64) }

// add puts a document into a set that is long enough.
func (b bits) add(doc uint32) { b[doc>>6] |= 1 << (doc & 63) }

// word is the n-th word of the set, of the nil bits all ones.
func (b bits) word(n int) uint64 {
	switch {
	case b == nil:
		return ^uint64(0)
	case n < len(b):
		return b[n]
	}
	return 0
}

// none reports whether no document of a block is in the set.
func (b bits) none(block uint32) bool {
	if b == nil {
		return false
	}
	for _, w := range b.words(block) {
		if w != 0 {
			return false
		}
	}
	return true
}

// words are the words of a block; none for the nil bits.
func (b bits) words(block uint32) []uint64 {
	from := int(block) << (shard.BlockShift - 6)
	return b[min(from, len(b)):min(from+shard.BlockDocs/64, len(b))]
}

// and leaves in m what is in the set's block.
func (b bits) and(block uint32, m *shard.Mask) {
	if b == nil {
		return
	}
	words := b.words(block)
	for i := range m {
		if i < len(words) {
			m[i] &= words[i]
		} else {
			m[i] = 0
		}
	}
}

// everything is all documents of a block.
var everything = func() (m shard.Mask) {
	for i := range m {
		m[i] = ^uint64(0)
	}
	return m
}()

// all is the block of the set, of the nil bits everything.
func (b bits) all(block uint32) shard.Mask {
	m := everything
	b.and(block, &m)
	return m
}

// bitsOf makes bits of a set of documents below n.
func bitsOf(s *postings.Set, n int) bits {
	b := newBits(n)
	var buf [512]uint32
	for m := s.Many(); ; {
		k := m.Next(buf[:])
		if k == 0 {
			return b
		}
		for _, doc := range buf[:k] {
			b.add(doc)
		}
	}
}
