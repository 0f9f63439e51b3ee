package samples_test

import (
	"strings"
	"testing"

	"github.com/hansard-search/hansard/segment"
	"github.com/hansard-search/hansard/sources"
	"github.com/hansard-search/hansard/strategies"
	"github.com/hansard-search/hansard/strategies/strategytest"
)

func TestSampleTurns(t *testing.T) {
	states := map[segment.State]int{}
	var turns []segment.Turn
	var sessions []segment.Session
	steered := 0
	for _, s := range lay(t) {
		for tr, err := range s.Transcripts(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			res, err := segment.Cut(segment.Begin(tr.Info()), tr.Events(t.Context(), sources.Position{}), func(turn segment.Turn) bool {
				states[turn.State]++
				turns = append(turns, turn)
				if turn.State == segment.Final && turn.Summary == "" {
					t.Errorf("no answer to %q", turn.Prompt)
				}
				if strings.Contains(turn.Prompt, "\n\n") {
					steered++
				}
				return true
			})
			if err != nil || res.SkippedTotal > 0 || len(res.Abandoned) > 0 || res.Session.Project == "" {
				t.Errorf("%s: error %v, %+v", tr.Info().Path, err, res)
			}
			sessions = append(sessions, res.Session)
		}
	}
	if states[segment.Final] != 23 || states[segment.Interrupted] != 1 || steered != 1 {
		t.Errorf("states %v, %d steered", states, steered)
	}
	strategytest.Run(t, strategies.ClaudeTurn{Full: true, ToolOutput: true}, turns, sessions...)
}
