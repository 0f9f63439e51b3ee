package shard

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/hansard-search/hansard/corpus/internal/postings"
	"github.com/hansard-search/hansard/corpus/internal/signal"
	"github.com/hansard-search/hansard/surfaces"
)

// drawInputs cuts docs into shards, and makes some documents gone. It returns
// what is left.
func drawInputs(t *testing.T, rt *rapid.T, docs []Doc) (inputs []Input, left []Doc) {
	for len(docs) > 0 || len(inputs) == 0 {
		n := rapid.IntRange(0, len(docs)).Draw(rt, "part")
		if len(inputs) > 5 {
			n = len(docs)
		}
		in := Input{Reader: build(t, docs[:n])}
		in.GoneTurns, in.GoneSessions = postings.New(), postings.New()
		next := [2]uint32{}
		for _, d := range docs[:n] {
			if rapid.IntRange(0, 3).Draw(rt, "gone") == 0 {
				[]*postings.Set{in.GoneTurns, in.GoneSessions}[d.Kind].Add(next[d.Kind])
			} else {
				left = append(left, d)
			}
			next[d.Kind]++
		}
		inputs = append(inputs, in)
		docs = docs[n:]
	}
	return inputs, left
}

func mergeBytes(t *testing.T, inputs []Input) *Reader {
	t.Helper()
	b, err := MergeBytes(inputs)
	if err != nil {
		t.Fatal(err)
	}
	r, err := OpenBytes(b)
	if err != nil {
		t.Fatal(err)
	}
	verify(t, r)
	return r
}

func TestMerge(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		docs := drawDocs(rt, 16)
		inputs, left := drawInputs(t, rt, docs)
		merged := mergeBytes(t, inputs)
		equalDump(t, merged, model(left))
		checkOrder(t, merged)
		for _, name := range slices.Concat(turnSurfaces, sessionSurfaces) {
			info := merged.Info()
			checkInfo(t, info.Surface(name), left)
		}
		// Merged shards merge like any other, with the same order.
		again := mergeBytes(t, []Input{{Reader: merged}, {Reader: mergeBytes(t, nil)}})
		equalDump(t, again, model(left))
		for doc := range uint32(merged.Len(Turn)) {
			a, errA := merged.Key(Turn, doc)
			b, errB := again.Key(Turn, doc)
			if a != b || errA != nil || errB != nil {
				t.Fatalf("turn %d is %q, then %q (%v, %v)", doc, a, b, errA, errB)
			}
		}
	})
}

// checkOrder fails the test unless the turns of a session stand together, in
// the order of their creation.
func checkOrder(t *testing.T, r *Reader) {
	for ord := range uint32(r.Sessions()) {
		docs, err := r.TurnsOfOrd(ord)
		if err != nil {
			t.Fatal(err)
		}
		if first, n, err := r.TurnsSpan(ord); err != nil || n != len(docs) || n > 0 && first != docs[0] {
			t.Fatalf("turns %v of session %d: %d from %d on, %v", docs, ord, n, first, err)
		}
		last := int64(-1)
		for i, doc := range docs {
			h, err := r.Head(Turn, doc)
			if err != nil || doc != docs[0]+uint32(i) || h.Created < last {
				t.Fatalf("turns %v of session %d: created %d after %d, %v", docs, ord, h.Created, last, err)
			}
			last = h.Created
		}
	}
}

// manyDocs makes n turns whose terms have every number of documents there is:
// tI stands in I documents, "all" in all of them.
func manyDocs(n int) []Doc {
	rnd := rand.New(rand.NewPCG(1, 2))
	docs := make([]Doc, n)
	for i := range docs {
		docs[i] = Doc{
			Key: fmt.Sprintf("k%d", i), Session: fmt.Sprintf("s%d", i/7), Created: int64(i),
			Hash: signal.Of(fmt.Sprint(i)), Meta: []byte(fmt.Sprint("meta ", i)),
			Facets: []Facet{{"all", "yes"}, {"half", fmt.Sprint(i % 2)}},
			Fields: []Field{{Surface: surfaces.UserPrompt, Length: uint32(i + 1), Code: uint8(1 + i%250)}},
		}
		docs[i].Passages = []Passage{{surfaces.UserPrompt, fmt.Sprintf("text %d %x", i, rnd.Uint64())}}
		if i%100 == 0 {
			docs[i].Messages = bytes.Repeat([]byte(fmt.Sprint(i, " message\n")), rnd.IntN(4000))
		}
	}
	add := func(i int, term string) {
		f := &docs[i].Fields[0]
		c := uint32(1)
		switch rnd.IntN(8) {
		case 0:
			c = 2
		case 1:
			c = uint32(rnd.IntN(30)) + 1
		case 2:
			c = uint32(rnd.IntN(300)) + 1
		}
		f.Terms = append(f.Terms, Term{Text: term, Count: c})
	}
	for _, df := range []int{1, 2, 3, 255, 256, 257, 300, 1000, 4095, 4096, 4097, 5000, n/2 + 1} {
		if df > n {
			continue
		}
		for _, i := range rnd.Perm(n)[:df] {
			add(i, fmt.Sprintf("t%d", df))
		}
		for i := range df { // all at the beginning, across the borders of blocks
			add(i, fmt.Sprintf("b%d", df))
		}
	}
	for i := range docs {
		add(i, "all")
	}
	return docs
}

func TestManyDocuments(t *testing.T) {
	docs := manyDocs(70_000) // more than one container
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	w := NewWriter(path, Options{})
	for i, d := range docs {
		if n, err := w.Add(d); err != nil || int(n) != i {
			t.Fatal(n, err)
		}
	}
	info, err := w.Finish()
	if err != nil {
		t.Fatal(err)
	}
	r := openFile(t, path)
	if st, _ := os.Stat(path); st.Size() != info.Size || st.Mode().Perm() != 0o600 {
		t.Errorf("size %d, mode %v; info says %d", st.Size(), st.Mode(), info.Size)
	}
	checkMany(t, r, docs)
	merged := filepath.Join(dir, "m")
	out := postings.New()
	left := slices.Clone(docs[:3])
	for i, d := range docs {
		if i < 7 || i%1000 < 100 {
			out.Add(uint32(i))
		} else {
			left = append(left, d)
		}
	}
	inputs := []Input{{Reader: build(t, docs[:3])}, {Reader: r, GoneTurns: out}}
	if _, err := Merge(merged, Options{}, inputs); err != nil {
		t.Fatal(err)
	}
	checkMany(t, openFile(t, merged), left)
}

// checkMany compares the postings, facets and some texts of a shard with the
// documents, which it has in their order.
func checkMany(t *testing.T, r *Reader, docs []Doc) {
	t.Helper()
	type list struct {
		docs   []uint32
		counts []uint8
	}
	want := map[string]*list{}
	half := postings.New()
	for i, d := range docs {
		if d.Facets[1].Value == "1" {
			half.Add(uint32(i))
		}
		for _, w := range d.Fields[0].Terms {
			if want[w.Text] == nil {
				want[w.Text] = &list{}
			}
			l := want[w.Text]
			l.docs, l.counts = append(l.docs, uint32(i)), append(l.counts, uint8(min(w.Count, MaxCount)))
		}
	}
	for term, l := range want {
		p, ok, err := r.Postings(surfaces.UserPrompt, term)
		if err != nil || !ok {
			t.Fatalf("postings of %q: %v, %v", term, ok, err)
		}
		got := list{}
		var ds [BlockDocs]uint32
		var cs [BlockDocs]uint8
		for c := p.Blocks(); c.Next(); {
			n := c.Decode(&ds, &cs)
			got.docs, got.counts = append(got.docs, ds[:n]...), append(got.counts, cs[:n]...)
		}
		if !slices.Equal(got.docs, l.docs) || !slices.Equal(got.counts, l.counts) {
			t.Errorf("postings of %q differ", term)
		}
		if !slices.Equal(p.Set().Slice(), l.docs) || p.Len() != len(l.docs) {
			t.Errorf("set of %q differs", term)
		}
		few, counts, ok := p.Few(nil, nil)
		if ok != (len(l.docs) <= fewDocs) || ok && (!slices.Equal(few, l.docs) || !slices.Equal(counts, l.counts)) {
			t.Errorf("few documents of %q differ: %v, %d of %d", term, ok, len(few), len(l.docs))
		}
		for i := 0; i < len(docs); i += 97 {
			at, has := slices.BinarySearch(l.docs, uint32(i))
			if p.Contains(uint32(i)) != has || has && p.Count(uint32(i)) != l.counts[at] || !has && p.Count(uint32(i)) != 0 {
				t.Fatalf("%q in document %d: %v, count %d", term, i, p.Contains(uint32(i)), p.Count(uint32(i)))
			}
		}
	}
	if s, err := r.Facet(Turn, "half", "1"); err != nil || !s.Equal(half) {
		t.Errorf("facet: %d documents, %v; want %d", s.Len(), err, half.Len())
	}
	var room []byte
	var read, texts []Passage
	for i := 0; i < len(docs); i += 53 {
		ps, err := r.Passages(Turn, uint32(i))
		m, merr := r.Messages(Turn, uint32(i))
		meta, xerr := r.Meta(Turn, uint32(i))
		if err != nil || merr != nil || xerr != nil || !slices.Equal(ps, docs[i].Passages) ||
			!bytes.Equal(m, docs[i].Messages) || !bytes.Equal(meta, docs[i].Meta) {
			t.Fatalf("document %d: %q, %d bytes, %q; %v, %v, %v", i, ps, len(m), meta, err, merr, xerr)
		}
		texts = append(texts, ps...)
		if room, read, err = r.AppendPassages(Turn, uint32(i), room, read); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(read, texts) {
		t.Error("texts that are read into one room do not stay as they were")
	}
}

// openFile opens and verifies a shard that is closed with the test.
func openFile(t *testing.T, path string) *Reader {
	t.Helper()
	r, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	verify(t, r)
	return r
}

// TestMessagesOnceMerged: messages are packed quickly where they are written first,
// and tightly where they will stay.
func TestMessagesOnceMerged(t *testing.T) {
	var docs []Doc
	for i := range 40 {
		docs = append(docs, Doc{Key: fmt.Sprint(i), Session: "s", Messages: bytes.Repeat(fmt.Appendf(nil, "message %d ", i), 150)})
	}
	docs = append(docs, Doc{Key: "large", Session: "s", Messages: bytes.Repeat([]byte("large "), unusual/6+1)})
	first := build(t, docs)
	merged := mergeBytes(t, []Input{{Reader: first}})
	for r, want := range map[*Reader][2]byte{first: {codecS2, codecZstd}, merged: {codecZstd, codecZstd}} {
		verify(t, r)
		equalDump(t, r, model(docs))
		s := &r.kinds[Turn].streams[messageStream]
		for i, codec := range map[int]byte{1: want[0], s.blocks() - 1: want[1]} {
			b, err := s.block(r.m, i)
			if err != nil {
				t.Fatal(err)
			}
			p, err := s.stored(r.m, b)
			if err != nil || p[0] != codec {
				t.Errorf("block %d: codec %d, not %d (%v)", i, p[0], codec, err)
			}
		}
	}
}
