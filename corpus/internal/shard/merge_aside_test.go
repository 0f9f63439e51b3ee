package shard

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"sync"
	"testing"

	"github.com/hansard-search/hansard/corpus/internal/postings"
	"github.com/hansard-search/hansard/surfaces"
)

// mergeBeside is MergeBytes with lists made by n goroutines.
func mergeBeside(n int, inputs []Input) ([]byte, error) {
	w, f := newMemoryWriter()
	m := newMerger(w, inputs)
	m.listers = nil
	for range n {
		m.listers = append(m.listers, &lister{m: m})
	}
	if _, err := w.seal(m.run()); err != nil {
		return nil, err
	}
	return f.Bytes(), nil
}

// manyInputs are two shards with more terms than a few batches hold.
func manyInputs(t *testing.T) []Input {
	docs := manyDocs(9000)
	for i := range docs {
		f := &docs[i].Fields[0]
		for j := range 3 {
			f.Terms = append(f.Terms, Term{Text: fmt.Sprint("own", i/(1+j), "of", j), Count: 1})
		}
	}
	return []Input{
		{Reader: build(t, docs[:5000]), GoneTurns: postings.FromSlice([]uint32{7, 300, 301})},
		{Reader: build(t, docs[5000:])},
	}
}

func TestMergeBesideGivesTheSameBytes(t *testing.T) {
	inputs := manyInputs(t)
	alone, err := mergeBeside(1, inputs)
	if err != nil {
		t.Fatal(err)
	}
	for n := 2; n < 6; n++ {
		if beside, err := mergeBeside(n, inputs); err != nil || !bytes.Equal(alone, beside) {
			t.Errorf("%d goroutines: %d bytes, %v; alone %d", n, len(beside), err, len(alone))
		}
	}
}

// Damage that another goroutine finds is told like any other.
func TestMergeBesideTellsDamage(t *testing.T) {
	inputs := manyInputs(t)
	data := bytes.Clone(inputs[0].Reader.m.data)
	lists := &inputs[0].Reader.surface(surfaces.UserPrompt).terms
	parts, err := lists.load()
	if err != nil || len(parts) < 2 {
		t.Fatal(len(parts), err)
	}
	data[parts[1].lists.off+parts[1].lists.len/2] ^= 1
	r, err := OpenBytes(data)
	if err != nil {
		t.Fatal(err)
	}
	inputs[0].Reader = r
	if _, err := mergeBeside(3, inputs); !errors.Is(err, ErrDamaged) {
		t.Errorf("got %v", err)
	}
}

// A fault in the map of a file that shrinks is the caller's, whichever goroutine
// reads it.
func TestAsideFaults(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	if err := os.WriteFile(path, build(t, manyDocs(500)).m.data, 0o600); err != nil {
		t.Fatal(err)
	}
	r := openFile(t, path)
	if err := os.Truncate(path, 0); err != nil {
		t.Fatal(err)
	}
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		fault, ok := recover().(interface{ Addr() uintptr })
		if !ok || !r.Holds(fault.Addr()) {
			t.Errorf("no fault in the file: %v", fault)
		}
	}()
	side := newAside()
	var other sync.WaitGroup
	other.Go(func() {
		err := side.do(func() error { _, err := r.Key(Turn, 3); return err })
		if err == nil {
			t.Error("no error beside the caller")
		}
	})
	other.Wait()
	side.rethrow()
	t.Error("no panic")
}
