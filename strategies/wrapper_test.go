package strategies_test

import (
	"iter"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hansard-search/hansard/segment"
	"github.com/hansard-search/hansard/strategies"
	"github.com/hansard-search/hansard/strategies/strategytest"
	"github.com/hansard-search/hansard/surfaces"
)

func failures(t segment.Turn) (text string) {
	for _, m := range t.Messages {
		if m.Role == segment.ToolUse {
			text = m.Text
		}
	}
	return text
}

func TestWith(t *testing.T) {
	for _, tt := range []struct {
		of   strategies.Strategy
		name string
		want string
	}{
		{strategies.ClaudeTurn{}, "claude-turn/1+errors/1", "FAIL net_test"},
		{strategies.ClaudeTurn{Tools: true}, "claude-turn/1+tools+errors/1", "tool: bash\ncommand: make\n\ntool: read\npath: log\n\nFAIL net_test"},
	} {
		s := strategies.With(tt.of, "errors/1", surfaces.ToolCalls, failures)
		strategytest.Run(t, s, []segment.Turn{answered}, session)
		want := collect(tt.of.Passages(answered))
		want[surfaces.ToolCalls] = tt.want
		if d := cmp.Diff(want, collect(s.Passages(answered))); d != "" || s.Name() != tt.name {
			t.Errorf("%s: %s", s.Name(), d)
		}
	}
}

// loud is a strategy made of another.
type loud struct{ strategies.Wrapper }

func (loud) Name() string { return "loud/1" }

func (l loud) Passages(t segment.Turn) iter.Seq2[surfaces.Name, string] {
	return func(yield func(surfaces.Name, string) bool) {
		for name, text := range l.Wrapper.Passages(t) {
			if !yield(name, text+"!") {
				return
			}
		}
	}
}

// TestWrappersPassOn: whatever is put around a strategy, sessions are found as before, by
// what they are annotated with too.
func TestWrappersPassOn(t *testing.T) {
	noted := strategies.WithSynopsis(strategies.ClaudeTurn{}, map[string]strategies.Synopsis{"s": {Text: "All went well."}})
	for name, s := range map[string]strategies.Strategy{
		"plain":    noted,
		"only":     strategies.Only(noted, surfaces.Defaults()&^surfaces.Of(surfaces.UserPrompt)),
		"with":     strategies.With(noted, "errors/1", surfaces.ToolCalls, failures),
		"synopsis": strategies.WithSynopsis(noted, map[string]strategies.Synopsis{"other": {Text: "It did not."}}),
		"loud":     loud{strategies.Wrapper{Strategy: noted}},
	} {
		strategytest.Run(t, s, []segment.Turn{answered}, session)
		annotated := s.(strategies.Annotator).Annotate(session)
		got := collect(s.(strategies.SessionStrategy).SessionPassages(annotated))
		want := map[surfaces.Name]string{surfaces.SessionTitle: "Red build", surfaces.SessionSummary: "The build was red.|Tried a mirror.|All went well."}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
	bare := strategies.Wrapper{Strategy: touched{}}
	if got := collect(bare.SessionPassages(session)); len(got) > 0 || !cmp.Equal(bare.Annotate(session), session) {
		t.Errorf("of a strategy that knows no sessions: %v", got)
	}
}
