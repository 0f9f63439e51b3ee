package corpus

import (
	"errors"
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
