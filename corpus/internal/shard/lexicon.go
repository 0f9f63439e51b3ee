package shard

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"slices"

	"github.com/hansard-search/hansard/corpus/internal/prefetch"
)

// A lexicon gathers the postings of one surface, or the facets of one kind, in
// memory: about 45 bytes a term and one and a half a posting, none of them a pointer that
// the collector would follow.
type lexicon struct {
	seed  maphash.Seed
	slots []slot // a power of two of them, at most 3/4 used
	terms []termRow
	text  []byte // of all terms
	pool  pool
	queue queue // postings that are not yet with their terms
	flat  []byte
}

// A slot of the hash table is empty when id is 0.
type slot struct {
	hash uint32
	id   uint32 // index in terms, plus one
}

// A termRow says where the postings of a term are. While there is one, it is
// in the row: last is the document, head the count.
type termRow struct {
	text, size uint32
	docs, last uint32 // number of documents; the latest
	head, tail uint32 // first chunk of the pool; where the next byte goes
	room       uint16 // bytes left there
	level      uint8
}

// memory is about how many bytes the lexicon takes.
func (x *lexicon) memory() int64 {
	return int64(len(x.slots)*8+len(x.terms)*32+len(x.text)) + x.pool.size() + x.queue.memory()
}

func (x *lexicon) name(id uint32) []byte {
	r := &x.terms[id]
	return x.text[r.text : r.text+r.size]
}

// addTerms counts terms for a document, which is not below any added before.
func (x *lexicon) addTerms(terms []Term, doc uint32) error {
	if len(terms) == 0 {
		return nil
	}
	if err := x.settle(); err != nil {
		return err
	}
	for _, t := range terms {
		if t.Text == "" || t.Count == 0 {
			return fmt.Errorf("%w: term %q, %d times", ErrDocument, t.Text, t.Count)
		}
		if !x.add(t.Text, doc, uint8(min(t.Count, MaxCount))) {
			return errTwice(t.Text)
		}
	}
	return nil
}

// add counts a term for a document, which is not below any added before;
// false when the document has the term already. count is at most MaxCount.
func (x *lexicon) add(term string, doc uint32, count uint8) bool {
	r := &x.terms[x.id(term)]
	if r.docs > 0 && r.last == doc {
		return false
	}
	var b [2 * maxPosting]byte
	x.pool.append(r, x.posting(r, b[:0], doc, count))
	return true
}

// posting adds a document to a row, and the bytes of the postings that it has to
// be given to b: distance doubled, plus one when a count follows. The first
// posting stays in the row until there is another.
func (x *lexicon) posting(r *termRow, b []byte, doc uint32, count uint8) []byte {
	switch r.docs {
	case 0:
		r.head = uint32(count)
	case 1:
		b = appendPosting(b, r.last, uint8(r.head))
		r.head, r.tail, r.room = x.pool.chunk(0)
		fallthrough
	default:
		b = appendPosting(b, doc-r.last-1, count)
	}
	r.docs++
	r.last = doc
	return b
}

// maxPosting is the most bytes that a posting takes.
const maxPosting = binary.MaxVarintLen32 + 2

func appendPosting(b []byte, distance uint32, count uint8) []byte {
	if count == 1 {
		return binary.AppendUvarint(b, uint64(distance)<<1)
	}
	return append(binary.AppendUvarint(b, uint64(distance)<<1|1), count)
}

// id returns the index of a term, a new one when the term is new.
func (x *lexicon) id(term string) uint32 {
	if x.slots == nil {
		x.resize(64)
	}
	h := uint32(maphash.String(x.seed, term))
	mask := uint32(len(x.slots) - 1)
	i := h & mask
	for x.slots[i].id != 0 {
		if s := x.slots[i]; s.hash == h && string(x.name(s.id-1)) == term {
			return s.id - 1
		}
		i = (i + 1) & mask
	}
	x.terms = append(x.terms, termRow{text: uint32(len(x.text)), size: uint32(len(term))})
	x.text = append(x.text, term...)
	x.slots[i] = slot{h, uint32(len(x.terms))}
	if len(x.terms)*4 > len(x.slots)*3 {
		x.resize(2 * len(x.slots))
	}
	return uint32(len(x.terms) - 1)
}

// reserve makes room for so many more terms at once: what grows with them is
// garbage of several times their size.
func (x *lexicon) reserve(more int) {
	n := len(x.terms) + more
	x.terms = slices.Grow(x.terms, more)
	size := max(64, len(x.slots))
	for n*4 > size*3 {
		size *= 2
	}
	if size > len(x.slots) {
		x.resize(size)
	}
}

func (x *lexicon) resize(size int) {
	old := x.slots
	if old == nil {
		x.seed = maphash.MakeSeed()
	}
	x.slots = prefetch.Written(make([]slot, size))
	mask := uint32(len(x.slots) - 1)
	for _, s := range old {
		if s.id == 0 {
			continue
		}
		i := s.hash & mask
		for x.slots[i].id != 0 {
			i = (i + 1) & mask
		}
		x.slots[i] = s
	}
}

// sorted returns the ids of all terms with documents in the order of their bytes.
func (x *lexicon) sorted() ([]uint32, error) {
	if err := x.settle(); err != nil {
		return nil, err
	}
	type key struct {
		first uint64 // first eight bytes, which decide nearly always
		id    uint32
	}
	keys := make([]key, 0, len(x.terms))
	for i := range x.terms {
		if x.terms[i].docs == 0 {
			continue
		}
		var b [8]byte
		copy(b[:], x.name(uint32(i)))
		keys = append(keys, key{binary.BigEndian.Uint64(b[:]), uint32(i)})
	}
	slices.SortFunc(keys, func(a, b key) int {
		if a.first != b.first {
			return cmp.Compare(a.first, b.first)
		}
		return bytes.Compare(x.name(a.id), x.name(b.id))
	})
	ids := make([]uint32, len(keys))
	for i, k := range keys {
		ids[i] = k.id
	}
	return ids, nil
}

// fetch brings what is known of terms into the processor's cache that are needed
// after the first extendAtOnce: of the next as many all, of those behind them where
// it is.
func (x *lexicon) fetch(ids []uint32) {
	ids = ids[min(extendAtOnce, len(ids)):]
	next := ids[:min(extendAtOnce, len(ids))]
	behind := ids[len(next):]
	prefetch.Rows(x.terms, behind[:min(extendAtOnce, len(behind))])
	var texts [extendAtOnce]*byte
	var chunks [extendAtOnce]chained
	n := 0
	for i, id := range next {
		r := &x.terms[id]
		texts[i] = &x.text[r.text]
		if r.docs > 1 {
			chunks[n] = chained{r.head, r.level}
			n++
		}
	}
	prefetch.Bytes(texts[:len(next)])
	x.pool.fetch(chunks[:n])
}

// postings appends a term's documents and counts to the slices.
func (x *lexicon) postings(id uint32, docs []uint32, counts []uint8) ([]uint32, []uint8) {
	r := &x.terms[id]
	if r.docs == 1 {
		return append(docs, r.last), append(counts, uint8(r.head))
	}
	x.flat = x.pool.appendAll(x.flat[:0], r)
	at, doc := len(docs), ^uint32(0)
	docs, counts = slices.Grow(docs, int(r.docs)), slices.Grow(counts, int(r.docs))
	docs, counts = docs[:at+int(r.docs)], counts[:at+int(r.docs)]
	in := x.flat
	for i := at; i < len(docs); i++ {
		v, n := uint64(in[0]), 1
		if v >= 0x80 {
			v, n = binary.Uvarint(in)
		}
		count := uint8(1)
		if v&1 == 1 {
			count = in[n]
			n++
		}
		in = in[n:]
		doc += uint32(v>>1) + 1
		docs[i], counts[i] = doc, count
	}
	return docs, counts
}
