package shard

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/hansard-search/hansard/corpus/internal/signal"
	"github.com/hansard-search/hansard/surfaces"
	"pgregory.net/rapid"
)

func TestWordEnd(t *testing.T) {
	for text, want := range map[string]string{
		"the  key\n\n  of a cache":          "the| | key|\n\n | of| a| cache",
		"a(b) == c_d;":                      "a|(|b|)| ==| c_d|;",
		" ":                                 " ",
		"é à 日本":                            "é| à| 日本",
		"0123456789abcdefghij":              "0123456789abcde|fghij",
		" 0123456789abcdefghij":             " 0123456789abcd|efghij",
		"\x00\x01\xff\xfe x":                "\x00\x01|\xff\xfe| x",
		"    four":                          "   | four",
		"one\t \ttwo":                       "one|\t \t|two",
		"https://example.org/a-b?c=d&e=f#g": "https|://|example|.|org|/|a|-|b|?|c|=|d|&|e|=|f|#|g",
	} {
		var got []string
		for b := []byte(text); len(b) > 0; {
			n := wordEnd(b)
			if k := keyOf(b, n); k.len() != n || string(k.append(nil)) != string(b[:n]) {
				t.Errorf("%q: key of %q is %q", text, b[:n], k.append(nil))
			}
			got = append(got, string(b[:n]))
			b = b[n:]
		}
		if s := strings.Join(got, "|"); s != want {
			t.Errorf("%q is cut into %q, want %q", text, s, want)
		}
	}
}

// wordsOf learns from texts.
func wordsOf(texts ...string) *wordWriter {
	w := &wordWriter{}
	for _, text := range texts {
		raw := append(binary.AppendUvarint(nil, uint64(len(text))), text...)
		w.held = append(w.held, heldBlock{raw: raw, docs: 1})
	}
	w.learn()
	return w
}

// packTexts packs texts, and checks that all come back, alone and as a block.
func packTexts(t testing.TB, w *wordWriter, texts []string) (packed []byte) {
	t.Helper()
	var raw []byte
	for _, text := range texts {
		raw = binary.AppendUvarint(raw, uint64(len(text)))
	}
	raw = append(raw, strings.Join(texts, "")...)
	n := uint32(len(texts))
	packed = w.appendBlock(nil, raw, n)
	section := w.section()
	if section == nil {
		section = make([]byte, wordHeader+wordRoom)
	}
	l := newWordList(section)
	if l == nil {
		t.Fatal("the words cannot be read")
	}
	if got, ok := l.unpackBlock(nil, packed, n, len(raw)); !ok || !bytes.Equal(got, raw) {
		t.Fatalf("block of %q comes back as %q, %v", raw, got, ok)
	}
	buf := make([]byte, 40)
	for i, text := range texts {
		if got, ok := l.unpackDoc(buf, packed, n, uint32(i), len(raw)); !ok || string(got) != text {
			t.Fatalf("%q comes back as %q, %v", text, got, ok)
		}
	}
	return packed
}

func TestWords(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		word := rapid.OneOf(rapid.SampledFrom([]string{"the", "key", "gained", "lockfile", "0123456789abcdefghij", "\x00\xff", "日本語"}), rapid.String())
		text := rapid.Custom(func(rt *rapid.T) string {
			sep := rapid.SampledFrom([]string{" ", "", "\n\n"}).Draw(rt, "between")
			return strings.Join(rapid.SliceOfN(word, 0, 60).Draw(rt, "words"), sep)
		})
		w := wordsOf(rapid.SliceOfN(text, 0, 8).Draw(rt, "learned")...)
		for range 3 { // words that come again get numbers meanwhile
			packTexts(t, w, rapid.SliceOfN(text, 1, 5).Draw(rt, "texts"))
		}
	})
}

// Numbers of all lengths come back.
func TestManyWords(t *testing.T) {
	w := wordsOf()
	var texts []string
	for at := 0; at < maxWords+1000; at += 1000 {
		var b []byte
		for i := range 1000 {
			b = fmt.Appendf(b, " %x", uint64(at+i)*2654435761%(1<<32)) // each once
		}
		texts = append(texts, string(b))
		packTexts(t, w, []string{string(b), string(b)})
	}
	if n := len(w.table.keys); n < maxWords*9/10 {
		t.Errorf("%d words have numbers", n)
	}
	packTexts(t, w, texts)
}

// What packs well does: half of a text of common words is saved.
func TestWordsSave(t *testing.T) {
	texts := newWriterText(2000)
	var all []string
	size := 0
	for range 200 {
		p, _ := texts.field(surfaces.UserPrompt, 100)
		all = append(all, p.Text)
		size += len(p.Text)
	}
	w := wordsOf(all...)
	if got := len(packTexts(t, w, all)); 2*got > size {
		t.Errorf("%d bytes of %d", got, size)
	}
}

func FuzzWords(f *testing.F) {
	w := wordsOf(strings.Repeat("the key gained the lockfile hash. ", 10))
	l := newWordList(w.section())
	f.Add(w.pack(nil, []byte("the key gained a hash, and another")), 34)
	f.Add([]byte{byteLong, 200, 1, 'a'}, 5)
	f.Add([]byte{byteThree, 0}, 5)
	f.Add([]byte{wordTwo}, 5)
	f.Fuzz(func(t *testing.T, p []byte, size int) {
		if size < 0 {
			return
		}
		if text, ok := l.unpack(nil, size, p); ok && len(text) != size {
			t.Errorf("%d bytes, not %d", len(text), size)
		}
		l.unpackBlock(nil, p, uint32(size%8), size)
		l.unpackDoc(nil, p, uint32(size%8), 1, size)
		if l := newWordList(p); l != nil {
			l.unpack(nil, size, p)
		}
	})
}

// wordyDocs are documents with enough text for words to be learned, and some
// of each kind that is none.
func wordyDocs(seed uint64, n int) []Doc {
	texts := newWriterText(300)
	texts.rnd = rand.New(rand.NewPCG(seed, 1))
	docs := make([]Doc, n)
	for i := range docs {
		docs[i] = texts.doc(int(seed)<<20|i, 120)
		docs[i].Hash = signal.Of(docs[i].Key)
	}
	docs[1].Passages = nil
	docs[2].Passages = []Passage{{surfaces.UserPrompt, strings.Repeat("long ", 20_000)}}
	s := docs[0].Session
	return append(docs, Doc{Kind: Session, Key: s, Session: s, Passages: []Passage{{surfaces.SessionTitle, "a title"}}})
}

// Shards with words of their own, and small ones without, merge.
func TestMergeWords(t *testing.T) {
	a, b, small := wordyDocs(1, 300), wordyDocs(2, 200), manyDocs(20)
	var inputs []Input
	for _, docs := range [][]Doc{a, b, small} {
		inputs = append(inputs, Input{Reader: build(t, docs)})
	}
	if inputs[0].Reader.words.at[0].len == 0 || inputs[2].Reader.words.at[0].len != 0 {
		t.Fatal("words are learned from little, or not from much")
	}
	out, err := MergeBytes(inputs)
	if err != nil {
		t.Fatal(err)
	}
	r, err := OpenBytes(out)
	if err != nil {
		t.Fatal(err)
	}
	verify(t, r)
	equalDump(t, r, model(slices.Concat(a, b, small)))
}

// Words of which the places do not fit are damage, not a wrong answer.
func TestForgedWords(t *testing.T) {
	good, err := Build(slices.Values(wordyDocs(1, 300)))
	if err != nil {
		t.Fatal(err)
	}
	r, err := OpenBytes(good)
	if err != nil {
		t.Fatal(err)
	}
	rnd := rand.New(rand.NewPCG(7, 8))
	for range 20 {
		b := slices.Clone(good)
		for _, at := range r.words.at[:1+rnd.IntN(2)] {
			b[at.off+rnd.Int64N(min(at.len, 2000))] ^= byte(1) << rnd.IntN(8)
		}
		reseal(b)
		useForged(b)
	}
}

// Texts can be read while one of the two lists of words is whole, and Verify tells.
func TestDamagedWords(t *testing.T) {
	docs := wordyDocs(1, 300)
	b, err := Build(slices.Values(docs))
	if err != nil {
		t.Fatal(err)
	}
	for broken := range 2 {
		r, err := OpenBytes(b)
		if err != nil {
			t.Fatal(err)
		}
		b[r.words.at[broken].off+wordHeader] ^= 1
		got, err := r.Passages(Turn, 5)
		if broken == 0 && (err != nil || !slices.Equal(got, docs[5].Passages)) {
			t.Errorf("with a list of words that is whole: %v, %v", got, err)
		}
		if broken == 1 && !errors.Is(err, ErrDamaged) {
			t.Errorf("without words: %v, %v", got, err)
		}
		found := 0
		if r.Verify(func(Problem) { found++ }); found == 0 {
			t.Error("verify finds nothing")
		}
	}
}

// TestRareWords: of the words that few texts have only those are checked that are
// met, and where they are damaged the other list has them.
func TestRareWords(t *testing.T) {
	const words = wordThree + 9000
	var docs []Doc
	for i := range 60 {
		var text strings.Builder
		for n := range words {
			switch {
			case i == 30: // all come again, some more often
				fmt.Fprintf(&text, " %07d %07d", n, n)
			case i == 31 || n%100 == 0 || i == 50 && n%7 == 0:
				fmt.Fprintf(&text, " %07d", n)
			}
		}
		docs = append(docs, Doc{Key: fmt.Sprint(i), Session: "s", Passages: []Passage{{surfaces.UserPrompt, text.String()}}})
	}
	b, err := Build(slices.Values(docs))
	if err != nil {
		t.Fatal(err)
	}
	open := func() *Reader {
		r, err := OpenBytes(b)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	read := func(r *Reader, doc uint32) bool {
		got, err := r.Passages(Turn, doc)
		if err != nil && !errors.Is(err, ErrDamaged) {
			t.Fatal(err)
		}
		if err == nil && !slices.Equal(got, docs[doc].Passages) {
			t.Fatalf("document %d is another", doc)
		}
		return err == nil
	}
	r := open()
	if !read(r, 7) || r.words.lazy.Load() == nil || r.words.list.Load() != nil {
		t.Fatal("all words are checked for one text of common ones")
	}
	for broken, at := range r.words.at {
		b[at.off+at.len-2*pageSize] ^= 1
		r := open()
		if !read(r, 7) {
			t.Error("damage to rare words keeps from reading common ones")
		}
		if whole := read(r, 31); whole != (broken == 0) {
			t.Errorf("%d lists damaged: read is %v", broken+1, whole)
		}
	}
}

func benchmarkBlock() (texts []string, raw []byte) {
	words := newWriterText(60_000)
	for range 4 {
		p, _ := words.field(surfaces.UserPrompt, 150)
		texts = append(texts, p.Text)
		raw = binary.AppendUvarint(raw, uint64(len(p.Text)))
	}
	return texts, append(raw, strings.Join(texts, "")...)
}

func BenchmarkWordsPack(b *testing.B) {
	texts, raw := benchmarkBlock()
	w := wordsOf(texts...)
	b.SetBytes(int64(len(raw)))
	var packed []byte
	for b.Loop() {
		packed = w.appendBlock(packed[:0], raw, 4)
	}
}

// BenchmarkWordsUnpack unpacks one text of four, as ranking does.
func BenchmarkWordsUnpack(b *testing.B) {
	texts, raw := benchmarkBlock()
	w := wordsOf(texts...)
	packed := w.appendBlock(nil, raw, 4)
	l := newWordList(w.section())
	var buf []byte
	b.SetBytes(int64(len(texts[2])))
	for b.Loop() {
		buf, _ = l.unpackDoc(buf, packed, 4, 2, len(raw))
	}
}
