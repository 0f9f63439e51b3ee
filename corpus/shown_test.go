package corpus

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hansard-search/hansard/corpus/internal/published"
	"github.com/hansard-search/hansard/corpus/internal/shard"
	"github.com/hansard-search/hansard/corpus/internal/stored"
	"github.com/hansard-search/hansard/sources"
)

// TestShownTurns: what is remembered of a turn is of that turn, also where turns of
// several shards fall into one place, and not of large ones.
func TestShownTurns(t *testing.T) {
	b := newBench(t)
	for n, some := range []int{2500, 7, 7} {
		for i := range some {
			cwd := "/w"
			if i == 3 {
				cwd = "/" + strings.Repeat("w", shownBytes)
			}
			b.src.AppendRecords(fmt.Sprintf("s%d-%d", n, i%9), sources.Record{ID: fmt.Sprintf("t%d-%d", n, i), Prompt: fmt.Sprint("ask ", n, i), Cwd: cwd})
		}
		b.sync()
	}
	s, err := b.open().acquire()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Release()
	var shown shownTurns
	again, large := 0, 0
	for range 2 {
		for _, v := range s.Views {
			for doc := range uint32(v.Len(shard.Turn)) {
				want, size, err := published.Ref{View: v, Doc: doc}.SizedTurn()
				if err != nil {
					t.Fatal(err)
				}
				var got [2]*stored.Turn
				for i := range got {
					if got[i], err = shown.meta(published.Ref{View: v, Doc: doc}); err != nil {
						t.Fatal(err)
					}
					if diff := cmp.Diff(want, got[i]); diff != "" {
						t.Fatalf("turn %d of %s: %s", doc, v.Name, diff)
					}
				}
				if kept := size <= shownBytes; kept != (got[0] == got[1]) {
					t.Fatalf("turn %d of %s, remembered: %v", doc, v.Name, !kept)
				} else if kept {
					again++
				} else {
					large++
				}
			}
		}
	}
	if again == 0 || large == 0 {
		t.Errorf("%d were remembered, %d are large", again, large)
	}
}

// TestShownTurnsKeepNoShard: a shard that is closed is not kept by what is remembered
// of its turns.
func TestShownTurnsKeepNoShard(t *testing.T) {
	b := newBench(t)
	b.src.AppendRecords("s", sources.Record{ID: "t", Prompt: "ask", Cwd: "/w"})
	b.sync()
	var shown shownTurns
	func() {
		c, err := Open(b.cfg.Dir)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		s, err := c.acquire()
		if err != nil {
			t.Fatal(err)
		}
		defer s.Release()
		if _, err := shown.meta(published.Ref{View: s.Views[0], Doc: 0}); err != nil {
			t.Fatal(err)
		}
	}()
	runtime.GC()
	runtime.GC() // what pools keep goes with the second
	kept := 0
	for i := range shown {
		if one := shown[i].Load(); one != nil {
			if kept++; one.shard.Value() != nil {
				t.Error("the shard is kept")
			}
		}
	}
	if kept == 0 {
		t.Error("nothing is remembered")
	}
	runtime.KeepAlive(&shown)
}
