package shard

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/hansard-search/hansard/corpus/internal/postings"
	"github.com/hansard-search/hansard/surfaces"
)

// What a translation makes of any bytes unpacks to what they unpack to; bytes that
// do not unpack are told.
func TestTranslation(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		words := rapid.SliceOfNDistinct(rapid.StringMatching(` ?[a-z]{1,9}`), 1, 400, rapid.ID[string])
		from, to := words.Draw(rt, "from"), words.Draw(rt, "to")
		there, here := wordsOf(), wordsOf()
		for _, w := range from {
			k := keyOf([]byte(w), len(w))
			there.table.add(k, k.hash())
		}
		for _, w := range to {
			k := keyOf([]byte(w), len(w))
			here.table.add(k, k.hash())
		}
		list := &wordList{}
		if s := there.section(); s != nil {
			list = newWordList(s)
		}
		tr := &translation{from: list, to: make([]packedWord, len(list.words))}
		for v := range tr.to {
			tr.find(here, uint32(v))
		}
		for range 4 {
			var p []byte
			if rapid.Bool().Draw(rt, "packed") {
				p = there.pack(nil, []byte(strings.Join(rapid.SliceOf(rapid.SampledFrom(slices.Concat(from, to))).Draw(rt, "text"), "")))
				if len(there.table.keys) != len(list.words) {
					rt.Skip("the text gave a word a number")
				}
			} else {
				p = rapid.SliceOfN(rapid.Byte(), 0, 20).Draw(rt, "bytes")
			}
			b := new(passageBatch)
			size, ok := tr.pack(b, p)
			b.endDoc(size)
			out := here.packParts(nil, b, 0, b.parts)
			want, unpacks := list.unpack(nil, size, p)
			if ok != unpacks {
				rt.Fatalf("%x: translated %v, unpacked %v", p, ok, unpacks)
			}
			if !ok {
				continue
			}
			l := &wordList{}
			if s := here.section(); s != nil {
				l = newWordList(s)
			}
			if got, ok := l.unpack(nil, size, out); !ok || !bytes.Equal(got, want) {
				rt.Fatalf("%x: %q, want %q", p, got, want)
			}
		}
	})
}

// vocabularyDocs makes turns with some text of a vocabulary's words.
func vocabularyDocs(vocabulary, n int) []Doc {
	rnd := rand.New(rand.NewPCG(uint64(vocabulary), 1))
	docs := make([]Doc, n)
	for i := range docs {
		var text []byte
		for range 120 {
			text = fmt.Appendf(text, " %c%d", 'a'+rnd.IntN(2)*vocabulary, int(rnd.ExpFloat64()*400))
		}
		if i == n/2 {
			text = bytes.Repeat([]byte(fmt.Sprint(" unheard", vocabulary)), 400)
		}
		docs[i] = Doc{
			Key: fmt.Sprint(vocabulary, "k", i), Session: fmt.Sprint(vocabulary, "s", i/9), Created: int64(i),
			Passages: []Passage{{surfaces.UserPrompt, "a prompt"}, {surfaces.UserPrompt, string(text)}},
		}
	}
	return docs
}

// A merge takes packed passages over, with the words of the input that has most,
// and nothing of a document that is left out.
func TestMergeTakesWordsOver(t *testing.T) {
	for _, test := range []struct {
		name string
		gone []int // inputs of which a document is left out
	}{{"all", nil}, {"gone from the largest", []int{1}}, {"gone from others", []int{0, 2, 3}}} {
		t.Run(test.name, func(t *testing.T) {
			var inputs []Input
			var left []Doc
			for i, n := range []int{900, 2400, 800, 40} { // the last is too short for words
				docs := vocabularyDocs(i+1, n)
				in := Input{Reader: build(t, docs)}
				if slices.Contains(test.gone, i) {
					in.GoneTurns = postings.FromSlice([]uint32{uint32(n / 2)})
					docs = slices.Delete(docs, n/2, n/2+1)
				}
				left = append(left, docs...)
				inputs = append(inputs, in)
			}
			merged := mergeBytes(t, inputs)
			equalDump(t, merged, model(left))
			for i := range inputs {
				gone := slices.Contains(test.gone, i)
				if has := bytes.Contains(merged.m.data, []byte(fmt.Sprint("unheard", i+1))); has == gone {
					t.Errorf("the word of input %d is there: %v", i, has)
				}
			}
			kept := wordsOfReader(t, merged)
			seed := wordsOfReader(t, inputs[1].Reader)
			if same := len(kept) >= len(seed) && slices.Equal(kept[:len(seed)], seed); same == slices.Contains(test.gone, 1) {
				t.Errorf("the words of the largest input begin those of the merged shard: %v", same)
			}
			if beside, err := mergeBeside(3, inputs); err != nil || !bytes.Equal(beside, merged.m.data) {
				t.Errorf("three goroutines make other bytes: %d and %d, %v", len(beside), len(merged.m.data), err)
			}
			// Merged once more it stays as it is.
			again := mergeBytes(t, []Input{{Reader: merged}})
			equalDump(t, again, model(left))
			if !slices.Equal(wordsOfReader(t, again), kept) {
				t.Error("a shard merged alone has other words")
			}
		})
	}
}

func wordsOfReader(t *testing.T, r *Reader) (words []string) {
	l, err := r.words.words(r.m)
	if err != nil {
		t.Fatal(err)
	}
	for v := range l.words {
		words = append(words, string(l.key(uint32(v)).append(nil)))
	}
	return words
}
