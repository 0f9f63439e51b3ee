package search_test

import (
	"testing"
	"time"

	"github.com/hansard-search/hansard/corpus"
	"github.com/hansard-search/hansard/corpus/internal/search"
	"github.com/hansard-search/hansard/sources"
)

// TestMain lets the tests of the package's insides make corpora, which they cannot do
// themselves: package corpus imports what they test.
func TestMain(m *testing.M) {
	search.Index = index
	m.Run()
}

// index brings the corpus in dir up to date with what src tells, and checks it.
func index(t testing.TB, dir string, src sources.Source, now time.Time) {
	t.Helper()
	ix, err := corpus.OpenIndexer(t.Context(), corpus.Config{Dir: dir, Name: "test", Sources: []sources.Source{src}, Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ix.Sync(t.Context(), corpus.SyncOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := ix.Close(); err != nil {
		t.Fatal(err)
	}
	c, err := corpus.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	rep, err := c.Check(t.Context())
	if err != nil || len(rep.Problems) > 0 {
		t.Fatalf("check: %v, %v", err, rep)
	}
}
