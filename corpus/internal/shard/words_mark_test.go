package shard

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hansard-search/hansard/corpus/internal/signal"
	"github.com/hansard-search/hansard/surfaces"
	"pgregory.net/rapid"
)

// A marker numbers words as an analyzer does. It is the vocabulary of its marks.
type marker struct {
	numbers map[string]uint32
	leave   uint32 // of how many words one has no mark, or no number; 0 = all have
}

func (*marker) Term(uint32) string { return "" }

// marks are of all runs of ASCII letters and digits of a text.
func (m *marker) marks(text string) (marks []Mark) {
	isWord := func(c byte) bool { return c != '_' && c < 0x80 && wordClass[c] == classLetter }
	for i := 0; i < len(text); i++ {
		start := i
		for i < len(text) && isWord(text[i]) {
			i++
		}
		if start == i {
			continue
		}
		word := text[start:i]
		if m.numbers[word] == 0 {
			m.numbers[word] = uint32(len(m.numbers) + 1)
		}
		switch n := m.numbers[word]; {
		case m.leave == 0 || n%m.leave > 0:
			marks = append(marks, Mark{uint32(start), uint32(len(word)), n})
		case n%2 == 0:
			marks = append(marks, Mark{uint32(start), uint32(len(word)), 0})
		}
	}
	return marks
}

// What is packed by marks is what is packed without them, byte for byte, while
// marks are where words are cut.
func TestPackMarked(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		word := rapid.OneOf(rapid.SampledFrom([]string{"the", "key", "gained", "0123456789abcd", "0123456789abcde", "0123456789abcdefghij"}), rapid.StringMatching(`[a-zA-Z0-9]{1,18}`))
		text := rapid.Custom(func(rt *rapid.T) string {
			sep := rapid.SampledFrom([]string{" ", "  ", "\n\n", ". ", "-", " (\t "}).Draw(rt, "between")
			return sep[1:] + strings.Join(rapid.SliceOfN(word, 0, 60).Draw(rt, "words"), sep)
		})
		learned := rapid.SliceOfN(text, 0, 8).Draw(rt, "learned")
		plain, marked := wordsOf(learned...), wordsOf(learned...)
		m := &marker{numbers: map[string]uint32{}, leave: rapid.Uint32Range(0, 4).Draw(rt, "leave")}
		for range 3 { // words that come again get numbers meanwhile
			a, b := text.Draw(rt, "text"), text.Draw(rt, "another")
			doc := "\x02\x00" + a + "\x01\x05" + b
			in := []marking{{2, m, m.marks(a)}, {4 + len(a), m, m.marks(b)}}
			got, want := marked.packMarked(nil, []byte(doc), in), plain.pack(nil, []byte(doc))
			if !bytes.Equal(got, want) {
				rt.Fatalf("%q is packed as %q, without marks as %q", doc, got, want)
			}
		}
	})
}

// markedDocs are documents with more text than words are learned from.
func markedDocs(n int) []Doc {
	texts := newWriterText(3000)
	var docs []Doc
	m := &marker{numbers: map[string]uint32{}}
	for i := range n {
		if i%(n/3) == 0 { // another numbers the same words otherwise
			m = &marker{numbers: map[string]uint32{fmt.Sprint(i): 1}, leave: uint32(3 + i%2)}
		}
		d := texts.doc(i, 120)
		d.Hash = signal.Of(d.Key)
		if i%10 == 0 {
			d = Doc{Kind: Session, Key: d.Key, Session: d.Key, Hash: d.Hash}
			for range 3 {
				p, _ := texts.field(surfaces.SessionSummary, 50)
				d.Passages = append(d.Passages, p)
			}
		}
		d.Fields = nil
		for _, name := range []surfaces.Name{surfaces.UserPrompt, surfaces.AssistantSummary, surfaces.SessionSummary} {
			text := ""
			for _, p := range d.Passages {
				if p.Surface == name {
					text += p.Text
				}
			}
			if text != "" {
				d.Fields = append(d.Fields, Field{Surface: name, Vocabulary: m, Marks: m.marks(text)})
			}
		}
		docs = append(docs, d)
	}
	return docs
}

// Texts with marked words come back, in blocks that are begun before words are
// learned and after.
func TestMarkedDocs(t *testing.T) {
	docs := markedDocs(2000)
	size := 0
	r := build(t, docs)
	for k := range Session + 1 {
		var of []Doc
		for _, d := range docs {
			if d.Kind == k {
				of = append(of, d)
			}
		}
		for i, d := range of {
			got, err := r.Passages(k, uint32(i))
			if err != nil || !slices.Equal(got, d.Passages) {
				t.Fatalf("%s: %v, %q, want %q", d.Key, err, got, d.Passages)
			}
			for _, p := range got {
				size += len(p.Text)
			}
		}
	}
	verify(t, r)
	if size < 2*wordSample {
		t.Errorf("no more than %d bytes of text", size)
	}
}

func BenchmarkWordsPackMarked(b *testing.B) {
	texts, raw := benchmarkBlock()
	w := wordsOf(texts...)
	m := &marker{numbers: map[string]uint32{}}
	var docs [][]marking
	for _, text := range texts {
		docs = append(docs, []marking{{0, m, m.marks(text)}})
	}
	b.SetBytes(int64(len(raw)))
	var packed []byte
	for b.Loop() {
		packed = packed[:0]
		for i, text := range texts {
			packed = w.packMarked(packed, []byte(text), docs[i])
		}
	}
}

// TestUnusualDocs: documents of megabytes come back whole and leave no memory behind,
// before words are learned, when they are, and after.
func TestUnusualDocs(t *testing.T) {
	docs := markedDocs(900)
	for _, i := range []int{1, 2, 33, 500} {
		d := &docs[i]
		d.Passages[0].Text = strings.Repeat(d.Passages[0].Text, 1+2*unusual/len(d.Passages[0].Text))
		d.Fields[0].Marks = d.Fields[0].Marks[:1] // those behind the first have none
		d.Meta, d.Messages = bytes.Repeat([]byte("meta"), unusual/2), bytes.Repeat([]byte("message"), unusual/2)
	}
	w := NewWriter("", Options{})
	f := &memoryFile{}
	w.file, w.out.w = f, f
	for _, d := range docs {
		if _, err := w.Add(d); err != nil {
			t.Fatal(err)
		}
	}
	for k := range w.kinds {
		for _, s := range w.kinds[k].streams {
			if n := cap(s.buf) + cap(s.heads) + cap(s.bytes); n > 4*unusual {
				t.Errorf("a stream keeps %d bytes", n)
			}
		}
	}
	if n := cap(w.scratch) + cap(w.words.buf); n > 2*unusual {
		t.Errorf("the writer keeps %d bytes", n)
	}
	if _, err := w.Finish(); err != nil {
		t.Fatal(err)
	}
	r, err := OpenBytes(f.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	verify(t, r)
	for _, d := range docs {
		doc, ok, err := r.Find(d.Kind, d.Key)
		if err != nil || !ok {
			t.Fatal(d.Key, ok, err)
		}
		ps, err := r.Passages(d.Kind, doc)
		meta, err2 := r.Meta(d.Kind, doc)
		messages, err3 := r.Messages(d.Kind, doc)
		if err != nil || err2 != nil || err3 != nil || !slices.Equal(ps, d.Passages) || !bytes.Equal(meta, d.Meta) || !bytes.Equal(messages, d.Messages) {
			t.Fatalf("%s comes back otherwise: %v %v %v", d.Key, err, err2, err3)
		}
	}
}
