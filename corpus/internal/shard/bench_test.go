package shard

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hansard-search/hansard/corpus/internal/signal"
	"github.com/hansard-search/hansard/surfaces"
)

// A writerText invents turns whose words are as often as words are: the n-th
// most common one 1/n times as often as the first, some only once.
type writerText struct {
	rnd   *rand.Rand
	words []string
}

func newWriterText(words int) *writerText {
	w := &writerText{rnd: rand.New(rand.NewPCG(7, 8))}
	for i := range words {
		w.words = append(w.words, fmt.Sprintf("%c%x", 'a'+i%26, i*2654435761%(1<<22)))
	}
	return w
}

func (w *writerText) word() string {
	if w.rnd.IntN(60) == 0 {
		return fmt.Sprintf("u%x", w.rnd.Uint64()) // an id: a new word
	}
	return w.words[int(math.Exp(w.rnd.Float64()*math.Log(float64(len(w.words)))))-1]
}

// field makes the text of n words, and its field.
func (w *writerText) field(s surfaces.Name, n int) (Passage, Field) {
	var text strings.Builder
	counts := map[string]uint32{}
	for range n {
		word := w.word()
		counts[word]++
		text.WriteString(word)
		text.WriteByte(' ')
	}
	f := Field{Surface: s, Length: uint32(n), Code: uint8(min(n, 255))}
	for word, c := range counts {
		f.Terms = append(f.Terms, Term{Text: word, Count: c})
	}
	return Passage{s, text.String()}, f
}

func (w *writerText) doc(i, words int) Doc {
	p1, f1 := w.field(surfaces.UserPrompt, words/4)
	p2, f2 := w.field(surfaces.AssistantSummary, words-words/4)
	return Doc{
		Key:     fmt.Sprintf("0fe553fc-e62a-4c1e-8ccc-%012x", i),
		Session: fmt.Sprintf("1ae553fc-e62a-4c1e-8ccc-%012x", i/12),
		Hash:    signal.Of(p1.Text), Created: int64(i) * 60_000, Updated: int64(i)*60_000 + 30_000,
		Passages: []Passage{p1, p2}, Fields: []Field{f1, f2},
		Meta:     []byte(fmt.Sprintf(`{"cwd":"/home/u/p%d","state":"final","places":[%d]}`, i%20, i)),
		Messages: []byte(p1.Text + p2.Text),
		Facets: []Facet{
			{"project", fmt.Sprint("p", i%20)}, {"day", fmt.Sprint(i / 100)}, {"tool", "Bash"}, {"lane", "main"},
			{"path", fmt.Sprintf("src/f%d.go", i%5000)},
		},
	}
}

// BenchmarkBuildOne makes the shard of one turn of about 1 KB, as growth does.
func BenchmarkBuildOne(b *testing.B) {
	w := newWriterText(50_000)
	d := w.doc(1, 160)
	s := Doc{Kind: Session, Key: d.Session, Session: d.Session, Hash: signal.Of("s")}
	b.ReportAllocs()
	size := 0
	for b.Loop() {
		out, err := Build(slices.Values([]Doc{d, s}))
		if err != nil {
			b.Fatal(err)
		}
		size = len(out)
	}
	text := len(d.Passages[0].Text) + len(d.Passages[1].Text)
	b.ReportMetric(float64(size), "bytes")
	b.ReportMetric(float64(text), "text-bytes")
}

// numbered gives the documents' terms by numbers, in the order in which they come.
func numbered(docs []Doc) {
	v, numbers := new(words), map[string]uint32{}
	for i := range docs {
		for j := range docs[i].Fields {
			f := &docs[i].Fields[j]
			for _, t := range f.Terms {
				if numbers[t.Text] == 0 {
					*v = append(*v, t.Text)
					numbers[t.Text] = uint32(len(*v))
				}
				f.Counts = append(f.Counts, Count{numbers[t.Text], t.Count})
			}
			f.Terms, f.Vocabulary = nil, v
		}
	}
}

// BenchmarkWriter writes 20,000 turns a round, of 1.2 KB each.
func BenchmarkWriter(b *testing.B) {
	w := newWriterText(200_000)
	docs := make([]Doc, 20_000)
	text := 0
	for i := range docs {
		docs[i] = w.doc(i, 200)
		text += len(docs[i].Messages)
	}
	b.Run("texts", func(b *testing.B) { benchmarkWriter(b, docs, text) })
	numbered(docs)
	b.Run("numbers", func(b *testing.B) { benchmarkWriter(b, docs, text) })
}

func benchmarkWriter(b *testing.B, docs []Doc, text int) {
	path := filepath.Join(b.TempDir(), "s")
	b.SetBytes(int64(text))
	for b.Loop() {
		w := NewWriter(path, Options{})
		for i := range docs {
			if _, err := w.Add(docs[i]); err != nil {
				b.Fatal(err)
			}
		}
		if _, err := w.Finish(); err != nil {
			b.Fatal(err)
		}
	}
}

// TestLargeShard builds four shards of as many turns in all as
// HANSARD_SHARD_TURNS says, merges them, and tells what that takes.
func TestLargeShard(t *testing.T) {
	var turns int
	if fmt.Sscan(os.Getenv("HANSARD_SHARD_TURNS"), &turns); turns == 0 {
		t.Skip("HANSARD_SHARD_TURNS is not set")
	}
	dir, text := t.TempDir(), newWriterText(500_000)
	var inputs []Input
	size := 0
	start := time.Now()
	for part := range 4 {
		path := filepath.Join(dir, fmt.Sprint(part))
		w := NewWriter(path, Options{})
		for i := part * turns / 4; i < (part+1)*turns/4; i++ {
			d := text.doc(i, 200)
			size += len(d.Messages)
			if _, err := w.Add(d); err != nil {
				t.Fatal(err)
			}
		}
		t.Logf("%d MB of text so far; the heap is %d MB, the writer says %d MB", size>>20, heapMB(), w.Memory()>>20)
		if _, err := w.Finish(); err != nil {
			t.Fatal(err)
		}
		inputs = append(inputs, Input{Reader: openFile(t, path)})
	}
	t.Logf("%v to invent, write and verify", time.Since(start))
	merged := filepath.Join(dir, "merged")
	start = time.Now()
	info, err := Merge(merged, Options{}, inputs)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%v to merge; heap %d MB", time.Since(start), heapMB())
	t.Logf("%+v", info)
	openFile(t, merged)
}

// heapMB is what is in use after a collection, in MB.
func heapMB() uint64 {
	runtime.GC()
	var mem runtime.MemStats
	runtime.ReadMemStats(&mem)
	return mem.HeapAlloc >> 20
}

// benchShard is a shard of 40,000 turns.
func benchShard(b *testing.B) *Reader {
	b.Helper()
	text := newWriterText(100_000)
	out, err := Build(func(yield func(Doc) bool) {
		for i := range 40_000 {
			if !yield(text.doc(i, 100)) {
				return
			}
		}
	})
	if err != nil {
		b.Fatal(err)
	}
	r, err := OpenBytes(out)
	if err != nil {
		b.Fatal(err)
	}
	return r
}

func BenchmarkReader(b *testing.B) {
	r := benchShard(b)
	n := uint32(r.Len(Turn))
	rnd := rand.New(rand.NewPCG(1, 2))
	b.Run("Find", func(b *testing.B) {
		for b.Loop() {
			key := fmt.Sprintf("0fe553fc-e62a-4c1e-8ccc-%012x", rnd.Uint32N(n))
			if _, ok, err := r.Find(Turn, key); !ok || err != nil {
				b.Fatal(ok, err)
			}
		}
	})
	b.Run("Postings", func(b *testing.B) {
		text := newWriterText(100_000)
		b.ReportAllocs()
		for b.Loop() {
			if _, _, err := r.Postings(surfaces.AssistantSummary, text.words[rnd.IntN(1000)]); err != nil {
				b.Fatal(err)
			}
		}
	})
	for _, word := range []int{0, 10, 100, 1000} {
		p, ok, err := r.Postings(surfaces.AssistantSummary, newWriterText(1001).words[word])
		if err != nil || !ok {
			b.Fatal(ok, err)
		}
		b.Run(fmt.Sprint("Decode/", p.Len()), func(b *testing.B) {
			b.ReportAllocs()
			var docs [BlockDocs]uint32
			var counts [BlockDocs]uint8
			for b.Loop() {
				for c := p.Blocks(); c.Next(); {
					c.Decode(&docs, &counts)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(p.Len()), "ns/doc")
		})
		b.Run(fmt.Sprint("Count/", p.Len()), func(b *testing.B) {
			for b.Loop() {
				p.Count(rnd.Uint32N(n))
			}
		})
	}
	b.Run("Passages", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := r.Passages(Turn, rnd.Uint32N(n)); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("Messages", func(b *testing.B) {
		for b.Loop() {
			if _, err := r.Messages(Turn, rnd.Uint32N(n)); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("Facet", func(b *testing.B) {
		for b.Loop() {
			if _, err := r.Facet(Turn, "project", "p7"); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkOpen opens a shard and looks one word up, with nothing checked yet.
func BenchmarkOpen(b *testing.B) {
	path := filepath.Join(b.TempDir(), "s")
	if err := os.WriteFile(path, benchShard(b).m.data, 0o600); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		r, err := Open(path)
		if err != nil {
			b.Fatal(err)
		}
		if _, _, err := r.Postings(surfaces.UserPrompt, "u7"); err != nil {
			b.Fatal(err)
		}
		r.Close()
	}
}

func BenchmarkMerge(b *testing.B) {
	text := newWriterText(100_000)
	var inputs []Input
	size := 0
	for i := range 10 {
		out, err := Build(func(yield func(Doc) bool) {
			for j := range 2000 {
				if !yield(text.doc(i*2000+j, 100)) {
					return
				}
			}
		})
		if err != nil {
			b.Fatal(err)
		}
		size += len(out)
		r, err := OpenBytes(out)
		if err != nil {
			b.Fatal(err)
		}
		inputs = append(inputs, Input{Reader: r})
	}
	path := filepath.Join(b.TempDir(), "s")
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Merge(path, Options{}, inputs); err != nil {
			b.Fatal(err)
		}
	}
}
