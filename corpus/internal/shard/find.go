package shard

import (
	"encoding/binary"
	"fmt"
	"math/bits"

	"github.com/hansard-search/hansard/corpus/internal/signal"
)

// Find returns the document with a key; ok is false when there is none.
func (r *Reader) Find(k Kind, key string) (doc uint32, ok bool, err error) {
	return r.FindHash(k, signal.Of(key))
}

// FindHash is Find for the signal.Of a key.
func (r *Reader) FindHash(k Kind, key signal.Hash) (doc uint32, ok bool, err error) {
	if k > Session {
		return 0, false, nil
	}
	return r.find(&r.kinds[k].keyed, key)
}

// find looks a hash up in the sorted table. The prefixes are evenly spread, so
// a few guesses by proportion come close.
func (r *Reader) find(t *keyed, key signal.Hash) (id uint32, ok bool, err error) {
	want := binary.BigEndian.Uint64(key[:])
	lo, hi := int64(0), int64(t.n)
	least, most := uint64(0), ^uint64(0) // of what lies between
	for step := 0; lo < hi; step++ {
		mid := lo + (hi-lo)/2
		if step < 8 && most > least {
			up, low := bits.Mul64(want-least, uint64(hi-lo-1))
			guess, _ := bits.Div64(up, low, most-least)
			mid = lo + int64(guess)
		}
		row, err := r.m.at(t.find, mid*findSize, findSize)
		if err != nil {
			return 0, false, err
		}
		switch v := binary.BigEndian.Uint64(row); {
		case v < want:
			lo, least = mid+1, v
		case v > want:
			hi, most = mid, v
		default:
			return r.same(t, key, mid)
		}
	}
	return 0, false, nil
}

// same goes through the rows around i that have the key's prefix.
func (r *Reader) same(t *keyed, key signal.Hash, i int64) (id uint32, ok bool, err error) {
	for _, step := range []int64{1, -1} {
		for at := i; at >= 0 && at < int64(t.n); at += step {
			row, err := r.m.at(t.find, at*findSize, findSize)
			if err != nil {
				return 0, false, err
			}
			if [8]byte(row) != [8]byte(key[:]) {
				break
			}
			id = binary.LittleEndian.Uint32(row[8:])
			h, err := r.hash(t, id)
			if err != nil || h == key {
				return id, err == nil, err
			}
		}
	}
	return 0, false, nil
}

// hash returns the hash of a row's key.
func (r *Reader) hash(t *keyed, id uint32) (h signal.Hash, err error) {
	if int64(id) >= int64(t.n) {
		return h, fmt.Errorf("%w: %d", ErrRange, id)
	}
	b, err := r.m.at(t.hashes, int64(id)*t.stride, 16)
	copy(h[:], b)
	return h, err
}

// storedKey returns a key in its stored form. It lies in the file.
func (r *Reader) storedKey(t *keyed, id uint32) ([]byte, error) {
	ends, err := r.m.at(t.keys, 4*int64(id), 8)
	if err != nil {
		return nil, err
	}
	from, to := int64(binary.LittleEndian.Uint32(ends)), int64(binary.LittleEndian.Uint32(ends[4:]))
	return r.m.at(t.keys, 4*int64(t.n+1)+from, to-from)
}

func (r *Reader) key(t *keyed, id uint32) (string, error) {
	b, err := r.storedKey(t, id)
	if err != nil {
		return "", err
	}
	s, ok := keyString(b)
	if !ok {
		return "", r.m.damage(t.keys.name, "key %d", id)
	}
	return s, nil
}
