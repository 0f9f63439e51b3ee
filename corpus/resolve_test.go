package corpus

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/hansard-search/hansard/segment"
)

func TestResolve(t *testing.T) {
	b := newBench(t)
	b.src.AppendRecords("session-one", pair("turn-one-a", "why?", "because", 1), pair("turn-one-b", "and?", "so", 2))
	b.src.AppendRecords("session-two", pair("turn-two-a", "how?", "thus", 3))
	b.src.AppendRecords("shared-beginning-s", pair("shared-beginning-t", "where?", "there", 4))
	b.src.AppendRecords("notes.md", pair("notes.md#a", "when?", "then", 5))
	b.sync()
	c := b.open()
	for id, want := range map[string][]string{
		"session-one":        {"session-one", ""},
		"session-o":          {"session-one", ""},
		"turn-two-a":         {"session-two", "turn-two-a"},
		"turn-two":           {"session-two", "turn-two-a"},
		"shared-beginning":   {"shared-beginning-s", ""},
		"shared-beginning-t": {"shared-beginning-s", "shared-beginning-t"},
		"notes.md":           {"notes.md", ""}, // whole, though a turn's begins so
		"notes.md#":          {"notes.md", "notes.md#a"},
	} {
		session, turn, err := c.Resolve(t.Context(), id)
		if got := []string{session, turn}; !slices.Equal(got, want) || err != nil {
			t.Errorf("%s: %q %v, want %q", id, got, err, want)
		}
	}
	for id, begins := range map[string]int{"session-": 2, "turn-one": 2, "nothing at all": 0, "turn": 0, "": 0} {
		_, _, err := c.Resolve(t.Context(), id)
		var wrong *IDError
		if !errors.Is(err, ErrNotFound) || !errors.As(err, &wrong) || len(wrong.Begins) != begins || Ambiguous(err) != (begins > 0) {
			t.Errorf("%q: %v, want %d that begin so", id, err, begins)
		}
	}
}

// TestCancelled: nothing is done, nor lost, where the context is done before.
func TestCancelled(t *testing.T) {
	b := newBench(t)
	b.src.AppendRecords("session-one", pair("turn-one", "why?", "because", 1))
	b.sync()
	c := b.open()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	one := func(_ any, err error) error { return err }
	_, _, resolved := c.Resolve(ctx, "turn-one")
	var exported error
	for _, exported = range c.Export(ctx, Filter{}) {
		break
	}
	ix, err := OpenIndexer(t.Context(), Config{Dir: filepath.Join(t.TempDir(), "other")})
	if err != nil {
		t.Fatal(err)
	}
	defer ix.Close()
	if err := ix.Add(t.Context(), segment.Session{ID: "s"}, segment.Turn{ID: "t", Prompt: "kept"}); err != nil {
		t.Fatal(err)
	}
	for name, err := range map[string]error{
		"Search":      one(c.Search(ctx, Query{Text: "why"})),
		"Turn":        one(c.Turn(ctx, "turn-one")),
		"Session":     one(c.Session(ctx, "session-one", 0, 0)),
		"Sessions":    one(c.Sessions(ctx, Filter{}, 0, 0)),
		"Resolve":     resolved,
		"Export":      exported,
		"Status":      one(c.Status(ctx)),
		"Check":       one(c.Check(ctx)),
		"Disk":        one(c.Disk(ctx)),
		"Backup":      one(c.Backup(ctx, filepath.Join(t.TempDir(), "b"))),
		"Unsummed":    one(c.Unsummed(ctx, time.Time{})),
		"OpenIndexer": one(OpenIndexer(ctx, Config{Dir: t.TempDir()})),
		"Add":         ix.Add(ctx, segment.Session{ID: "s"}, segment.Turn{ID: "u", Prompt: "not taken"}),
		"Flush":       ix.Flush(ctx),
		"Sync":        one(ix.Sync(ctx, SyncOptions{})),
		"Forget":      one(ix.Forget(ctx, Forgetting{Sessions: []string{"s"}})),
		"Prune":       one(ix.Prune(ctx, Pruning{Sessions: []string{"s"}})),
	} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
	snapshot, err := ix.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	defer snapshot.Close()
	if a, err := snapshot.Search(t.Context(), Query{Text: "kept taken", Group: ByTurn}); err != nil || a.Total != 1 {
		t.Errorf("what was added before: %+v %v", a, err)
	}
}
