package shard

import (
	"errors"
	"sort"
	"sync/atomic"

	"github.com/blevesearch/vellum"
)

// A dictReader looks terms up in a dictionary. It is for any number of
// goroutines; what two of them load at the same time is loaded twice.
type dictReader struct {
	m     *mapping
	entry extent // no bytes when there are no terms
	docs  int    // documents of the kind
	parts atomic.Pointer[[]dictPart]
}

// A dictPart is up to partTerms terms.
type dictPart struct {
	first string
	lists extent
	fst   extent
	terms int
	open  atomic.Pointer[vellum.FST]    // set when checked
	spare atomic.Pointer[vellum.Reader] // of open, between two look-ups
}

func (d *dictReader) locate(r *Reader, entry extent, docs int) {
	d.m, d.entry, d.docs = r.m, entry, docs
}

// load returns the parts, nil when there are no terms.
func (d *dictReader) load() ([]dictPart, error) {
	if p := d.parts.Load(); p != nil {
		return *p, nil
	}
	if d.entry.len == 0 {
		return nil, nil
	}
	b, err := d.m.all(d.entry)
	if err != nil {
		return nil, err
	}
	c := cursor{b: b}
	// A part takes at least six bytes here.
	parts := make([]dictPart, c.int(int64(len(b))/6+1))
	for i := range parts {
		p := &parts[i]
		p.lists = extent{d.entry.name, c.int(d.m.body), c.int(d.m.body)}
		p.fst = extent{d.entry.name, p.lists.off + p.lists.len, c.int(d.m.body)}
		p.terms = int(c.int(partTerms))
		p.first = string(c.bytes(c.int(d.m.body)))
		if i > 0 && p.first <= parts[i-1].first {
			c.bad = true
		}
	}
	if c.bad || len(c.b) > 0 {
		return nil, d.bad("entry of the dictionary")
	}
	d.parts.Store(&parts)
	return parts, nil
}

// find returns the part that a term would be in.
func find(parts []dictPart, term string) int {
	return max(0, sort.Search(len(parts), func(i int) bool { return parts[i].first > term })-1)
}

// fst returns the FST of a part.
func (d *dictReader) fst(p *dictPart) (*vellum.FST, error) {
	if f := p.open.Load(); f != nil {
		if d.m.closed.Load() {
			return nil, ErrClosed
		}
		return f, nil
	}
	b, err := d.m.all(p.fst)
	if err != nil {
		return nil, err
	}
	if len(b) < 32 {
		return nil, d.bad("an FST of %d bytes", len(b))
	}
	f, err := vellum.Load(b)
	if err != nil {
		return nil, d.bad("%v", err)
	}
	p.open.Store(f)
	return f, nil
}

// get returns the number of a term and the part it is in.
func (d *dictReader) get(term string) (v uint64, p *dictPart, err error) {
	parts, err := d.load()
	if err != nil || len(parts) == 0 {
		return 0, nil, err
	}
	p = &parts[find(parts, term)]
	f, err := d.fst(p)
	if err != nil {
		return 0, nil, err
	}
	defer d.guard(&err)
	in := p.spare.Swap(nil)
	if in == nil {
		if in, err = f.Reader(); err != nil {
			return 0, nil, d.bad("%v", err)
		}
	}
	v, ok, err := in.Get([]byte(term))
	if err != nil {
		return 0, nil, d.bad("%v", err)
	}
	p.spare.Store(in)
	if !ok {
		return 0, nil, nil
	}
	return v, p, nil
}

// guard turns a panic inside vellum, which trusts its bytes, into an error.
// The bytes are checked, so this takes a file that was made wrong.
func (d *dictReader) guard(err *error) {
	if x := recover(); x != nil {
		*err = d.bad("%v", x)
	}
}

// A visit is a term met on a walk. The term is good until the next one.
type visit struct {
	term []byte
	v    uint64
	part *dictPart
}

// walk calls fn for the terms from start up to, but without, end (nil: to the
// last) that the automaton (nil: any) accepts, in order, until fn returns false.
func (d *dictReader) walk(start, end []byte, aut vellum.Automaton, fn func(visit) (bool, error)) error {
	it, err := d.iterate(start, end, aut)
	for ; err == nil && it.ok; err = it.next() {
		if more, err := fn(it.at); err != nil || !more {
			return err
		}
	}
	return err
}

// A dictIterator goes through the terms of a dictionary.
type dictIterator struct {
	d          *dictReader
	parts      []dictPart // not yet begun
	start, end []byte
	aut        vellum.Automaton
	it         *vellum.FSTIterator
	left       int // terms that the part may still have

	ok bool // at is a term
	at visit
}

// iterate returns an iterator at the first term.
func (d *dictReader) iterate(start, end []byte, aut vellum.Automaton) (*dictIterator, error) {
	parts, err := d.load()
	if err != nil {
		return nil, err
	}
	it := &dictIterator{d: d, start: start, end: end, aut: aut}
	if len(parts) > 0 {
		it.parts = parts[find(parts, string(start)):]
	}
	return it, it.next()
}

// next moves to the next term.
func (i *dictIterator) next() (err error) {
	defer i.d.guard(&err)
	i.ok = false
	if i.it != nil {
		if err := i.it.Next(); err == nil {
			return i.set()
		} else if !errors.Is(err, vellum.ErrIteratorDone) {
			return i.d.bad("%v", err)
		}
		i.it = nil
	}
	for len(i.parts) > 0 {
		p := &i.parts[0]
		if i.end != nil && p.first >= string(i.end) {
			return nil
		}
		i.parts = i.parts[1:]
		if done, err := i.enter(p); done || err != nil {
			return err
		}
	}
	return nil
}

// enter begins a part; done says that it has a term.
func (i *dictIterator) enter(p *dictPart) (done bool, err error) {
	f, err := i.d.fst(p)
	if err != nil {
		return false, err
	}
	it, err := f.Search(i.aut, i.start, i.end)
	if errors.Is(err, vellum.ErrIteratorDone) {
		return false, nil
	}
	if err != nil {
		return false, i.d.bad("%v", err)
	}
	i.it, i.at.part, i.left = it, p, p.terms
	return true, i.set()
}

func (i *dictIterator) set() error {
	if i.left--; i.left < 0 {
		return i.d.bad("a part with more than %d terms", i.at.part.terms)
	}
	i.at.term, i.at.v = i.it.Current()
	i.ok = true
	return nil
}

// prefixEnd is the first string after all that start with prefix; nil when
// there is none.
func prefixEnd(prefix []byte) []byte {
	end := append([]byte(nil), prefix...)
	for len(end) > 0 {
		if last := len(end) - 1; end[last] < 0xFF {
			end[last]++
			return end
		}
		end = end[:len(end)-1]
	}
	return nil
}

// list returns the checked bytes of a term's list, from where its number says.
func (d *dictReader) list(p *dictPart, v uint64) (b []byte, err error) {
	at := v >> 2
	if at >= uint64(p.lists.len) {
		return nil, d.bad("a list at %d of %d bytes", at, p.lists.len)
	}
	off := int64(at)
	if v&3 == tagMany {
		return d.many(p, off)
	}
	head, err := d.m.at(p.lists, off, min(10, p.lists.len-off))
	if err != nil {
		return nil, err
	}
	c := cursor{b: head}
	n := c.int(p.lists.len)
	if c.bad {
		return nil, d.bad("length of a list")
	}
	return d.m.at(p.lists, off+int64(len(head)-len(c.b)), n)
}

// docCount returns the number of documents of a term.
func (d *dictReader) docCount(p *dictPart, v uint64) (int, error) {
	switch v & 3 {
	case tagInline:
		return 1, nil
	case tagMany:
		h, err := d.m.at(p.lists, int64(min(v>>2, 1<<40)), longHead)
		if err != nil {
			return 0, err
		}
		return int(le32(h[4:])), nil
	}
	b, err := d.list(p, v)
	if err != nil {
		return 0, err
	}
	if v&3 == tagFew {
		if len(b) < 3 {
			return 0, d.bad("a list of %d bytes", len(b))
		}
		return int(b[0]) + 1, nil
	}
	c := cursor{b: b}
	n := c.int(int64(d.docs))
	if c.bad {
		return 0, d.bad("number of documents of a list")
	}
	return int(n), nil
}

func (d *dictReader) bad(format string, args ...any) error {
	return d.m.damage(d.entry.name, format, args...)
}
