package shard

import (
	"cmp"
	"encoding/binary"
	"sync"
	"sync/atomic"
)

// A wordReader holds the words of a shard, once somebody asked for them.
type wordReader struct {
	at   [2]extent
	list atomic.Pointer[wordList] // two that come first make it twice
	lazy atomic.Pointer[wordList] // the same, not yet checked as a whole
}

// A wordList is the words by number.
type wordList struct {
	text  []byte   // lies in the file
	words []uint32 // place in text, shifted by wordShift, and length

	once  sync.Once
	known []uint32 // see knownPieces
	forms []uint32 // likewise

	rare *mapping // checks words from wordThree on when they are met; nil: all are checked
	base int64    // place of text in the body
}

const wordShift = 4 // a length is at most maxWord

func (r *wordReader) words(m *mapping) (*wordList, error) {
	if l := r.list.Load(); l != nil {
		return l, nil
	}
	var first error
	for _, at := range r.at {
		b, err := m.all(at)
		if err == nil {
			if l := newWordList(b); l != nil {
				r.list.Store(l)
				return l, nil
			}
			err = m.damage(partNames[partWords], "%d bytes", len(b))
		}
		first = cmp.Or(first, err)
	}
	return nil, first
}

// some is words for who reads few texts: of two words in three it checks only
// those that are met. What fails then is to be tried again with words.
func (r *wordReader) some(m *mapping) (*wordList, error) {
	for _, l := range []*wordList{r.list.Load(), r.lazy.Load()} {
		if l != nil {
			return l, nil
		}
	}
	l, err := r.first(m)
	if l == nil || err != nil {
		return r.words(m)
	}
	r.lazy.Store(l)
	return l, nil
}

// first checks the first list as far as the words that are common; nil when
// there are no others.
func (r *wordReader) first(m *mapping) (*wordList, error) {
	at := r.at[0]
	b, err := m.at(at, 0, wordHeader)
	if err != nil {
		return nil, err
	}
	n := int64(binary.LittleEndian.Uint32(b))
	if n <= wordThree || n > maxWords {
		return nil, nil
	}
	if _, err := m.at(at, wordHeader, n); err != nil {
		return nil, err
	}
	l := newWordList(m.data[at.off : at.off+at.len])
	if l == nil {
		return nil, nil
	}
	l.rare, l.base = m, at.off+wordHeader+n
	_, err = m.at(at, wordHeader+n, int64(l.words[wordThree]>>wordShift)+wordRoom)
	return l, err
}

// sound checks a word from wordThree on.
func (l *wordList) sound(v uint32) bool {
	if l.rare == nil {
		return true
	}
	if v >= uint32(len(l.words)) {
		return false
	}
	_, err := l.rare.view(partNames[partWords], l.base+int64(l.words[v]>>wordShift), wordRoom)
	return err == nil
}

// newWordList finds the words of a section; nil for another.
func newWordList(b []byte) *wordList {
	if len(b) < wordHeader {
		return nil
	}
	n, b := binary.LittleEndian.Uint32(b), b[wordHeader:]
	if n > maxWords || int64(n) > int64(len(b)) {
		return nil
	}
	l := &wordList{text: b[n:], words: make([]uint32, n)}
	at := uint32(0)
	for i, size := range b[:n] {
		if size > maxWord {
			return nil
		}
		l.words[i] = at<<wordShift | uint32(size)
		at += uint32(size)
	}
	if int64(at)+wordRoom != int64(len(l.text)) {
		return nil
	}
	return l
}

// unpack appends a text of size bytes; ok is false for other bytes.
func (l *wordList) unpack(dst []byte, size int, p []byte) (text []byte, ok bool) {
	if size > maxWord*len(p) { // no more can come of it: do not ask for the memory
		return nil, false
	}
	at := len(dst)
	end := at + size
	dst = grown(dst, size+wordRoom)[:end+wordRoom] // words are written with what follows them
	for i := 0; i < len(p); i++ {
		v := uint32(p[i])
		switch {
		case v < byteThree:
			// Which of the two it is no processor can foresee: no branch asks.
			two := v >> 7
			if i += int(two); i == len(p) {
				return nil, false
			}
			v += two * ((v-wordTwo)*255 + uint32(p[i]))
		case v == byteThree:
			if i += 2; i >= len(p) {
				return nil, false
			}
			if v = wordThree + uint32(p[i-1])<<8 + uint32(p[i]); !l.sound(v) {
				return nil, false
			}
		default:
			n, from := asIs(p, i)
			if n < 0 || n > len(p)-from || n > end-at {
				return nil, false
			}
			at += copy(dst[at:], p[from:from+n])
			i = from + n - 1
			continue
		}
		if v >= uint32(len(l.words)) || at > end {
			return nil, false
		}
		w := l.words[v]
		from, to := l.text[w>>wordShift:][:wordRoom], dst[at:][:wordRoom]
		binary.LittleEndian.PutUint64(to, binary.LittleEndian.Uint64(from))
		binary.LittleEndian.PutUint64(to[8:], binary.LittleEndian.Uint64(from[8:]))
		at += int(w & (1<<wordShift - 1))
	}
	return dst[:end], at == end
}

// asIs returns how many bytes stand as they are, and from where; -1 for none.
func asIs(p []byte, i int) (n, from int) {
	if p[i] != byteLong {
		return int(p[i]) - byteAsIs + 1, i + 1
	}
	v, used := binary.Uvarint(p[i+1:])
	if used <= 0 || v > maxBlock {
		return -1, 0
	}
	return int(v), i + 1 + used
}

// grown returns b with room for n more bytes.
func grown(b []byte, n int) []byte {
	if cap(b)-len(b) >= n {
		return b
	}
	return append(make([]byte, 0, len(b)+n), b...)
}

// unpackBlock unpacks all documents of a block, as unpack does for other codecs.
func (l *wordList) unpackBlock(buf, p []byte, docs uint32, raw int) (b []byte, ok bool) {
	if raw > maxWord*len(p) {
		return nil, false
	}
	b = grown(buf[:0], raw+wordRoom)
	heads := cursor{b: p}
	for range docs {
		b = binary.AppendUvarint(b, heads.uvarint())
		heads.uvarint()
	}
	rest := cursor{b: heads.b, bad: heads.bad}
	heads = cursor{b: p}
	for range docs {
		size, packed := heads.int(maxBlock), rest.bytes(heads.int(maxBlock))
		if heads.bad || rest.bad || size > int64(raw-len(b)) {
			return nil, false
		}
		if b, ok = l.unpack(b, int(size), packed); !ok {
			return nil, false
		}
	}
	return b, len(rest.b) == 0 && len(b) == raw
}

// unpackDoc unpacks the i-th document of a block alone.
func (l *wordList) unpackDoc(buf, p []byte, docs, i uint32, raw int) (b []byte, ok bool) {
	size, p, ok := packedDoc(p, docs, i)
	if !ok || size > int64(raw) {
		return nil, false
	}
	return l.unpack(buf[:0], int(size), p)
}

// packedDoc finds the i-th document of a block, and its length unpacked.
func packedDoc(p []byte, docs, i uint32) (size int64, packed []byte, ok bool) {
	heads := cursor{b: p}
	var before, n int64
	for at := range docs {
		s := heads.int(maxBlock)
		k := heads.int(maxBlock)
		if at < i {
			before += k
		} else if at == i {
			size, n = s, k
		}
	}
	rest := cursor{b: heads.b, bad: heads.bad}
	rest.bytes(before)
	packed = rest.bytes(n)
	return size, packed, !rest.bad
}

// unpackDoc returns a document of a block that is packed as words, without
// unpacking the others; buf may be used for it.
func (s *streamReader) unpackDoc(m *mapping, b block, p []byte, doc uint32, buf []byte) ([]byte, error) {
	for _, list := range []func(*mapping) (*wordList, error){s.words.some, s.words.words} {
		words, err := list(m)
		if err != nil {
			return nil, err
		}
		if buf, ok := words.unpackDoc(buf, p[1:], b.docs, doc-b.first, int(b.raw)); ok {
			return buf, nil
		}
	}
	return nil, m.damage(s.table.name, "document %d", doc)
}
