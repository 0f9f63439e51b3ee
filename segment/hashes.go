package segment

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
)

// Hashes is a list of 64-bit hashes. One is kept with every transcript and read
// whenever that is looked at, so as text it is base64 of eight bytes each, low byte
// first: half of what numbers would take.
type Hashes []uint64

var errHashes = errors.New("hashes that are cut off")

// MarshalText never fails.
func (h Hashes) MarshalText() ([]byte, error) {
	b := make([]byte, 0, 8*len(h))
	for _, v := range h {
		b = binary.LittleEndian.AppendUint64(b, v)
	}
	return base64.RawStdEncoding.AppendEncode(nil, b), nil
}

// UnmarshalText reads what MarshalText wrote. An empty text gives nil.
func (h *Hashes) UnmarshalText(text []byte) error {
	b, err := base64.RawStdEncoding.AppendDecode(nil, text)
	if err != nil {
		return err
	}
	if len(b)%8 != 0 {
		return errHashes
	}
	*h = nil
	for ; len(b) > 0; b = b[8:] {
		*h = append(*h, binary.LittleEndian.Uint64(b))
	}
	return nil
}

// hash is FNV-1a. It is stored, so it must not change; a collision would need
// billions of entries in one transcript.
func hash(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return h
}
