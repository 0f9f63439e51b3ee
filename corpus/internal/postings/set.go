// Package postings holds sets of document numbers, in memory and as stored
// bytes. It is the only door to roaring bitmaps.
//
// It knows neither terms nor files: what a number stands for is its caller's.
package postings

import (
	"bytes"
	"errors"
	"fmt"
	"iter"

	"github.com/RoaringBitmap/roaring/v2"
)

// ErrMalformed says that bytes are not a stored set.
var ErrMalformed = errors.New("postings: malformed set")

// A Set is a set of document numbers. The zero value and a nil *Set are empty;
// only a non-nil one can be added to. A set that no goroutine changes may be
// read by any number of them.
type Set struct{ b roaring.Bitmap }

// New returns an empty set.
func New() *Set { return &Set{} }

// FromSlice returns the set of the given numbers, in any order. It keeps
// nothing of docs.
func FromSlice(docs []uint32) *Set {
	s := New()
	s.b.AddMany(docs)
	return s
}

// Range returns the set of all numbers from lo up to, but without, hi.
func Range(lo, hi uint32) *Set {
	s := New()
	s.AddRange(lo, hi)
	return s
}

// Add puts doc into the set.
func (s *Set) Add(doc uint32) { s.b.Add(doc) }

// AddMany puts all docs, in any order, into the set.
func (s *Set) AddMany(docs []uint32) { s.b.AddMany(docs) }

// AddRange puts all numbers from lo up to, but without, hi into the set.
func (s *Set) AddRange(lo, hi uint32) { s.b.AddRange(uint64(lo), uint64(hi)) }

// Remove takes doc out of the set.
func (s *Set) Remove(doc uint32) {
	if s != nil {
		s.b.Remove(doc)
	}
}

// Contains reports whether doc is in the set.
func (s *Set) Contains(doc uint32) bool { return s != nil && s.b.Contains(doc) }

// Len is the number of documents in the set.
func (s *Set) Len() int {
	if s == nil {
		return 0
	}
	return int(s.b.GetCardinality())
}

// Empty reports whether nothing is in the set.
func (s *Set) Empty() bool { return s == nil || s.b.IsEmpty() }

// Max returns the largest number; ok is false when the set is empty.
func (s *Set) Max() (doc uint32, ok bool) {
	if s.Empty() {
		return 0, false
	}
	return s.b.Maximum(), true
}

// And keeps only what is in t too.
func (s *Set) And(t *Set) {
	if s == nil {
		return
	}
	if t == nil {
		s.b.Clear()
		return
	}
	s.b.And(&t.b)
}

// Or adds all of t.
func (s *Set) Or(t *Set) {
	if t != nil {
		s.b.Or(&t.b)
	}
}

// AndLen is the number of documents in both sets.
func (s *Set) AndLen(t *Set) int {
	if s == nil || t == nil {
		return 0
	}
	return int(s.b.AndCardinality(&t.b))
}

// Equal reports whether both sets hold the same numbers.
func (s *Set) Equal(t *Set) bool {
	if s.Empty() || t.Empty() {
		return s.Empty() && t.Empty()
	}
	return s.b.Equals(&t.b)
}

// Clone returns a copy that shares nothing with s.
func (s *Set) Clone() *Set {
	c := New()
	if s != nil {
		c.b = *s.b.Clone()
	}
	return c
}

// And returns a new set of what is in both.
func And(s, t *Set) *Set {
	if s == nil || t == nil {
		return New()
	}
	return &Set{b: *roaring.And(&s.b, &t.b)}
}

// Or returns a new set of what is in either.
func Or(s, t *Set) *Set {
	if s == nil {
		return t.Clone()
	}
	if t == nil {
		return s.Clone()
	}
	return &Set{b: *roaring.Or(&s.b, &t.b)}
}

// AndNot returns a new set of what is in s and not in t.
func AndNot(s, t *Set) *Set {
	if s == nil || t == nil {
		return s.Clone()
	}
	return &Set{b: *roaring.AndNot(&s.b, &t.b)}
}

// Slice returns all numbers in ascending order, never nil.
func (s *Set) Slice() []uint32 {
	if s == nil {
		return []uint32{}
	}
	return s.b.ToArray()
}

// All yields the numbers in ascending order. The set must not change meanwhile.
func (s *Set) All() iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		if s != nil {
			s.b.Iterate(yield)
		}
	}
}

// Many returns an iterator that fills buffers, for hot loops. The set must not
// change while it is used.
func (s *Set) Many() *Many {
	m := &Many{}
	if s != nil {
		m.it = s.b.ManyIterator()
	}
	return m
}

// Many reads a set in ascending order, a buffer at a time.
type Many struct{ it roaring.ManyIntIterable }

// Next fills buf from its start and returns how many numbers it wrote; 0 is
// the end.
func (m *Many) Next(buf []uint32) int {
	if m.it == nil {
		return 0
	}
	return m.it.NextMany(buf)
}

// Bytes returns the stored form (the portable format of roaring, runs
// included), which is the same for the same numbers.
func (s *Set) Bytes() []byte {
	c := s.Clone()
	c.b.RunOptimize()
	var buf bytes.Buffer
	// A bytes.Buffer takes every write, so that this cannot fail.
	_, _ = c.b.WriteTo(&buf)
	return buf.Bytes()
}

// Parse reads what Bytes wrote. It keeps nothing of b, takes nothing for
// granted, and returns ErrMalformed for bytes that are no set or are followed
// by others.
func Parse(b []byte) (*Set, error) {
	s := New()
	n, err := s.b.FromBuffer(bytes.Clone(b))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrMalformed, err)
	}
	if n != int64(len(b)) {
		return nil, fmt.Errorf("%w: %d bytes of %d used", ErrMalformed, n, len(b))
	}
	if s.b.IsEmpty() {
		return s, nil // Validate refuses the empty set
	}
	if err := s.b.Validate(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrMalformed, err)
	}
	return s, nil
}
