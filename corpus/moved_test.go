package corpus

import (
	"slices"
	"testing"

	"github.com/hansard-search/hansard/corpus/internal/stored"
	"github.com/hansard-search/hansard/segment"
)

// A turnRead is a turn as one of several workers reads it at some place.
type turnRead struct {
	worker, messages int
	session, text    string
}

// readBy has two workers read one turn at several places, publishes, and returns
// what became of it.
func readBy(t *testing.T, reads []turnRead) *Corpus {
	t.Helper()
	b := newBench(t)
	ix, err := OpenIndexer(t.Context(), b.cfg)
	if err != nil {
		t.Fatal(err)
	}
	r := ix.begin(SyncOptions{})
	r.man.Params = Params{}.manifest(ix.cfg.Strategy)
	builders := []*builder{r.newBuilder(), r.newBuilder()}
	for _, read := range reads {
		turn := segment.Turn{ID: "t", Session: read.session, Prompt: "the question", Summary: read.text, State: segment.Final}
		d := builders[read.worker].author.draft(&turn, stored.Place{Session: read.session, Path: read.session, Messages: read.messages})
		if err := r.put(builders[read.worker], d); err != nil {
			t.Fatal(err)
		}
		if err := r.putRecord(builders[read.worker], segment.Session{ID: read.session}, read.session); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.publish(t.Context()); err != nil {
		t.Fatal(err)
	}
	r.end()
	if err := ix.Close(); err != nil {
		t.Fatal(err)
	}
	return b.open()
}

// TestMovedTurns: a turn that several workers read, in any order and with other
// content, is one turn, of the place with the most messages.
func TestMovedTurns(t *testing.T) {
	for _, test := range []struct {
		name   string
		reads  []turnRead
		shards int
	}{
		{"the same content", []turnRead{{0, 2, "a", "one"}, {1, 1, "b", "one"}, {0, 1, "c", "one"}}, 2},
		{"of another content", []turnRead{{0, 2, "a", "one"}, {1, 1, "b", "two"}}, 2},
		{"moved, then of another content", []turnRead{{0, 1, "a", "two"}, {1, 1, "b", "two"}, {1, 2, "c", "one"}, {0, 1, "d", "two"}}, 2},
		{"back to who had it once", []turnRead{{0, 1, "a", "three"}, {1, 2, "b", "two"}, {0, 3, "c", "one"}}, 3},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := readBy(t, test.reads)
			turn, err := c.Turn(t.Context(), "t")
			if err != nil {
				t.Fatal(err)
			}
			var sessions []string
			for _, read := range test.reads {
				sessions = append(sessions, read.session)
			}
			slices.Sort(sessions)
			got := slices.Sorted(slices.Values(turn.Places))
			if turn.Summary != "one" || !slices.Equal(got, sessions) || len(c.cur.Views) != test.shards {
				t.Errorf("%q at %v in %d shards", turn.Summary, got, len(c.cur.Views))
			}
		})
	}
}
