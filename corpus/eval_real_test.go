package corpus

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/hansard-search/hansard/sources"
)

// TestLabelledSets measures ranking on the labelled queries beside the real
// corpus: HANSARD_REAL_CORPUS holds claude/projects and locomo (with its own
// queries.jsonl), HANSARD_LABELLED the queries over the first.
func TestLabelledSets(t *testing.T) {
	real, labelled := os.Getenv("HANSARD_REAL_CORPUS"), os.Getenv("HANSARD_LABELLED")
	if real == "" || labelled == "" {
		t.Skip("HANSARD_REAL_CORPUS or HANSARD_LABELLED is not set")
	}
	sets := []struct {
		name, root, queries string
		hit1, hit3, mrr     float64
	}{
		{"coding", filepath.Join(real, "claude", "projects"), labelled, 0.85, 0.87, 0.87},
		{"dialogues", filepath.Join(real, "locomo", "claude", "projects"), filepath.Join(real, "locomo", "queries.jsonl"), 0.77, 0.92, 0.85},
	}
	for _, set := range sets {
		t.Run(set.name, func(t *testing.T) {
			f, err := os.Open(set.queries)
			if err != nil {
				t.Skip(err)
			}
			defer f.Close()
			queries, err := ReadLabelled(f)
			if err != nil {
				t.Fatal(err)
			}
			b := newBench(t)
			b.cfg.Sources = []sources.Source{sources.Claude{Root: set.root}}
			b.sync()
			c := b.open()
			begin := time.Now()
			ev, err := c.Evaluate(t.Context(), queries)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%d queries in %v", len(queries), time.Since(begin))
			for _, s := range append([]Scored{ev.All}, ev.Kinds...) {
				t.Logf("%-12s session %3d  %.3f %.3f %.3f  mrr %.3f   turn %3d  %.3f %.3f %.3f  mrr %.3f", s.Kind,
					s.Session.Queries, s.Session.At1, s.Session.At3, s.Session.At5, s.Session.MRR,
					s.Turn.Queries, s.Turn.At1, s.Turn.At3, s.Turn.At5, s.Turn.MRR)
			}
			for _, m := range ev.Misses {
				if m.Session != 1 || m.Turn > 3 {
					t.Logf("miss %s %s: session %d, turn %d: %s", m.ID, m.Kind, m.Session, m.Turn, m.Query)
				}
			}
			got := ev.All.Session
			if got.At1 < set.hit1 || got.At3 < set.hit3 || got.MRR < set.mrr {
				t.Errorf("hit@1 %.3f, hit@3 %.3f, MRR %.3f: below what was reached before", got.At1, got.At3, got.MRR)
			}
		})
	}
}
