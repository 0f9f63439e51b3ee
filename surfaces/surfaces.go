// Package surfaces names the views through which a turn or a session can be
// found, and says how much each counts.
//
// It is vocabulary: it knows neither transcripts nor indexes, and imports
// nothing of this module. The list is closed, because each is weighed against
// the others: a strategy chooses among them.
package surfaces

import (
	"fmt"
	"strings"
)

// A Name identifies one surface. Names are stored in indexes and printed in
// JSON, so they never change.
type Name string

// The surfaces a corpus may hold.
const (
	// UserPrompt is what the human typed, steering included.
	UserPrompt Name = "user_prompt"
	// AssistantSummary is the turn's final answer, or the last text seen in a
	// turn that has none. It is not a summary of a session.
	AssistantSummary Name = "assistant_summary"
	// AssistantFull is every text of the assistant in the turn, without thinking.
	AssistantFull Name = "assistant_full"
	// ToolCalls is the name, path, command and text of the turn's tool calls.
	ToolCalls Name = "tool_calls"
	// SessionTitle is the session's name.
	SessionTitle Name = "session_title"
	// SessionSummary is a compaction or branch summary the transcript holds.
	SessionSummary Name = "session_summary"
)

// A Surface is one view with its place in ranking.
type Surface struct {
	Name    Name
	Weight  float64 // factor on the surface's BM25 score
	Session bool    // of a session, not of a turn
	Lean    bool    // its words count in the statistics that give a term its rarity
	Default bool    // kept by a corpus that asks for nothing else
	Include string  // the word by which a corpus asks for it (index --include), "" for defaults
}

// All returns every surface, in the order in which answers list them.
func All() []Surface {
	return []Surface{
		{Name: UserPrompt, Weight: 1.5, Lean: true, Default: true},
		{Name: AssistantSummary, Weight: 1.0, Lean: true, Default: true},
		{Name: SessionTitle, Weight: 2.0, Session: true, Default: true},
		{Name: SessionSummary, Weight: 3.0, Session: true, Default: true},
		{Name: AssistantFull, Weight: 1.0, Include: "full"},
		{Name: ToolCalls, Weight: 0.7, Include: "tools"},
	}
}

// Lookup returns the surface called name; ok is false when there is none.
func Lookup(name Name) (s Surface, ok bool) {
	for _, s := range All() {
		if s.Name == name {
			return s, true
		}
	}
	return Surface{}, false
}

// A Set is a set of surfaces. The zero value is empty.
type Set uint16

// Of returns the set of the given names. Unknown names are left out.
func Of(names ...Name) Set {
	var s Set
	for _, n := range names {
		s |= 1 << Index(n) >> 1
	}
	return s
}

// Index returns 1 for the first of All, 2 for the second, and 0 for a name
// that is unknown.
func Index(name Name) int {
	for i, s := range All() {
		if s.Name == name {
			return i + 1
		}
	}
	return 0
}

// Has reports whether name is in the set.
func (s Set) Has(name Name) bool { i := Index(name); return i > 0 && s>>(i-1)&1 == 1 }

// With returns the union of both sets.
func (s Set) With(t Set) Set { return s | t }

// Names lists the set in the order of All; an empty set gives an empty, non-nil slice.
func (s Set) Names() []Name {
	names := []Name{}
	for _, v := range All() {
		if s.Has(v.Name) {
			names = append(names, v.Name)
		}
	}
	return names
}

// String joins the names with commas.
func (s Set) String() string {
	parts := make([]string, 0, 6)
	for _, n := range s.Names() {
		parts = append(parts, string(n))
	}
	return strings.Join(parts, ",")
}

// Parse returns the set that the names spell, or an error that names the first
// unknown one and lists what there is.
func Parse(names ...string) (Set, error) {
	var s Set
	for _, n := range names {
		if Index(Name(n)) == 0 {
			return 0, fmt.Errorf("unknown surface %q: one of %s", n, (^Set(0)).String())
		}
		s |= Of(Name(n))
	}
	return s, nil
}

// Defaults is the set of surfaces that a corpus keeps when nothing else is asked.
func Defaults() Set {
	var s Set
	for _, v := range All() {
		if v.Default {
			s |= Of(v.Name)
		}
	}
	return s
}
