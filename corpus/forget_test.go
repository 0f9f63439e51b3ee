package corpus

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hansard-search/hansard/corpus/internal/published"
	"github.com/hansard-search/hansard/corpus/internal/shard"
	"github.com/hansard-search/hansard/sources"
)

// holding lists the files of a corpus in which a word stands: as it is, in
// what is stored compressed, or among the terms.
func holding(t *testing.T, dir, word string) (found []string) {
	t.Helper()
	for _, f := range indexFiles(t, dir) {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(b, []byte(word)) {
			found = append(found, f)
		}
	}
	c, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for _, v := range c.cur.Views { // gone documents too
		for k, n := range []int{v.Len(0), v.Len(1)} {
			for doc := range n {
				s, err := readRaw(shard.Kind(k), published.Ref{View: v, Doc: uint32(doc)})
				if err != nil {
					t.Fatal(err)
				}
				if strings.Contains(fmt.Sprint(s.passages)+string(s.meta)+string(s.messages), word) {
					found = append(found, fmt.Sprintf("%s, document %d of kind %d", v.Name, doc, k))
				}
			}
		}
	}
	return found
}

func (b *bench) forget(f Forgetting) (*Removal, error) {
	ix := b.indexer()
	defer ix.Close()
	return ix.Forget(b.t.Context(), f)
}

// TestForgetLeavesNothing: a forgotten session is in no file and in no answer,
// and stays away, from a run that reads everything again too.
func TestForgetLeavesNothing(t *testing.T) {
	b := newBench(t)
	b.src.AppendRecords("secretsession", pair("s1", "plughword of mine", "answered with xyzzyword", 0), pair("s2", "more plughword", "yes", 1))
	b.src.Append(sources.Info{Session: "secretsession"}, sources.Event{Kind: sources.Title, Rank: 4, Text: "plughword title"})
	b.src.AppendRecords("other", pair("o1", "something else", "yes", 2))
	b.sync()
	b.src.AppendRecords("secretsession", pair("s3", "plughword at last", "", 3))
	b.sync()
	b.src.Append(sources.Info{Session: "secretsession"}, sources.Event{Kind: sources.AssistantText, Text: "xyzzyword again", Time: began})
	b.sync()
	if len(holding(t, b.dir, "secretsession")) == 0 || len(holding(t, b.dir, "plughword")) == 0 {
		t.Fatal("the test finds nothing in files in which it is")
	}
	rep, err := b.forget(Forgetting{Sessions: []string{"secretse"}})
	if err != nil || rep.Turns != 3 || len(rep.Sessions) != 1 || rep.Bytes <= 0 {
		t.Errorf("forgotten: %+v %v", rep, err)
	}
	b.src.AppendRecords("secretsession", pair("s4", "plughword even later", "yes", 4))
	for _, opts := range []SyncOptions{{}, {Full: true}} {
		for _, word := range []string{"plughword", "xyzzyword", "secretsession"} {
			if found := holding(t, b.dir, word); len(found) > 0 {
				t.Errorf("%s is in %v", word, found)
			}
		}
		if got := b.turns(Filter{}); !slices.Equal(got, []string{"o1"}) {
			t.Errorf("turns: %v", got)
		}
		opens := b.src.Opens()
		b.syncWith(opts)
		if n := b.src.Opens() - opens; !opts.Full && n > 0 {
			t.Errorf("%d transcripts were opened", n)
		}
	}
	noOrphans(t, b.dir, "after forgetting")
	if _, err := b.forget(Forgetting{Sessions: []string{"unknown-session"}}); !errors.Is(err, ErrNotFound) {
		t.Errorf("forgetting what nobody knows: %v", err)
	}
}

// TestForgetProject: new sessions of a forgotten project stay away too.
func TestForgetProject(t *testing.T) {
	b := newBench(t)
	in := func(id, cwd string, n int) sources.Record {
		r := pair(id, "question "+id, "answer", n)
		r.Cwd = cwd
		return r
	}
	b.src.AppendRecords("a", in("a1", "/home/u/hidden", 0))
	b.src.AppendRecords("b", in("b1", "/home/u/shown", 1))
	b.sync()
	if _, err := b.forget(Forgetting{Projects: []string{"hidden"}}); err != nil {
		t.Fatal(err)
	}
	b.src.AppendRecords("c", in("c1", "/home/u/hidden", 2))
	b.sync()
	opens := b.src.Opens()
	b.sync()
	if b.src.Opens() != opens {
		t.Error("a new session of a forgotten project is opened again and again")
	}
	if got := b.turns(Filter{}); !slices.Equal(got, []string{"b1"}) {
		t.Errorf("turns: %v", got)
	}
	if found := holding(t, b.dir, "hidden"); len(found) > 0 {
		t.Errorf("the project's name is in %v", found)
	}
}

// TestForgetKeepsCopies: a copied turn stays in the session that is not
// forgotten, as an index that never saw the other has it.
func TestForgetKeepsCopies(t *testing.T) {
	for _, vanished := range []bool{false, true} {
		b := newBench(t)
		shared := pair("t1", "asked in both", "the answer", 0)
		b.src.AppendRecords("main", shared)
		b.src.Append(sources.Info{Session: "main"}, sources.Event{Kind: sources.AssistantText, Text: "said in main alone", Time: began})
		b.src.AppendRecords("fork", shared, pair("t2", "in the fork", "yes", 2))
		b.sync()
		if vanished {
			b.src.Remove("memory:fork")
			b.sync()
		}
		if _, err := b.forget(Forgetting{Sessions: []string{"main"}}); err != nil {
			t.Fatal(err)
		}
		b.sync()
		if got := b.turns(Filter{}); !slices.Equal(got, []string{"t1", "t2"}) {
			t.Errorf("vanished %v: turns %v", vanished, got)
		}
		r, err := b.open().Turn(t.Context(), "t1")
		if err != nil || !slices.Equal(r.Places, []string{"fork"}) {
			t.Errorf("vanished %v: %v %v", vanished, r, err)
		}
		// What only the forgotten session said is gone, unless nothing else says
		// what both said.
		if found := holding(t, b.dir, "said in main alone"); len(found) > 0 != vanished {
			t.Errorf("vanished %v: what main alone said is in %v", vanished, found)
		}
	}
}

// TestPrune: what is pruned leaves the disk, and nothing else does.
func TestPrune(t *testing.T) {
	b := newBench(t)
	for i := range 10 {
		b.src.AppendRecords(fmt.Sprintf("s%d", i), pair(fmt.Sprintf("t%d", i), fmt.Sprintf("word%dword", i), "yes", i*24*60))
	}
	b.src.AppendRecords("s9", pair("t1", "word1word", "yes", 24*60)) // a copy
	b.sync()
	prune := func(p Pruning) *Removal {
		t.Helper()
		ix := b.indexer()
		defer ix.Close()
		rep, err := ix.Prune(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		return rep
	}
	old := Pruning{Before: began.AddDate(0, 0, 3).Add(-1), DryRun: true}
	before := dumpOrNone(t, b.dir)
	if rep := prune(old); len(rep.Sessions) != 3 || rep.Turns != 2 || !rep.DryRun || dumpOrNone(t, b.dir) != before {
		t.Errorf("dry: %+v", rep)
	}
	if rep := prune(Pruning{}); len(rep.Sessions) != 0 {
		t.Errorf("nothing was asked for, and pruned is %+v", rep)
	}
	old.DryRun = false
	if rep := prune(old); rep.Turns != 2 {
		t.Errorf("pruned: %+v", rep)
	}
	if got := b.turns(Filter{}); len(got) != 8 || slices.Contains(got, "t0") || !slices.Contains(got, "t1") {
		t.Errorf("turns: %v", got)
	}
	if found := holding(t, b.dir, "word2word"); len(found) > 0 {
		t.Errorf("what was pruned is in %v", found)
	}
	if rep := b.sync(); rep.Added != 0 {
		t.Errorf("the run after pruning: %+v", rep)
	}
	checkCorpus(t, b.dir)
	if rep := prune(Pruning{MaxBytes: sizeOf(b.open().cur.Manifest.Shards) / 2}); len(rep.Sessions) == 0 || rep.Sessions[0].SessionID == "s9" {
		t.Errorf("to half the size: %+v", rep)
	}
	if rep := b.syncWith(SyncOptions{Full: true}); rep.Turns != 10 {
		t.Errorf("reading everything again: %+v", rep)
	}
}

// TestRemovalIsAllOrNothing breaks each write point of Forget once.
func TestRemovalIsAllOrNothing(t *testing.T) {
	b := benchOf(t, 60)
	before := dumpOrNone(t, b.dir)
	after := ""
	for n := 0; ; n++ {
		c := bench{t: t, dir: copyDir(t, b.dir), src: b.src, cfg: b.cfg}
		c.cfg.Dir = c.dir
		ix, err := OpenIndexer(t.Context(), c.cfg)
		if err != nil {
			t.Fatal(err)
		}
		fault := faulty(n)
		ix.fsys = fault
		_, err = ix.Forget(t.Context(), Forgetting{Sessions: []string{"s3"}})
		got := dumpOrNone(t, c.dir)
		switch {
		case n == 0:
			after = got
		case got != before && got != after, err == nil && got != after:
			t.Fatalf("step %d: %v:\n%s", n, err, got)
		}
		ix.Close()
		checkCorpus(t, c.dir)
		os.RemoveAll(c.dir)
		if n > 0 && !fault.Failed() {
			break
		}
	}
	if strings.Contains(after, filepath.Base("memory:s3")) {
		t.Error("nothing was forgotten")
	}
}
