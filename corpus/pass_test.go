package corpus

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hansard-search/hansard/sources"
)

// TestFiltersLeaveOut: -key:value keeps out exactly the turns that key:value
// lets pass, in searches and in lists, and says so.
func TestFiltersLeaveOut(t *testing.T) {
	b := newBench(t)
	b.cfg.Bounds.Lanes = []sources.Lane{sources.Subagent}
	for i := range 12 {
		at := began.Add(time.Duration(i) * time.Hour)
		prompt := sources.Event{
			Kind: sources.Prompt, ID: fmt.Sprintf("t%d", i), Text: "where do the beans grow?", Time: at,
			Cwd: []string{"/home/u/api", "/home/u/web/src", "/home/u/web"}[i%3], Branch: []string{"main", "feature/beans"}[i%2],
		}
		answer := sources.Event{Kind: sources.AssistantText, Group: "a", Text: "In the garden.", Time: at, Model: []string{"big-1", "small-1"}[i/6]}
		events := []sources.Event{prompt, answer}
		if i%4 == 0 {
			call := sources.Event{Kind: sources.ToolCall, Group: "a", Time: at, Tool: sources.Tool{ID: "c", Name: "Bash", Path: "/home/u/api/beans.go"}}
			events = []sources.Event{prompt, call, answer}
		}
		lane := []sources.Lane{sources.Main, sources.Subagent}[i%5/4]
		b.src.Append(sources.Info{Session: fmt.Sprintf("s%d", i), Lane: lane}, events...)
	}
	b.sync()
	c := b.open()
	all := ask1(t, c, Query{Text: "beans", Group: ByTurn, Limit: 20}).Total
	for _, filter := range []string{
		"project:api", "cwd:/home/u/web", "branch:feature/*", "branch:main", "model:big*", "tool:bash", "path:beans.go", "lane:subagent", "agent:" + b.src.Name(),
	} {
		for _, text := range []string{"beans", "*"} {
			q := func(filter string) *Answer {
				return ask1(t, c, Query{Text: text + " " + filter, Group: ByTurn, Limit: 20})
			}
			with, without := q(filter), q("-"+filter)
			seen := map[string]bool{}
			for _, id := range strings.Fields(found(with) + " " + found(without)) {
				seen[id] = true
			}
			if len(seen) != all || with.Total+without.Total != all || with.Total == 0 {
				t.Errorf("%s: %d turns pass %s, %d pass it not, of %d", text, with.Total, filter, without.Total, all)
			}
			if text == "beans" && without.Scope.RemovedByFilters != with.Total {
				t.Errorf("-%s removed %d, want %d", filter, without.Scope.RemovedByFilters, with.Total)
			}
		}
	}
	ans := ask1(t, c, Query{Text: "beans -tool:bash -branch:main", Filter: Filter{Without: []Condition{{"tool", "edit"}}}})
	if said, _ := json.Marshal(ans.Scope.Filters); string(said) != `{"-branch":["main"],"-tool":["edit","bash"]}` {
		t.Errorf("filters %s", said)
	}
}
