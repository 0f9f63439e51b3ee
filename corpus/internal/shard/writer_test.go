package shard

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hansard-search/hansard/corpus/internal/files"
	"github.com/hansard-search/hansard/corpus/internal/postings"
	"github.com/hansard-search/hansard/corpus/internal/signal"
	"github.com/hansard-search/hansard/surfaces"
)

func TestRefusedDocuments(t *testing.T) {
	field := func(s surfaces.Name, length uint32, terms ...Term) []Field {
		return []Field{{Surface: s, Length: length, Terms: terms}}
	}
	ok := Doc{Key: "k", Session: "s"}
	for name, docs := range map[string][]Doc{
		"kind":            {{Kind: 2, Key: "k"}},
		"key twice":       {ok, ok},
		"unknown surface": {{Key: "k", Fields: field("nothing", 1)}},
		"unknown passage": {{Key: "k", Passages: []Passage{{"nothing", "text"}}}},
		"session surface": {{Key: "k", Fields: field(surfaces.SessionTitle, 1)}},
		"turn surface":    {{Kind: Session, Key: "k", Fields: field(surfaces.UserPrompt, 1)}},
		"surface twice":   {{Key: "k", Fields: append(field(surfaces.UserPrompt, 1), field(surfaces.UserPrompt, 1)...)}},
		"no length":       {{Key: "k", Fields: field(surfaces.UserPrompt, 0, Term{Text: "a", Count: 1})}},
		"no term":         {{Key: "k", Fields: field(surfaces.UserPrompt, 1, Term{Text: "", Count: 1})}},
		"no count":        {{Key: "k", Fields: field(surfaces.UserPrompt, 1, Term{Text: "a", Count: 0})}},
		"term twice":      {{Key: "k", Fields: field(surfaces.UserPrompt, 2, Term{Text: "a", Count: 1}, Term{Text: "a", Count: 1})}},
		"facet name":      {{Key: "k", Facets: []Facet{{"a\x00b", "c"}}}},
	} {
		if _, err := Build(slices.Values(docs)); !errors.Is(err, ErrDocument) {
			t.Errorf("%s: %v", name, err)
		}
	}
	// The same key in two kinds is no clash, nor is an empty field.
	docs := []Doc{ok, {Kind: Session, Key: "k", Session: "k"}, {Key: "l", Fields: field(surfaces.UserPrompt, 0)}}
	if _, err := Build(slices.Values(docs)); err != nil {
		t.Error(err)
	}
}

func TestErrorsStick(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	w := NewWriter(path, Options{})
	if _, err := w.Add(Doc{Kind: 3}); err == nil {
		t.Fatal("no error")
	}
	if _, err := w.Add(Doc{Key: "good"}); !errors.Is(err, ErrDocument) {
		t.Errorf("add after an error: %v", err)
	}
	if _, err := w.Finish(); !errors.Is(err, ErrDocument) {
		t.Errorf("finish after an error: %v", err)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the file is still there: %v", err)
	}
	w.Abort()
}

// Every step of writing can fail; then there is an error and no file, or none
// and a whole one.
func TestWriteFaults(t *testing.T) {
	docs := manyDocs(600)
	for _, merging := range []bool{false, true} {
		in := []Input{{Reader: build(t, docs)}}
		for step := 1; ; step++ {
			path := filepath.Join(t.TempDir(), "s")
			fs := &files.Faulty{At: step}
			var err error
			if merging {
				_, err = Merge(path, Options{FS: fs}, in)
			} else {
				err = writeAll(path, fs, docs)
			}
			if !fs.Failed() {
				if err != nil {
					t.Fatal(err)
				}
				break
			}
			if _, statErr := os.Stat(path); err == nil || statErr == nil {
				t.Errorf("merge %v, step %d: error %v, file %v", merging, step, err, statErr == nil)
			}
		}
	}
}

func writeAll(path string, fs files.FS, docs []Doc) error {
	w := NewWriter(path, Options{FS: fs})
	defer w.Abort()
	for _, d := range docs {
		if _, err := w.Add(d); err != nil {
			return err
		}
	}
	_, err := w.Finish()
	return err
}

// The same documents give the same bytes, in memory and in a file.
func TestSameBytes(t *testing.T) {
	docs := manyDocs(600)
	a, err := Build(slices.Values(docs))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "s")
	if err := writeAll(path, nil, docs); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(a, b) {
		t.Error("two shards of the same documents differ")
	}
}

// A shard of one turn is small: it is what growth writes.
func TestSmallShard(t *testing.T) {
	d := newWriterText(1000).doc(1, 160)
	s := Doc{Kind: Session, Key: d.Session, Session: d.Session, Hash: signal.Of("s")}
	b, err := Build(slices.Values([]Doc{d, s}))
	if err != nil {
		t.Fatal(err)
	}
	text := len(d.Passages[0].Text) + len(d.Passages[1].Text) + len(d.Messages) + len(d.Meta)
	if over := len(b) - text; over > 2500 {
		t.Errorf("%d bytes for %d of text", len(b), text)
	}
	empty, err := Build(slices.Values([]Doc(nil)))
	if err != nil || len(empty) > 100 {
		t.Errorf("%d bytes for nothing, %v", len(empty), err)
	}
}

func TestKeys(t *testing.T) {
	for _, key := range []string{
		"", "k", "0fe553fc-e62a-4c1e-8ccc-9e67ef72c414", "0FE553FC-E62A-4C1E-8CCC-9E67EF72C414",
		"0fe553fc-e62a-4c1e-8ccc-9e67ef72c414:2", "0fe553fc-e62a-4c1e-8ccc--e67ef72c414", "\x00",
		"0fe553fce-62a-4c1e-8ccc-9e67ef72c414", "ffffffff-ffff-ffff-ffff-fffffffffffg", strings.Repeat("-", 36),
	} {
		b := appendKey(nil, key)
		if got, ok := keyString(b); !ok || got != key {
			t.Errorf("key %q is stored as %x and read as %q, %v", key, b, got, ok)
		}
	}
	if b := appendKey(nil, "0fe553fc-e62a-4c1e-8ccc-9e67ef72c414"); len(b) != 17 {
		t.Errorf("a UUID takes %d bytes", len(b))
	}
	for _, b := range [][]byte{nil, {0}, {2, 1}, make([]byte, 18)} {
		if s, ok := keyString(b); ok {
			t.Errorf("%x is read as key %q", b, s)
		}
	}
}

// termsOf are enough to need several parts.
func termsOf(n int) []string {
	var terms []string
	for i := range n {
		terms = append(terms, "w"+strings.Repeat("x", i%3)+string(rune('a'+i%26))+string(rune('a'+i/26%26))+string(rune('a'+i/676)))
	}
	slices.Sort(terms)
	return slices.Compact(terms)
}

func TestMatch(t *testing.T) {
	terms := append(termsOf(3*partTerms), "retry", "retries", "retyr", "überzeugung")
	slices.Sort(terms)
	d := Doc{Key: "k", Fields: []Field{{Surface: surfaces.UserPrompt, Length: uint32(len(terms))}}}
	for _, w := range terms {
		d.Fields[0].Terms = append(d.Fields[0].Terms, Term{Text: w, Count: 1})
	}
	r := build(t, []Doc{d, {Key: "l", Fields: []Field{{Surface: surfaces.UserPrompt, Length: 1, Terms: []Term{{Text: "retry", Count: 1}}}}}})
	fuzzy := func(term string, distance int) *Matcher {
		m, err := Fuzzy(term, distance)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	for _, test := range []struct {
		name string
		m    *Matcher
		want func(string) bool
	}{
		{"all", Prefix(""), func(string) bool { return true }},
		{"prefix w", Prefix("w"), func(s string) bool { return strings.HasPrefix(s, "w") }},
		{"prefix wxa", Prefix("wxa"), func(s string) bool { return strings.HasPrefix(s, "wxa") }},
		{"prefix \xff", Prefix("\xff"), func(s string) bool { return false }},
		{"prefix ü", Prefix("ü"), func(s string) bool { return s == "überzeugung" }},
		{"fuzzy 1", fuzzy("retry", 1), func(s string) bool { return s == "retry" || s == "retyr" }},
		{"fuzzy 2", fuzzy("uberzeigung", 2), func(s string) bool { return s == "überzeugung" }},
		{"fuzzy none", fuzzy("nothing", 1), func(s string) bool { return false }},
	} {
		var got, want []string
		err := r.Match(surfaces.UserPrompt, test.m, func(term string, docs int) bool {
			if (docs == 2) != (term == "retry") {
				t.Errorf("%s: %d documents have %q", test.name, docs, term)
			}
			got = append(got, term)
			return true
		})
		for _, w := range terms {
			if test.want(w) {
				want = append(want, w)
			}
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %d terms, want %d; %v", test.name, len(got), len(want), err)
		}
	}
	stopped := 0
	if err := r.Match(surfaces.UserPrompt, Prefix(""), func(string, int) bool { stopped++; return stopped < 3 }); err != nil || stopped != 3 {
		t.Errorf("a walk that is stopped after 3 terms: %d, %v", stopped, err)
	}
	for _, w := range terms {
		if p, ok, err := r.Postings(surfaces.UserPrompt, w); err != nil || !ok || p.Len() < 1 {
			t.Fatalf("postings of %q: %v, %v", w, ok, err)
		}
	}
	if _, ok, err := r.Postings(surfaces.UserPrompt, "wa"); ok || err != nil {
		t.Errorf("postings of a prefix: %v, %v", ok, err)
	}
}

func TestBadPatterns(t *testing.T) {
	for _, distance := range []int{0, 3, -1} {
		if _, err := Fuzzy("word", distance); !errors.Is(err, ErrPattern) {
			t.Errorf("distance %d: %v", distance, err)
		}
	}
}

func TestUnionLen(t *testing.T) {
	docs := manyDocs(12_000)
	r := build(t, docs)
	var lists []Postings
	for _, term := range []string{"t1", "t2", "b3", "t256", "b257", "t300", "t5000", "b5000", "all"} {
		p, ok, err := r.Postings(surfaces.UserPrompt, term)
		if err != nil || !ok {
			t.Fatal(term, err)
		}
		lists = append(lists, p)
	}
	lists = append(lists, Postings{})
	for i := range lists {
		for j := range lists {
			want := postings.Or(lists[i].Set(), lists[j].Set()).Len()
			if got := UnionLen(&lists[i], &lists[j]); got != want {
				t.Errorf("lists %d and %d: %d, want %d", i, j, got, want)
			}
		}
	}
}

func TestSeek(t *testing.T) {
	r := build(t, manyDocs(70_000))
	for _, term := range []string{"t3", "t256", "b256", "t1000", "b5000", "t35001", "all"} {
		p, _, err := r.Postings(surfaces.UserPrompt, term)
		if err != nil {
			t.Fatal(err)
		}
		docs := p.Set().Slice()
		for _, step := range []uint32{0, 1, 2, 3, 4, 7, 14, 15, 16} {
			c := p.Blocks()
			for block := uint32(0); ; block = c.Block + 1 + step {
				ok := c.Seek(block)
				at, _ := slices.BinarySearch(docs, block<<BlockShift)
				if ok != (at < len(docs)) {
					t.Fatalf("%s: seek %d: %v", term, block, ok)
				}
				if !ok {
					break
				}
				var buf [BlockDocs]uint32
				var counts, want [BlockDocs]uint8
				n := c.Decode(&buf, &counts)
				if n != c.Docs || !slices.Equal(buf[:n], docs[at:at+n]) || !c.Seek(c.Block) {
					t.Fatalf("%s: block %d has %d documents", term, c.Block, n)
				}
				plain := p.Blocks()
				for plain.Next() && plain.Block < c.Block {
				}
				if plain.Decode(&buf, &want); counts != want {
					t.Fatalf("%s: counts of block %d", term, c.Block)
				}
			}
			if c.Next() {
				t.Fatal("a block after the last")
			}
		}
	}
}
