package shard

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/hansard-search/hansard/corpus/internal/signal"
)

// TestAmend: a shard whose turns were amended at any time holds what one of the
// amended turns would hold. Where little waits, some come too late, and stay.
func TestAmend(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(rt *rapid.T) {
		docs := drawDocs(rt, 12)
		path := filepath.Join(dir, "amended")
		w := NewWriter(path, Options{Amend: true})
		room := rapid.SampledFrom([]int{1, 3000, metaRoom}).Draw(rt, "room")
		w.kinds[Turn].streams[metaStream].room = room
		var turns []*Doc
		for i := range docs {
			docs[i].Meta = bytes.Repeat(docs[i].Meta, rapid.IntRange(1, 900).Draw(rt, "long"))
			if _, err := w.Add(docs[i]); err != nil {
				rt.Fatal(err)
			}
			if docs[i].Kind == Turn {
				turns = append(turns, &docs[i])
			}
			for len(turns) > 0 && rapid.IntRange(0, 2).Draw(rt, "amend") == 0 {
				n := rapid.IntRange(0, len(turns)-1).Draw(rt, "which")
				if ok := amendOne(rt, w, uint32(n), turns[n]); !ok && room == metaRoom {
					rt.Fatal("too late for a turn that waits")
				}
			}
		}
		if _, err := w.Finish(); err != nil {
			rt.Fatal(err)
		}
		r, err := Open(path)
		if err != nil {
			rt.Fatal(err)
		}
		defer r.Close()
		verify(t, r)
		equalDump(t, r, model(docs))
		for _, d := range docs {
			if turns, err := r.TurnsOf(signal.Of(d.Session)); err != nil || d.Kind == Turn && len(turns) == 0 {
				rt.Fatalf("no turns of %s: %v", d.Session, err)
			}
		}
	})
}

// TestAmendTooLate: what is written stays.
func TestAmendTooLate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "amended")
	w := NewWriter(path, Options{Amend: true})
	w.kinds[Turn].streams[metaStream].room = 1
	var docs []Doc
	for i := range 4 {
		d := Doc{Key: fmt.Sprint(i), Session: "s", Meta: bytes.Repeat([]byte{byte(i)}, 2*streamTarget[metaStream])}
		if _, err := w.Add(d); err != nil {
			t.Fatal(err)
		}
		docs = append(docs, d)
	}
	for i := range docs {
		ok, err := w.Amend(uint32(i), func(uint32, []byte) (Doc, bool, error) {
			return Doc{Session: "t", Meta: []byte("short")}, true, nil
		})
		if last := i == len(docs)-1; err != nil || ok != last {
			t.Errorf("document %d: %v, %v", i, ok, err)
		}
	}
	docs[3].Session, docs[3].Meta = "t", []byte("short")
	if _, err := w.Finish(); err != nil {
		t.Fatal(err)
	}
	equalDump(t, openFile(t, path), model(docs))
}

// amendOne changes a turn in the writer and in d, or in neither.
func amendOne(t *rapid.T, w *Writer, doc uint32, d *Doc) bool {
	to := drawDoc(t, int(doc))
	to.Meta = bytes.Repeat(to.Meta, rapid.IntRange(1, 900).Draw(t, "long"))
	refuse := rapid.IntRange(0, 4).Draw(t, "refuse") == 0
	asked := false
	ok, err := w.Amend(doc, func(flags uint32, meta []byte) (Doc, bool, error) {
		if asked = true; flags != d.Flags || !bytes.Equal(meta, d.Meta) {
			t.Fatalf("document %d has flags %d and meta %q", doc, flags, meta)
		}
		return to, !refuse, nil
	})
	if err != nil || ok != (asked && !refuse) {
		t.Fatalf("amended: %v, %v", ok, err)
	}
	if !ok {
		return asked
	}
	d.Session, d.Flags, d.Meta = to.Session, to.Flags, to.Meta
	for _, f := range to.Facets {
		if !slices.Contains(d.Facets, f) {
			d.Facets = append(d.Facets, f)
		}
	}
	return true
}
