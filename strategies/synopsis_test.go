package strategies

import (
	"slices"
	"testing"
	"time"

	"github.com/hansard-search/hansard/segment"
	"github.com/hansard-search/hansard/surfaces"
)

func TestWithSynopsis(t *testing.T) {
	at := time.Date(2026, 9, 1, 3, 0, 0, 0, time.UTC)
	s := WithSynopsis(ClaudeTurn{Tools: true}, map[string]Synopsis{"s1": {Text: "about pumps", Time: at, After: "t9"}})
	if s.Name() != (ClaudeTurn{Tools: true}).Name() || s.Surfaces() != (ClaudeTurn{Tools: true}).Surfaces() {
		t.Errorf("turns would be written again: %s, %s", s.Name(), s.Surfaces())
	}
	old := segment.Session{ID: "s1", Summaries: []segment.Summary{{Text: "compacted", Kind: "compaction"}, {Text: "about valves", Kind: SynopsisKind}}}
	got := s.(Annotator).Annotate(old)
	if len(got.Summaries) != 2 || got.Summaries[1] != (segment.Summary{Text: "about pumps", Kind: SynopsisKind, Time: at, After: "t9", Offset: -1}) {
		t.Errorf("%+v", got.Summaries)
	}
	if old.Summaries[1].Text != "about valves" {
		t.Error("the session that was given changed")
	}
	var said []string
	for name, text := range s.(SessionStrategy).SessionPassages(got) {
		if name == surfaces.SessionSummary {
			said = append(said, text)
		}
	}
	if !slices.Equal(said, []string{"compacted", "about pumps"}) {
		t.Errorf("passages: %q", said)
	}
	if other := s.(Annotator).Annotate(segment.Session{ID: "s2"}); len(other.Summaries) != 0 {
		t.Errorf("another session: %+v", other)
	}
	for name := range WithSynopsis(turnsOnly{s}, nil).(SessionStrategy).SessionPassages(got) {
		t.Errorf("%s out of nothing", name)
	}
}

// turnsOnly is a strategy that knows nothing of sessions.
type turnsOnly struct{ Strategy }
