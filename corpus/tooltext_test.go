package corpus

import (
	"strings"
	"testing"
	"time"

	"github.com/hansard-search/hansard/sources"
	"github.com/hansard-search/hansard/strategies"
	"github.com/hansard-search/hansard/surfaces"
)

// tooled makes a corpus of sessions that say or write the same words.
func tooled(t *testing.T, s strategies.Strategy) *Corpus {
	b := newBench(t)
	b.cfg.Strategy = s
	at := func(m int) time.Time { return began.Add(time.Duration(m) * time.Minute) }
	use := func(session, prompt, call, output string) {
		b.src.Append(sources.Info{Session: session},
			sources.Event{Kind: sources.Prompt, ID: session + "1", Text: prompt, Time: at(0)},
			sources.Event{Kind: sources.ToolCall, Group: "g", Tool: sources.Tool{ID: session, Name: "Write", Path: "/w/package.json", Text: call}, Time: at(1)},
			sources.Event{Kind: sources.ToolResult, Tool: sources.Tool{ID: session}, Text: output, Time: at(2)},
			sources.Event{Kind: sources.AssistantText, Group: "h", Text: "Done.", Time: at(3)})
	}
	use("written", "make the package loadable", "tool: Write\npath: /w/package.json\ncontent: exports dist tsup", "")
	use("asked", "which exports has tsup in dist", "tool: Write\npath: /w/other.json", "")
	use("printed", "run it", "tool: Bash\ncommand: npm run build", "the marmalade module was not found")
	b.sync()
	return b.open()
}

func TestToolText(t *testing.T) {
	tools := Filter{Surfaces: []surfaces.Name{surfaces.ToolCalls}}
	lean := tooled(t, strategies.ClaudeTurn{})
	ans := ask1(t, lean, Query{Text: "tsup exports dist", Filter: tools})
	if ans.ResultCount != 0 || !strings.Contains(strings.Join(ans.Scope.Loosen, "\n"), "hansard index --include tools") {
		t.Errorf("a corpus without tool text: %q, %v", found(ans), ans.Scope.Loosen)
	}
	if got := found(ask1(t, lean, Query{Text: "*", Filter: Filter{Tool: "write", Path: "package.json"}})); len(got) == 0 {
		t.Error("tools and paths are no facets of a lean corpus")
	}
	c := tooled(t, strategies.ClaudeTurn{Tools: true})
	if got := found(ask1(t, c, Query{Text: "tsup exports dist"})); got != "asked1 written1" {
		t.Errorf("what was said stands above what was written: %q", got)
	}
	if got := found(ask1(t, c, Query{Text: "tsup exports dist", Filter: tools})); got != "written1" {
		t.Errorf("tool text alone: %q", got)
	}
	if got := found(ask1(t, c, Query{Text: "marmalade"})); got != "" {
		t.Errorf("outputs are not asked for: %q", got)
	}
	full := tooled(t, strategies.ClaudeTurn{Tools: true, ToolOutput: true})
	if got := found(ask1(t, full, Query{Text: "marmalade module", Filter: tools})); got != "printed1" {
		t.Errorf("outputs: %q", got)
	}
}
