package shard

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"strings"
)

// Begins calls fn with each document of a kind whose key begins with prefix, in
// order, until fn returns false. It looks at every key, as they are stored:
// texts are made of those alone that may fit.
func (r *Reader) Begins(k Kind, prefix string, fn func(doc uint32, key string) bool) error {
	t := &r.kinds[k].keyed
	if t.n == 0 {
		return nil
	}
	column, err := r.m.all(t.keys)
	if err != nil {
		return err
	}
	if int64(len(column)) < 4*int64(t.n+1) {
		return r.m.damage(t.keys.name, "%d bytes for %d keys", len(column), t.n)
	}
	ends, text := column[:4*(t.n+1)], column[4*(t.n+1):]
	fits, starts := fitting(prefix), startsOf(prefix)
	to := binary.LittleEndian.Uint32(ends)
	for doc := range t.n {
		from := to
		to = binary.LittleEndian.Uint32(ends[4*doc+4:])
		if from >= to || to > uint32(len(text)) {
			return r.m.damage(t.keys.name, "key %d", doc)
		}
		if rest := text[from:]; len(rest) >= 8 && !starts.may(binary.LittleEndian.Uint64(rest)) || !fits(text[from:to]) {
			continue
		}
		key, ok := keyString(text[from:to])
		if !ok {
			return r.m.damage(t.keys.name, "key %d", doc)
		}
		if strings.HasPrefix(key, prefix) && !fn(uint32(doc), key) {
			return nil
		}
	}
	return nil
}

// starts are what the first eight bytes are of the stored keys that may begin with
// a prefix, as far as a mask goes: of UUIDs and of texts. A million keys are looked
// at in a third of the time.
type starts [2]struct{ mask, want uint64 }

func startsOf(prefix string) (s starts) {
	first := [2][8]byte{{keyUUID}, {keyText}}
	n := [2]int{0, copy(first[keyText][1:], prefix)}
	bits, err := hex.DecodeString(prefix[:min(len(prefix), 8)&^1])
	if n[keyUUID] = copy(first[keyUUID][1:], bits); err != nil {
		first[keyUUID][0] = keyText + 1 // is none
	}
	for form := range s {
		s[form].mask = ^uint64(0) >> (8 * (7 - n[form]))
		s[form].want = binary.LittleEndian.Uint64(first[form][:]) & s[form].mask
	}
	return s
}

// may is true for bytes of no form as well, which are damage.
func (s *starts) may(first uint64) bool {
	return first&s[keyUUID].mask == s[keyUUID].want || first&s[keyText].mask == s[keyText].want || byte(first) > keyText
}

// fitting tells stored keys that may begin with prefix from most that do not.
func fitting(prefix string) func(stored []byte) bool {
	digits := prefix[:min(len(prefix), 8)&^1] // up to the first hyphen, whole bytes
	bits, err := hex.DecodeString(digits)
	return func(stored []byte) bool {
		switch stored[0] {
		case keyUUID:
			return err == nil && bytes.HasPrefix(stored[1:], bits)
		case keyText:
			return string(stored[1:min(len(stored), len(prefix)+1)]) == prefix
		}
		return true // damage
	}
}
