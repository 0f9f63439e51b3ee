package corpus

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/hansard-search/hansard/sources"
	"github.com/hansard-search/hansard/strategies"
	"github.com/hansard-search/hansard/surfaces"
)

// TestBoundWords: a corpus that was asked for words before answers as one that
// was opened just now, and remembers so many of them.
func TestBoundWords(t *testing.T) {
	b := newBench(t)
	b.cfg.Strategy = strategies.ClaudeTurn{Full: true}
	b.sync()
	c := b.open()
	prompts := Filter{Surfaces: []surfaces.Name{surfaces.UserPrompt}}
	for shard := range 3 {
		for n := range 4 {
			b.src.AppendRecords(fmt.Sprintf("s%d", n), sources.Record{ID: fmt.Sprintf("t%d-%d", shard, n), Time: began,
				Prompt: fmt.Sprintf("grinding ginger %d", n), Answer: "Ground, with ginger and cardamom."})
		}
		b.src.Append(sources.Info{Session: fmt.Sprintf("long%d", shard)},
			sources.Event{Kind: sources.Prompt, ID: fmt.Sprintf("long%d", shard), Text: "ginger, please", Time: began},
			sources.Event{Kind: sources.AssistantText, Group: "g", Text: "First the cardamom is to be ground.", Time: began},
			sources.Event{Kind: sources.ToolCall, Group: "g", Tool: sources.Tool{ID: "grind", Name: "Bash", Text: "grind"}, Time: began},
			sources.Event{Kind: sources.AssistantText, Group: "h", Text: "There is your ginger.", Time: began})
		b.sync()
		for range 2 {
			for _, text := range []string{"ginger cardamom", "grinds", "ground grinding", `+cardamom "with ginger"`, "cardamon", "nobody"} {
				for _, q := range []Query{{Text: text}, {Text: text, Filter: prompts}, {Text: text, Group: ByTurn, Explain: true}} {
					fresh, err := Open(b.dir)
					if err != nil {
						t.Fatal(err)
					}
					want, _ := json.Marshal(ask1(t, fresh, q))
					fresh.Close()
					if got, _ := json.Marshal(ask1(t, c, q)); string(got) != string(want) {
						t.Errorf("%+v: %s, want %s", q, got, want)
					}
				}
			}
		}
	}
}
