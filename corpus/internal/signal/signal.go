// Package signal computes the hashes that tell whether something changed. It
// is the only door to xxh3, and knows nothing of what it hashes.
package signal

import (
	"encoding/binary"
	"encoding/hex"

	"github.com/zeebo/xxh3"
)

// Hash is a 128-bit xxh3 sum, most significant byte first.
type Hash [16]byte

// String is the hash in hexadecimal.
func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// IsZero reports whether h is the zero hash, which no writer stores.
func (h Hash) IsZero() bool { return h == Hash{} }

// Of hashes a string as it is. It names turns and sessions in tables.
func Of(s string) Hash { return Hash(xxh3.HashString128(s).Bytes()) }

// OfBytes is Of for bytes.
func OfBytes(b []byte) Hash { return Hash(xxh3.Hash128(b).Bytes()) }

// Sum64 hashes bytes for a checksum beside stored data.
func Sum64(b []byte) uint64 { return xxh3.Hash(b) }

// A Sum gathers fields in order. Each field is preceded by its length, so that
// no two different lists of fields give the same bytes. The zero value is ready.
type Sum struct{ h xxh3.Hasher }

// String adds one field.
func (s *Sum) String(v string) {
	s.Int(int64(len(v)))
	s.h.WriteString(v)
}

// Strings adds a list as one field.
func (s *Sum) Strings(v []string) {
	s.Int(int64(len(v)))
	for _, x := range v {
		s.String(x)
	}
}

// Int adds one number.
func (s *Sum) Int(v int64) {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], uint64(v))
	s.h.Write(b[:])
}

// Hash returns the sum of what was added so far.
func (s *Sum) Hash() Hash { return Hash(s.h.Sum128().Bytes()) }
