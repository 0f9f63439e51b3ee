package corpus

import (
	"testing"

	"github.com/hansard-search/hansard/segment"
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
