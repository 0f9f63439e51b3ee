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

var answered = segment.Turn{
	ID: "1", Prompt: "why is the build red?", Summary: "A test needs the network.",
	Texts:     []string{"I will read the log.", " ", "A test needs the network."},
	ToolTexts: []string{"tool: bash\ncommand: make", "tool: read\npath: log"},
	Messages: []segment.Message{
		{Role: segment.User, Text: "why is the build red?"},
		{Role: segment.Assistant, Tool: "bash", Text: "tool: bash\ncommand: make"},
		{Role: segment.ToolUse, Tool: "bash", Text: "FAIL net_test"},
	},
}

var session = segment.Session{
	ID: "s", Titles: [5]string{3: "Red build"},
	Summaries: []segment.Summary{{Text: "The build was red.", Kind: "compaction"}, {Text: " "}, {Text: "Tried a mirror.", Kind: "branch"}},
}

func collect(seq iter.Seq2[surfaces.Name, string]) map[surfaces.Name]string {
	got := map[surfaces.Name]string{}
	for name, text := range seq {
		if got[name] != "" {
			text = got[name] + "|" + text
		}
		got[name] = text
	}
	return got
}

func TestClaudeTurn(t *testing.T) {
	partial := segment.Turn{Prompt: "go on", Partial: "I will read", Texts: []string{"I will read"}}
	tests := []struct {
		name     string
		strategy strategies.ClaudeTurn
		turn     segment.Turn
		want     map[surfaces.Name]string
	}{
		{"claude-turn/1", strategies.ClaudeTurn{}, answered, map[surfaces.Name]string{
			surfaces.UserPrompt: "why is the build red?", surfaces.AssistantSummary: "A test needs the network."}},
		{"claude-turn/1+full", strategies.ClaudeTurn{Full: true}, answered, map[surfaces.Name]string{
			surfaces.UserPrompt: "why is the build red?", surfaces.AssistantSummary: "A test needs the network.",
			surfaces.AssistantFull: "I will read the log.\n\nA test needs the network."}},
		{"claude-turn/1+full", strategies.ClaudeTurn{Full: true}, partial, map[surfaces.Name]string{
			surfaces.UserPrompt: "go on", surfaces.AssistantSummary: "I will read"}},
		{"claude-turn/1+tools", strategies.ClaudeTurn{Tools: true}, answered, map[surfaces.Name]string{
			surfaces.UserPrompt: "why is the build red?", surfaces.AssistantSummary: "A test needs the network.",
			surfaces.ToolCalls: "tool: bash\ncommand: make\n\ntool: read\npath: log"}},
		{"claude-turn/1+tools+tool-output", strategies.ClaudeTurn{ToolOutput: true}, answered, map[surfaces.Name]string{
			surfaces.UserPrompt: "why is the build red?", surfaces.AssistantSummary: "A test needs the network.",
			surfaces.ToolCalls: "tool: bash\ncommand: make\n\ntool: read\npath: log\n\nFAIL net_test"}},
		{"claude-turn/1+full+tools", strategies.ClaudeTurn{Full: true, Tools: true}, segment.Turn{Prompt: "\n"}, map[surfaces.Name]string{}},
	}
	for _, tt := range tests {
		if got := tt.strategy.Name(); got != tt.name {
			t.Errorf("name %q, want %q", got, tt.name)
		}
		if diff := cmp.Diff(tt.want, collect(tt.strategy.Passages(tt.turn))); diff != "" {
			t.Errorf("%s: %s", tt.name, diff)
		}
		strategytest.Run(t, tt.strategy, []segment.Turn{tt.turn}, session)
	}
	want := map[surfaces.Name]string{surfaces.SessionTitle: "Red build", surfaces.SessionSummary: "The build was red.|Tried a mirror."}
	if diff := cmp.Diff(want, collect(strategies.ClaudeTurn{}.SessionPassages(session))); diff != "" {
		t.Error(diff)
	}
}

func TestDefaultsAreWhatTheLeanStrategyEmits(t *testing.T) {
	if got := (strategies.ClaudeTurn{}).Surfaces(); got != surfaces.Defaults() {
		t.Errorf("surfaces %s, defaults %s", got, surfaces.Defaults())
	}
}

// turnsOnly is a strategy that knows nothing of sessions.
type turnsOnly struct{ strategies.Strategy }

func TestOnly(t *testing.T) {
	all := strategies.ClaudeTurn{Full: true}
	asked := strategies.Only(all, surfaces.Of(surfaces.UserPrompt, surfaces.SessionTitle, surfaces.ToolCalls))
	if asked.Name() != "claude-turn/1+full:user_prompt,session_title" {
		t.Errorf("name %q", asked.Name())
	}
	if diff := cmp.Diff(map[surfaces.Name]string{surfaces.UserPrompt: answered.Prompt}, collect(asked.Passages(answered))); diff != "" {
		t.Error(diff)
	}
	titles := asked.(strategies.SessionStrategy).SessionPassages(session)
	if diff := cmp.Diff(map[surfaces.Name]string{surfaces.SessionTitle: "Red build"}, collect(titles)); diff != "" {
		t.Error(diff)
	}
	strategytest.Run(t, asked, []segment.Turn{answered}, session)
	if strategies.Only(all, all.Surfaces()) != strategies.Strategy(all) {
		t.Error("nothing to drop, but wrapped")
	}
	turns := strategies.Only(turnsOnly{all}, surfaces.Of(surfaces.UserPrompt))
	for name := range turns.(strategies.SessionStrategy).SessionPassages(session) {
		t.Errorf("%s out of nothing", name)
	}
}
