package shard

import (
	"errors"
	"fmt"
	"slices"

	"github.com/hansard-search/hansard/corpus/internal/postings"
	"github.com/hansard-search/hansard/corpus/internal/signal"
)

// A Problem is something that Verify found.
type Problem struct {
	Part   string
	Detail string
}

// A verifier reads a whole shard.
type verifier struct {
	r  *Reader
	fn func(Problem)

	docs   [BlockDocs]uint32 // for decoding
	counts [BlockDocs]uint8
}

// Verify reads everything, checks each checksum and what must hold between
// the parts, and calls fn for each problem. What is wrong may be told more
// than once, by the parts that meet it.
func (r *Reader) Verify(fn func(Problem)) {
	v := &verifier{r: r, fn: fn}
	if !v.pages() {
		return // the parts would only repeat it
	}
	for k := Turn; k <= Session; k++ {
		for doc := range uint32(r.Len(k)) {
			v.document(k, doc)
		}
		for s := range streams {
			v.stream(&r.kinds[k].streams[s])
		}
		v.fail(r.AllFacets(k, func(Facet, *postings.Set) bool { return true }))
	}
	v.sessions()
	for i := range r.surfaces {
		v.surface(i)
	}
}

// fail tells an error, if there is one.
func (v *verifier) fail(err error) {
	var d *DamageError
	switch {
	case errors.As(err, &d):
		v.fn(Problem{d.Part, d.Detail})
	case err != nil:
		v.fn(Problem{"file", err.Error()})
	}
}

func (v *verifier) failf(part, format string, args ...any) {
	v.fn(Problem{part, fmt.Sprintf(format, args...)})
}

// pages checks the sum of every page, read or not before.
func (v *verifier) pages() bool {
	ok := true
	if !v.r.m.closed.Load() && !v.r.m.sameFeet() {
		v.failf("table of contents", "its two copies differ")
	}
	for p := int64(0); p*pageSize < v.r.m.body; p++ {
		if v.r.m.closed.Load() {
			v.fail(ErrClosed)
			return false
		}
		if s := p * sumSize / pageSize; p*sumSize%pageSize == 0 && !v.r.m.sumsFit(s, v.r.m.sumsOf(s)) {
			v.failf("checksums", "wrong checksum for pages %d and on", p)
		}
		if err := v.r.m.check("body", p); err != nil {
			v.fail(err)
			ok = false
		}
	}
	return ok
}

func (v *verifier) document(k Kind, doc uint32) {
	h, err := v.r.Head(k, doc)
	v.fail(err)
	key, kerr := v.r.Key(k, doc)
	v.fail(kerr)
	if err == nil && kerr == nil && signal.Of(key) != h.Key {
		v.failf("rows", "the hash of key %q, document %d", key, doc)
	}
	found, ok, err := v.r.FindHash(k, h.Key)
	v.fail(err)
	if err == nil && (!ok || found != doc) {
		v.failf("keys", "document %d is found as %d, %v", doc, found, ok)
	}
}

// stream unpacks every block and reads every document of it.
func (v *verifier) stream(s *streamReader) {
	next := uint32(0)
	var raw []byte
	for i := range s.blocks() {
		b, err := s.block(v.r.m, i)
		if err == nil && b.first != next {
			err = v.r.m.damage(s.table.name, "block %d begins at document %d, not %d", i, b.first, next)
		}
		if err == nil {
			raw, err = s.unpack(v.r.m, b, raw)
		}
		if err == nil {
			err = s.each(v.r.m, b, raw, func(_ uint32, p []byte) (err error) {
				if s.table.name == partNames[partPassages] {
					_, err = v.r.passages(p)
				}
				return err
			})
		}
		v.fail(err)
		next = b.first + b.docs
	}
	if s.table.len > 0 && int64(next) != int64(s.docs) {
		v.failf(s.table.name, "blocks of %d documents for %d", next, s.docs)
	}
}

func (v *verifier) sessions() {
	ords, err := v.r.SessionOrds(Turn)
	v.fail(err)
	if stretches, err := v.r.Stretches(); err != nil || !slices.Equal(stretches, stretchesOf(ords)) {
		v.fail(err)
		v.failf("sessions", "the stretches are not those of the turns")
	}
	turns := 0
	for ord := range uint32(v.r.Sessions()) {
		h, err := v.r.SessionHash(ord)
		v.fail(err)
		key, err := v.r.SessionKey(ord)
		v.fail(err)
		found, ok, err := v.r.SessionOrd(h)
		v.fail(err)
		if signal.Of(key) != h || !ok || found != ord {
			v.failf("sessions", "session %d, key %q, is found as %d", ord, key, found)
		}
		docs, err := v.r.TurnsOfOrd(ord)
		v.fail(err)
		turns += len(docs)
		for i, doc := range docs {
			if int(doc) >= ords.Len() || ords.At(doc) != ord || i > 0 && docs[i-1] >= doc {
				v.failf("sessions", "turn %d is listed for session %d", doc, ord)
			}
		}
	}
	if turns != v.r.info.Turns {
		v.failf("sessions", "list %d turns of %d", turns, v.r.info.Turns)
	}
}

// surface reads every posting of a surface and compares it with the codes.
func (v *verifier) surface(i int) {
	s, info := &v.r.surfaces[i], v.r.info.Surfaces[i]
	codes, err := v.r.m.all(s.codes)
	v.fail(err)
	lengths, err := v.r.m.all(s.lengths)
	v.fail(err)
	docs, total := 0, uint64(0)
	for ; len(lengths) >= 4; lengths = lengths[4:] {
		if n := le32(lengths); n > 0 {
			docs++
			total += uint64(n)
		}
	}
	terms := 0
	last := ""
	v.fail(s.terms.walk(nil, nil, nil, func(at visit) (bool, error) {
		if terms++; string(at.term) <= last {
			v.failf(string(s.name), "term %q after %q", at.term, last)
		}
		last = string(at.term)
		p, err := s.postings(v.r.m, at.part, at.v)
		if err == nil {
			err = v.postings(s, &p, last, codes)
		}
		v.fail(err)
		return true, nil
	}))
	if docs != info.Docs || total != info.Length || terms != info.Terms {
		v.failf(string(s.name), "has %d documents, length %d and %d terms, not %d, %d and %d",
			docs, total, terms, info.Docs, info.Length, info.Terms)
	}
}

func (v *verifier) postings(s *surfaceReader, p *Postings, term string, codes []byte) error {
	n, next := 0, int64(0)
	for c := p.Blocks(); c.Next(); {
		got := c.Decode(&v.docs, &v.counts)
		for i, doc := range v.docs[:got] {
			if int64(doc) < next || int(doc) >= len(codes) {
				return s.terms.bad("term %q: document %d after %d", term, doc, next-1)
			}
			next = int64(doc) + 1
			if n := v.counts[i]; n > c.MaxCount || n > p.most || codes[doc] < c.MinCode || codes[doc] < p.code {
				return s.terms.bad("term %q: document %d is beyond the bounds", term, doc)
			}
		}
		n += got
	}
	if n != p.n {
		return s.terms.bad("term %q: %d documents of %d", term, n, p.n)
	}
	return nil
}
