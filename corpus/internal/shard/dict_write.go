package shard

import (
	"bytes"
	"encoding/binary"

	"github.com/blevesearch/vellum"
)

// A dictWriter writes one dictionary: terms in the order of their bytes, with
// their lists, into the body.
type dictWriter struct {
	out   *output
	lists *listWriter
	fst   *fstBuilder

	parts    []byte // entries so far
	count    int    // parts
	terms    int    // of all parts
	begun    int64  // where the open part's lists are
	first    []byte // its first term
	n        int    // its terms; 0 = none is open
	fstBytes int64
}

// add takes the next term. It keeps nothing.
func (d *dictWriter) add(term []byte, l *list) error {
	v, ok := l.inline()
	if ok {
		return d.put(term, v, nil)
	}
	b, tag := d.lists.encode(l)
	return d.put(term, tag, b)
}

// addBatch takes terms of which the lists are packed.
func (d *dictWriter) addBatch(b *termBatch) error {
	text, from := 0, 0
	for _, t := range b.terms {
		if !t.gone {
			if err := d.put(b.text[text:t.text], t.v, b.bytes[from:t.bytes]); err != nil {
				return err
			}
		}
		text, from = t.text, t.bytes
	}
	return nil
}

// put takes the next term with its packed list and how that is packed, or with the
// number that stands for the list.
func (d *dictWriter) put(term []byte, v uint64, list []byte) error {
	if d.n == partTerms {
		if err := d.endPart(); err != nil {
			return err
		}
	}
	if d.n == 0 {
		d.begun = d.out.pos()
		d.first = append(d.first[:0], term...)
		if err := d.fst.reset(); err != nil {
			return err
		}
	}
	d.n++
	d.terms++
	if len(list) > 0 {
		v |= uint64(d.out.pos()-d.begun) << 2
		d.out.write(list)
	}
	return d.fst.b.Insert(term, v)
}

func (d *dictWriter) endPart() error {
	if err := d.fst.b.Close(); err != nil {
		return err
	}
	fst := d.fst.buf.Bytes()
	for _, v := range []int{int(d.begun), int(d.out.pos() - d.begun), len(fst), d.n, len(d.first)} {
		d.parts = binary.AppendUvarint(d.parts, uint64(v))
	}
	d.parts = append(d.parts, d.first...)
	d.out.write(fst)
	d.fstBytes += int64(len(fst))
	d.count++
	d.n = 0
	return nil
}

// finish returns the dictionary's own entry; nil when it has no terms.
func (d *dictWriter) finish() ([]byte, error) {
	if d.n > 0 {
		if err := d.endPart(); err != nil {
			return nil, err
		}
	}
	if d.count == 0 {
		return nil, nil
	}
	return append(binary.AppendUvarint(nil, uint64(d.count)), d.parts...), nil
}

// An fstBuilder makes one FST after the other.
type fstBuilder struct {
	b   *vellum.Builder
	buf bytes.Buffer
}

func (f *fstBuilder) reset() (err error) {
	f.buf.Reset()
	if f.b != nil {
		return f.b.Reset(&f.buf)
	}
	// Without a registry: terms have numbers of their own, so that few ends can be
	// shared. Looking for them saves 1.3 % of space, measured, and takes 1.6 times as
	// long.
	f.b, err = vellum.New(&f.buf, &vellum.BuilderOpts{Encoder: 1})
	return err
}
