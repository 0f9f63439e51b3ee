package shard

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"slices"
	"strings"
	"unsafe"

	"github.com/hansard-search/hansard/corpus/internal/signal"
)

// The forms of a stored key.
const (
	keyUUID = 0
	keyText = 1
)

// appendKey adds the stored form of a key.
func appendKey(dst []byte, key string) []byte {
	if u, ok := parseUUID(key); ok {
		return append(append(dst, keyUUID), u[:]...)
	}
	return append(append(dst, keyText), key...)
}

// keyString is the key that appendKey stored; ok is false for other bytes.
func keyString(b []byte) (key string, ok bool) {
	switch {
	case len(b) == 17 && b[0] == keyUUID:
		var s [36]byte
		at := 0
		for i, x := range b[1:] {
			if i == 4 || i == 6 || i == 8 || i == 10 {
				s[at] = '-'
				at++
			}
			s[at], s[at+1] = "0123456789abcdef"[x>>4], "0123456789abcdef"[x&15]
			at += 2
		}
		return string(s[:]), true
	case len(b) > 0 && b[0] == keyText:
		return string(b[1:]), true
	}
	return "", false
}

// parseUUID reads the lower-case form with its four hyphens, and no other, so
// that nothing is lost.
func parseUUID(s string) (u [16]byte, ok bool) {
	if len(s) != 36 || s[8] != '-' || s[13] != '-' || s[18] != '-' || s[23] != '-' {
		return u, false
	}
	var digits [32]byte
	n := 0
	for i := range len(s) {
		switch c := s[i]; {
		case c >= '0' && c <= '9' || c >= 'a' && c <= 'f':
			if n == len(digits) {
				return u, false
			}
			digits[n] = c
			n++
		case c != '-':
			return u, false
		}
	}
	if n != len(digits) {
		return u, false
	}
	_, err := hex.Decode(u[:], digits[:])
	return u, err == nil
}

// A keyWriter makes a column of keys.
type keyWriter struct {
	ends []byte // 4 bytes a key: where it ends in text
	text []byte
}

func (k *keyWriter) add(key string) {
	k.text = appendKey(k.text, key)
	k.ends = binary.LittleEndian.AppendUint32(k.ends, uint32(len(k.text)))
}

// write writes the column.
func (k *keyWriter) write(out *output) {
	if len(k.ends) == 0 {
		return
	}
	out.write(make([]byte, 4))
	out.write(k.ends)
	out.write(k.text)
}

// findTable sorts hashes into a table of prefixes and numbers. hash(i) is the
// i-th of n. Two equal hashes give false: the key is there twice.
func findTable(n int, hash func(i int) ([]byte, error)) (table []byte, ok bool, err error) {
	rows := make([][findSize]byte, n)
	for i := range rows {
		h, err := hash(i)
		if err != nil {
			return nil, false, err
		}
		copy(rows[i][:8], h)
		binary.BigEndian.PutUint32(rows[i][8:], uint32(i))
	}
	slices.SortFunc(rows, func(a, b [findSize]byte) int { return bytes.Compare(a[:], b[:]) })
	number := func(i int) int { return int(binary.BigEndian.Uint32(rows[i][8:])) }
	for i := range rows {
		for j := i - 1; j >= 0 && [8]byte(rows[j][:8]) == [8]byte(rows[i][:8]); j-- {
			a, err := hash(number(i))
			if err != nil {
				return nil, false, err
			}
			a = bytes.Clone(a)
			if b, err := hash(number(j)); err != nil || bytes.Equal(a, b) {
				return nil, false, err
			}
		}
	}
	for i := range rows {
		binary.LittleEndian.PutUint32(rows[i][8:], uint32(number(i)))
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(rows))), n*findSize), true, nil
}

// A roll numbers sessions in the order in which they are first seen.
type roll struct {
	ords   map[signal.Hash]uint32
	hashes []byte
	keys   keyWriter
	last   string // the session asked for last, which the next turn has too
	lastID uint32
}

func (r *roll) len() int { return len(r.ords) }

// ord returns the number of a session.
func (r *roll) ord(session string) uint32 {
	if len(r.ords) > 0 && session == r.last {
		return r.lastID
	}
	r.last = strings.Clone(session)
	r.lastID = r.hashed(signal.Of(session), session)
	return r.lastID
}

func (r *roll) hashed(h signal.Hash, session string) uint32 {
	if id, ok := r.ords[h]; ok {
		return id
	}
	if r.ords == nil {
		r.ords = map[signal.Hash]uint32{}
	}
	id := uint32(len(r.ords))
	r.ords[h] = id
	r.hashes = append(r.hashes, h[:]...)
	r.keys.add(session)
	return id
}
