package corpus

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hansard-search/hansard/sources"
)

// began is the moment at which invented sessions begin.
var began = time.Date(2026, 10, 1, 9, 0, 0, 0, time.UTC)

// bench is a corpus under test with the source that feeds it. It is checked
// when the test ends.
type bench struct {
	t   testing.TB
	dir string
	src *sources.Memory
	cfg Config
	par Params
}

func newBench(t testing.TB) *bench {
	b := &bench{t: t, dir: t.TempDir(), src: new(sources.Memory)}
	b.cfg = Config{Dir: b.dir, Name: "test", Sources: []sources.Source{b.src}, Now: func() time.Time { return began.AddDate(0, 1, 0) }}
	t.Cleanup(func() { checkCorpus(t, b.dir) })
	return b
}

// checkCorpus fails the test when the corpus in dir breaks an invariant.
func checkCorpus(t testing.TB, dir string) {
	t.Helper()
	c, err := Open(dir)
	if err != nil {
		return // never indexed, or damaged on purpose
	}
	defer c.Close()
	rep, err := c.Check(context.Background()) // the test's own ends before cleanups run
	if err != nil {
		t.Errorf("check: %v", err)
		return
	}
	for _, p := range rep.Problems {
		t.Errorf("check: %s: %s: %s", p.File, p.Kind, p.Detail)
	}
}

// sync indexes once, in a process of its own as it were.
func (b *bench) sync() *Report {
	b.t.Helper()
	return b.syncWith(SyncOptions{Params: b.par})
}

func (b *bench) syncWith(opts SyncOptions) *Report {
	b.t.Helper()
	ix, err := OpenIndexer(b.t.Context(), b.cfg)
	if err != nil {
		b.t.Fatal(err)
	}
	defer func() {
		if err := ix.Close(); err != nil {
			b.t.Error(err)
		}
	}()
	rep, err := ix.Sync(b.t.Context(), opts)
	if err != nil {
		b.t.Fatal(err)
	}
	return rep
}

// indexer opens the writer, for the caller to close.
func (b *bench) indexer() *Indexer {
	b.t.Helper()
	ix, err := OpenIndexer(b.t.Context(), b.cfg)
	if err != nil {
		b.t.Fatal(err)
	}
	return ix
}

// open opens the corpus, until the test ends.
func (b *bench) open() *Corpus {
	b.t.Helper()
	c, err := Open(b.dir)
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { c.Close() })
	return c
}

// dump is all that a corpus says of its turns and sessions, as text.
func dump(t testing.TB, c *Corpus) string {
	t.Helper()
	var out strings.Builder
	for r, err := range c.Export(t.Context(), Filter{}) {
		if err != nil {
			t.Fatal(err)
		}
		full, err := c.Turn(t.Context(), r.TurnID)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(&out, asJSON(t, full))
	}
	list, err := c.Sessions(t.Context(), Filter{}, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range list.Sessions {
		fmt.Fprintln(&out, asJSON(t, s))
	}
	return out.String()
}

// asJSON is a value as JSON, on one line.
func asJSON(t testing.TB, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// turns lists the ids of the turns that pass.
func (b *bench) turns(f Filter) []string {
	b.t.Helper()
	ids := []string{}
	for r, err := range b.open().Export(b.t.Context(), f) {
		if err != nil {
			b.t.Fatal(err)
		}
		ids = append(ids, r.TurnID)
	}
	slices.Sort(ids)
	return ids
}

// pair is an invented turn, the n-th minute after began.
func pair(id, prompt, answer string, n int) sources.Record {
	return sources.Record{ID: id, Prompt: prompt, Answer: answer, Time: began.Add(time.Duration(n) * time.Minute), Cwd: "/home/u/api", Model: "m-1"}
}
