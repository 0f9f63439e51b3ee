package strategies_test

import (
	"strings"
	"testing"

	"github.com/hansard-search/hansard/segment"
	"github.com/hansard-search/hansard/strategies"
	"github.com/hansard-search/hansard/surfaces"
)

// TestRecallIsNotSearched: what tools answered is searched, but not what came
// out of an index of sessions.
func TestRecallIsNotSearched(t *testing.T) {
	call := func(tool, text string) segment.Message {
		return segment.Message{Role: segment.Assistant, Tool: tool, Text: "tool: " + tool + "\ncommand: " + text}
	}
	result := func(tool, text string) segment.Message {
		return segment.Message{Role: segment.ToolUse, Tool: tool, Text: text}
	}
	for _, test := range []struct {
		name     string
		messages []segment.Message
		kept     bool
	}{
		{"another command", []segment.Message{call("Bash", "go test ./cmd/hansard"), result("Bash", "gopher")}, true},
		{"the program's status", []segment.Message{call("Bash", "hansard status"), result("Bash", "gopher")}, true},
		{"searching by the shell", []segment.Message{call("Bash", `hansard search "cache key" --json`), result("Bash", "gopher")}, false},
		{"in a pipe", []segment.Message{call("bash", `cd /tmp && ~/bin/hansard show 60b4b528 | head`), result("bash", "gopher")}, false},
		{"by a script", []segment.Message{call("Bash", "./ask.sh"), result("Bash", `{"query":"x","results":[{"sessionId":"a","turnId":"b","prompt":"gopher"}]}`)}, false},
		{"by the server", []segment.Message{call("mcp__hansard__search_sessions", ""), result("mcp__hansard__search_sessions", "gopher")}, false},
		{"by the plugin's server", []segment.Message{result("mcp__plugin_hansard_hansard__list_messages", "gopher")}, false},
		{"by pi's extension", []segment.Message{call("search_sessions", ""), result("search_sessions", "gopher")}, false},
		{"two calls at once, the second ours", []segment.Message{
			call("Bash", "ls"), call("Bash", "hansard search x"), result("Bash", "gopher"), result("Bash", "wombat")}, true},
		{"two calls at once, the first ours", []segment.Message{
			call("Bash", "hansard search x"), call("Bash", "ls"), result("Bash", "gopher"), result("Bash", "wombat")}, false},
		{"another tool between", []segment.Message{
			call("Bash", "hansard search x"), call("Read", "f"), result("Read", "wombat"), result("Bash", "gopher")}, false},
		{"a JSON file", []segment.Message{call("Read", "f"), result("Read", `{"query": "gopher"}`)}, true},
	} {
		got := collect(strategies.ClaudeTurn{ToolOutput: true}.Passages(segment.Turn{Prompt: "p", Messages: test.messages}))[surfaces.ToolCalls]
		if strings.Contains(got, "gopher") != test.kept {
			t.Errorf("%s: %q", test.name, got)
		}
	}
}
