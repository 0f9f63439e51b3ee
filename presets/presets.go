// Package presets names corpora: which transcripts they are made of, how far
// they go back, and what of a turn can be searched. Two are built in; the others
// are the user's own, from the config file.
//
// It does not know how a corpus works or what a transcript looks like, prints
// nothing, and sees the environment and the clock only through Env.
package presets

import (
	"slices"

	"github.com/hansard-search/hansard/corpus"
	"github.com/hansard-search/hansard/sources"
	"github.com/hansard-search/hansard/strategies"
	"github.com/hansard-search/hansard/surfaces"
)

// A Preset is a corpus with a name. The zero value of each field but Name works.
type Preset struct {
	Name        string         // also the name of its folder
	About       string         // one line for people
	Since       string         // "90d", "2026-01-01"; "all" and "" mean no bound
	Projects    []string       // whole paths or last components; empty: all
	MaxSessions int            // the newest; 0: all
	Sources     []corpus.Root  // Dir "" is the kind's usual place; empty: every kind there
	Include     []string       // full, tools, tool-output: see Switches
	Lanes       []sources.Lane // beside main, which is always in
	Refresh     string         `json:",omitempty"` // OnChange, Manual or an interval; "" is OnChange
	Synopsis    *Synopsis      `json:",omitempty"` // nil: none

	config string  // the entry of the config file in one spelling, "" when there is none
	at     []place // of Sources, in the config file
}

// Sessions is the corpus of the last 90 days: what was asked, what was
// answered, titles, and the summaries that transcripts hold. It needs no
// configuration.
func Sessions() Preset {
	return Preset{
		Name:  "sessions",
		About: "the last 90 days of every agent on this machine: prompts, answers, titles, summaries",
		Since: "90d", // transcripts are many; a question is mostly about the last weeks
	}
}

// Memory is the corpus of what agents were told to remember and wrote down
// themselves: CLAUDE.md, AGENTS.md, MEMORY.md and memory/*.md of the home folder
// and of the projects that other corpora know.
func Memory() Preset {
	return Preset{
		Name:    "memory",
		About:   "notes for agents: CLAUDE.md, AGENTS.md, MEMORY.md, memory/*.md of your projects and home, by heading",
		Since:   "all", // notes bear no time
		Sources: []corpus.Root{{Kind: "notes"}},
	}
}

// Talks reports whether the preset holds sessions, rather than notes alone.
func (p Preset) Talks() bool {
	return len(p.Sources) == 0 || slices.ContainsFunc(p.Sources, func(r corpus.Root) bool { return r.Kind != "notes" })
}

// All returns the built-in presets.
func All() []Preset { return []Preset{Sessions(), Memory()} }

// Lookup returns the built-in preset called name; ok is false when there is none.
func Lookup(name string) (p Preset, ok bool) {
	for _, p := range All() {
		if p.Name == name {
			return p, true
		}
	}
	return Preset{}, false
}

// A Switch adds something to a corpus that is not in it by default.
type Switch struct {
	Name string
	Lane sources.Lane // the lane it opens, "" when it is a switch of the strategy
}

// Switches lists what a corpus may include.
func Switches() []Switch {
	return []Switch{
		{Name: corpus.IncludeFull}, {Name: corpus.IncludeTools}, {Name: corpus.IncludeToolOutput},
		{corpus.IncludeSubagents, sources.Subagent}, {corpus.IncludeHeadless, sources.Headless}, {corpus.IncludeCron, sources.Cron},
	}
}

func switchNames() (names []string) {
	for _, s := range Switches() {
		names = append(names, s.Name)
	}
	return names
}

// include is the list that Params keeps: switches and lanes in one, in the
// order of Switches, each once.
func include(words []string, lanes []sources.Lane) []string {
	list := []string{}
	for _, s := range Switches() {
		if slices.Contains(words, s.Name) || s.Lane != "" && slices.Contains(lanes, s.Lane) {
			list = append(list, s.Name)
		}
	}
	return list
}

// Strategy is the strategy that the words of a Params.Include ask for. Outputs
// of tools are searched through the surface of their calls, so they bring it along.
func Strategy(words []string) strategies.ClaudeTurn {
	output := slices.Contains(words, corpus.IncludeToolOutput)
	return strategies.ClaudeTurn{
		Full:       slices.Contains(words, corpus.IncludeFull),
		Tools:      output || slices.Contains(words, corpus.IncludeTools),
		ToolOutput: output,
	}
}

// Surfaces lists what a corpus with these words included can be searched by.
func Surfaces(words []string) []surfaces.Name { return Strategy(words).Surfaces().Names() }
