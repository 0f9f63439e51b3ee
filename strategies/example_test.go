package strategies_test

import (
	"fmt"
	"iter"
	"strings"

	"github.com/hansard-search/hansard/segment"
	"github.com/hansard-search/hansard/strategies"
	"github.com/hansard-search/hansard/surfaces"
)

// touched is a strategy that finds turns by what was asked and by the files that
// were touched.
type touched struct{}

func (touched) Name() string { return "touched/1" }

func (touched) Surfaces() surfaces.Set { return surfaces.Of(surfaces.UserPrompt, surfaces.ToolCalls) }

func (touched) Passages(t segment.Turn) iter.Seq2[surfaces.Name, string] {
	return func(yield func(surfaces.Name, string) bool) {
		if t.Prompt != "" && !yield(surfaces.UserPrompt, t.Prompt) {
			return
		}
		if len(t.Paths) > 0 {
			yield(surfaces.ToolCalls, strings.Join(t.Paths, "\n"))
		}
	}
}

// A strategy of one's own is handed over as corpus.Config.Strategy; package
// strategytest checks it.
func ExampleStrategy() {
	var s strategies.Strategy = touched{}
	for name, text := range s.Passages(segment.Turn{Prompt: "make it faster", Paths: []string{"pump.go"}}) {
		fmt.Println(name, text)
	}
	// Output:
	// user_prompt make it faster
	// tool_calls pump.go
}

// What turns are found by beside the usual: what tools complained of.
func ExampleWith() {
	s := strategies.With(strategies.ClaudeTurn{}, "errors/1", surfaces.ToolCalls, func(t segment.Turn) string {
		var failed []string
		for _, m := range t.Messages {
			if m.Role == segment.ToolUse && strings.HasPrefix(m.Text, "error:") {
				failed = append(failed, m.Text)
			}
		}
		return strings.Join(failed, "\n")
	})
	turn := segment.Turn{Prompt: "make it faster", Messages: []segment.Message{
		{Role: segment.User, Text: "make it faster"}, {Role: segment.ToolUse, Tool: "bash", Text: "error: pump.go: no such file"},
	}}
	fmt.Println(s.Name())
	for name, text := range s.Passages(turn) {
		fmt.Println(name, text)
	}
	// Output:
	// claude-turn/1+errors/1
	// user_prompt make it faster
	// tool_calls error: pump.go: no such file
}
