package shard

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestNext: a writer in the memory of another makes the bytes that any makes.
func TestNext(t *testing.T) {
	_, few := numberedDocs(40, 500, 25)
	_, many := numberedDocs(3*maxWaiting/200, 250, 1000)
	for i := range few {
		few[i].Kind, few[i].Session = Turn, few[i].Key
	}
	var w *Writer
	for i, docs := range [][]Doc{few, vocabularyDocs(1, 900), many, manyDocs(600), few, vocabularyDocs(2, 2400), vocabularyDocs(1, 900), many} {
		want, err := Build(slices.Values(docs))
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "s")
		if w == nil {
			w = NewWriter(path, Options{})
		} else {
			w = w.Next(path, Options{})
		}
		for _, d := range docs {
			if _, err := w.Add(d); err != nil {
				t.Fatal(err)
			}
			w.Full(1 << 20)
		}
		if _, err := w.Finish(); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, want) {
			t.Errorf("shard %d: %d bytes, %d of a writer of its own; %v", i, len(got), len(want), err)
		}
	}
}

// What an earlier shard took is given up where it would come on top.
func TestNextGivesUp(t *testing.T) {
	_, many := numberedDocs(3*maxWaiting/200, 250, 1<<30)
	dir := t.TempDir()
	w := NewWriter(filepath.Join(dir, "a"), Options{})
	for _, d := range many {
		if _, err := w.Add(d); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.Finish(); err != nil {
		t.Fatal(err)
	}
	w = w.Next(filepath.Join(dir, "b"), Options{})
	spare := func() (n int64) {
		for x := range w.lexicons {
			n += x.pool.spare()
		}
		return n
	}
	before := spare()
	if before == 0 {
		t.Fatal("the next writer has no memory of the last one")
	}
	if w.Full(1<<40) || spare() != before {
		t.Error("memory is given up below the limit")
	}
	if w.Full(w.Memory() + before/2); spare() != 0 {
		t.Errorf("%d bytes are kept beyond the limit", spare())
	}
}
