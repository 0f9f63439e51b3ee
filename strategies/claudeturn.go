package strategies

import (
	"iter"
	"strings"

	"github.com/hansard-search/hansard/segment"
	"github.com/hansard-search/hansard/surfaces"
)

// ClaudeTurn is the strategy of coding agents' sessions: what was asked and
// what was answered in the end, and the session's name and summaries. Its
// switches add more of what happened in between. Thinking is part of no surface.
//
// The zero value is the lean one. It is safe for concurrent use.
type ClaudeTurn struct {
	Full  bool // adds surfaces.AssistantFull
	Tools bool // adds surfaces.ToolCalls
	// ToolOutput adds what tools answered to surfaces.ToolCalls, but for what was
	// recalled by this program, and implies Tools. The source must keep results
	// (sources.Caps).
	ToolOutput bool
}

// claudeTurn is raised whenever the passages of a turn change, so that what was
// indexed before is known to be out of date.
const claudeTurn = "claude-turn/1"

// Name is "claude-turn/1", and "+full", "+tools", "+tool-output" for the switches.
func (c ClaudeTurn) Name() string {
	name := claudeTurn
	if c.Full {
		name += "+full"
	}
	if c.Tools || c.ToolOutput {
		name += "+tools"
	}
	if c.ToolOutput {
		name += "+tool-output"
	}
	return name
}

// Surfaces are the default ones, and those of the switches.
func (c ClaudeTurn) Surfaces() surfaces.Set {
	set := surfaces.Of(surfaces.UserPrompt, surfaces.AssistantSummary, surfaces.SessionTitle, surfaces.SessionSummary)
	if c.Full {
		set = set.With(surfaces.Of(surfaces.AssistantFull))
	}
	if c.Tools || c.ToolOutput {
		set = set.With(surfaces.Of(surfaces.ToolCalls))
	}
	return set
}

// Passages yields each surface of the turn that has text. AssistantFull is left
// out where it is the summary over again.
func (c ClaudeTurn) Passages(t segment.Turn) iter.Seq2[surfaces.Name, string] {
	// What is yielded is taken out first: t is large, and would be copied to the heap.
	prompt, answer, full, calls := t.Prompt, t.Answer(), "", ""
	if c.Full {
		if full = joined(t.Texts); full == answer {
			full = ""
		}
	}
	if c.Tools || c.ToolOutput {
		texts := t.ToolTexts
		if c.ToolOutput {
			texts = append(texts[:len(texts):len(texts)], outputs(t.Messages)...)
		}
		calls = joined(texts)
	}
	return func(yield func(surfaces.Name, string) bool) {
		_ = say(yield, surfaces.UserPrompt, prompt) && say(yield, surfaces.AssistantSummary, answer) &&
			say(yield, surfaces.AssistantFull, full) && say(yield, surfaces.ToolCalls, calls)
	}
}

// SessionPassages yields the session's name and each of its summaries.
func (c ClaudeTurn) SessionPassages(s segment.Session) iter.Seq2[surfaces.Name, string] {
	return func(yield func(surfaces.Name, string) bool) {
		if !say(yield, surfaces.SessionTitle, s.Title()) {
			return
		}
		for _, sum := range s.Summaries {
			if !say(yield, surfaces.SessionSummary, sum.Text) {
				return
			}
		}
	}
}

// say yields text unless it is blank; false means that no more is wanted.
func say(yield func(surfaces.Name, string) bool, name surfaces.Name, text string) bool {
	return strings.TrimSpace(text) == "" || yield(name, text)
}

// joined puts a blank line between texts, and leaves out blank ones.
func joined(texts []string) string {
	var b strings.Builder
	for _, t := range texts {
		if strings.TrimSpace(t) == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteString("\n\n")
		}
		b.WriteString(t)
	}
	return b.String()
}
