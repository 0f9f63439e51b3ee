package corpus

import (
	"errors"
	"os"
	"testing"

	"github.com/hansard-search/hansard/segment"
	"github.com/hansard-search/hansard/surfaces"
)

// TestMissingNames: what would be lost or written elsewhere without a word is
// refused, and nothing else is.
func TestMissingNames(t *testing.T) {
	ctx := t.Context()
	t.Chdir(t.TempDir())
	if _, err := OpenIndexer(ctx, Config{}); err == nil {
		t.Error("a corpus without a folder was opened")
	}
	ix, err := OpenIndexer(ctx, Config{Dir: "kept"})
	if err != nil {
		t.Fatal(err)
	}
	for _, nameless := range []struct {
		s segment.Session
		t segment.Turn
	}{{t: segment.Turn{ID: "t1"}}, {s: segment.Session{ID: "s1"}}} {
		if err := ix.Add(ctx, nameless.s, nameless.t); err == nil {
			t.Errorf("%+v was added", nameless)
		}
	}
	if err := ix.Add(ctx, segment.Session{ID: "s1"}, segment.Turn{ID: "t1", Prompt: "why?"}); err != nil {
		t.Error(err)
	}
	if err := ix.Close(); err != nil {
		t.Error(err)
	}
}

// TestFiltersThatNothingMeets: a value that no turn can have is an error, since an
// empty answer would not tell.
func TestFiltersThatNothingMeets(t *testing.T) {
	b := newBench(t)
	b.src.AppendRecords("s1", pair("t1", "why?", "because", 1))
	b.sync()
	c := b.open()
	for _, f := range []Filter{
		{Lane: "xx"}, {Surfaces: []surfaces.Name{"mood"}}, {Without: []Condition{{"lane", "xx"}}}, {Without: []Condition{{"mood", "x"}}},
		{Without: []Condition{{"session", "s1"}}},
	} {
		var wrong *QueryError
		if _, err := c.Search(t.Context(), Query{Text: "why", Filter: f}); !errors.As(err, &wrong) {
			t.Errorf("%+v: %v", f, err)
		}
		if _, err := c.Sessions(t.Context(), f, 0, 0); !errors.As(err, &wrong) {
			t.Errorf("%+v: %v", f, err)
		}
	}
	if _, err := c.Search(t.Context(), Query{Text: "why", Group: "day"}); err == nil {
		t.Error("rows of days")
	}
	for _, f := range []Filter{{Lane: "Cron"}, {Without: []Condition{{"project", "x"}, {"agent", "pi"}, {"lane", "cron"}, {"cwd", "/x"}}}} {
		if _, err := c.Search(t.Context(), Query{Text: "why", Filter: f}); err != nil {
			t.Errorf("%+v: %v", f, err)
		}
	}
}

// TestSecondWriter: who comes second is told who was first, and may read meanwhile.
func TestSecondWriter(t *testing.T) {
	cfg := Config{Dir: t.TempDir(), Holder: "the first"}
	ix, err := OpenIndexer(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer ix.Close()
	if err := ix.Add(t.Context(), segment.Session{ID: "s"}, segment.Turn{ID: "t", Prompt: "why?"}); err != nil {
		t.Fatal(err)
	}
	if err := ix.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	var locked *LockedError
	if _, err := OpenIndexer(t.Context(), cfg); !errors.As(err, &locked) || locked.PID != os.Getpid() || locked.Command != "the first" || locked.Since.IsZero() {
		t.Errorf("a second writer: %v", err)
	}
	c, err := Open(cfg.Dir)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if turn, err := c.Turn(t.Context(), "t"); err != nil || turn.Prompt != "why?" {
		t.Errorf("read beside a writer: %+v %v", turn, err)
	}
	if msg := (&LockedError{}).Error(); msg != "another process is indexing" {
		t.Errorf("of a holder that did not say who it is: %s", msg)
	}
}
