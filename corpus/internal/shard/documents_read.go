package shard

import (
	"bytes"
	"strings"
	"unsafe"

	"github.com/hansard-search/hansard/surfaces"
)

// Passages returns the texts of a document as they were added.
func (r *Reader) Passages(k Kind, doc uint32) (ps []Passage, err error) {
	err = r.ReadPassages(k, doc, func(s surfaces.Name, text string) {
		ps = append(ps, Passage{s, strings.Clone(text)})
	})
	if err != nil {
		return nil, err
	}
	return ps, nil
}

// AppendPassages is Passages in memory of the caller's, and appends to ps. The
// texts lie in room: they are good until its bytes are written over. Where they
// do not fit they go to another room, and those before them stay where they are.
func (r *Reader) AppendPassages(k Kind, doc uint32, room []byte, ps []Passage) ([]byte, []Passage, error) {
	t, err := r.kind(k, doc)
	if err != nil {
		return room, ps, err
	}
	err = t.streams[passageStream].doc(r.m, doc, func(b []byte) error {
		if cap(room)-len(room) < len(b) {
			room = make([]byte, 0, max(len(b), 2*cap(room), passageRoom))
		}
		from := len(room)
		room = append(room, b...)
		return r.eachPassage(room[from:], func(s surfaces.Name, text string) { ps = append(ps, Passage{s, text}) })
	})
	return room, ps, err
}

// passageRoom is for the texts of some documents.
const passageRoom = 1 << 14

// ReadPassages calls fn for each text of a document in the order in which they
// were added. Nothing is copied: a text is good until fn returns.
func (r *Reader) ReadPassages(k Kind, doc uint32, fn func(s surfaces.Name, text string)) error {
	t, err := r.kind(k, doc)
	if err != nil {
		return err
	}
	return t.streams[passageStream].doc(r.m, doc, func(b []byte) error { return r.eachPassage(b, fn) })
}

// passages returns the texts of a document, which lie in its bytes.
func (r *Reader) passages(b []byte) (ps []Passage, err error) {
	err = r.eachPassage(b, func(s surfaces.Name, text string) { ps = append(ps, Passage{s, text}) })
	return ps, err
}

func (r *Reader) eachPassage(b []byte, fn func(s surfaces.Name, text string)) error {
	if len(b) == 0 {
		return nil
	}
	c := cursor{b: b}
	for i := range c.int(int64(len(b))) {
		slot := c.byte()
		text := c.bytes(c.int(maxBlock))
		at := r.slot(slot)
		if at < 0 || c.bad {
			return r.m.damage(partNames[partPassages], "passage %d", i)
		}
		fn(r.surfaces[at].name, unsafe.String(unsafe.SliceData(text), len(text)))
	}
	if len(c.b) > 0 {
		return r.m.damage(partNames[partPassages], "%d bytes left", len(c.b))
	}
	return nil
}

// slot returns the place of a stored surface in r.surfaces, -1 for none.
func (r *Reader) slot(slot uint8) int {
	for i := range r.info.Surfaces {
		if r.info.Surfaces[i].slot == slot {
			return i
		}
	}
	return -1
}

// Meta returns Doc.Meta; nil when it was empty.
func (r *Reader) Meta(k Kind, doc uint32) ([]byte, error) { return r.copied(k, doc, metaStream) }

// ReadMeta calls fn with Doc.Meta, which is good until fn returns.
func (r *Reader) ReadMeta(k Kind, doc uint32, fn func(meta []byte)) error {
	t, err := r.kind(k, doc)
	if err != nil {
		return err
	}
	return t.streams[metaStream].doc(r.m, doc, func(b []byte) error { fn(b); return nil })
}

// Messages returns Doc.Messages; nil when they were empty.
func (r *Reader) Messages(k Kind, doc uint32) ([]byte, error) { return r.copied(k, doc, messageStream) }

func (r *Reader) copied(k Kind, doc uint32, stream int) (out []byte, err error) {
	t, err := r.kind(k, doc)
	if err != nil {
		return nil, err
	}
	err = t.streams[stream].doc(r.m, doc, func(b []byte) error {
		if len(b) > 0 {
			out = bytes.Clone(b)
		}
		return nil
	})
	return out, err
}
