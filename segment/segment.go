// Package segment finds where one thing ends: it cuts a transcript's events
// into turn pairs, and keeps what they say about their session.
//
// It knows kinds of events, no formats, no files, no clock and no index. It is
// pure: the same events give the same turns.
package segment

import (
	"time"

	"github.com/hansard-search/hansard/sources"
)

// State says how a turn ended.
type State string

// The states of a turn.
const (
	Final       State = "final"       // the agent answered and stopped
	Open        State = "open"        // the agent was still working when the transcript ends
	Interrupted State = "interrupted" // the human stopped the agent
	Failed      State = "failed"      // the last thing was an error instead of an answer
	NoReply     State = "noreply"     // nothing followed the prompt
)

// A Turn is one human prompt and everything until the agent stops or the next
// prompt comes.
type Turn struct {
	ID        string // native prompt id; ":2", ":3" for the same id with other prompt text
	Source    string // kind of agent
	Session   string // native session id
	Path      string // of the transcript
	Lane      sources.Lane
	Project   string      // the session's first cwd
	Cwd       string      // at the prompt
	Branch    string      // at the prompt
	Models    []string    // in the order in which they answered first
	Prompt    string      // whole, steering appended after blank lines
	Summary   string      // the strict final text; "" when there is none
	Partial   string      // the last text seen, in a turn without Summary
	Texts     []string    // every text of the assistant in order, no thinking
	Tools     []ToolCount // one a name, most used first, then by name
	Paths     []string    // files touched, in order of first touch, each once
	Commands  []string    // first words of shell commands, in order, each once
	ToolTexts []string    // tool calls as text, in order
	Messages  []Message
	Usage     sources.Usage
	Created   time.Time // first event
	Updated   time.Time // last event that belongs to the turn (latest time)
	State     State
	Abandoned bool   // not on the path to the session's last entry
	Generated bool   // the prompt was composed by the agent's program
	First     int    // index of its first message within the session
	LastID    string // native id of its last chain entry, for family links
	From      sources.Position
}

// Answer is the summary, or the partial text of a turn without one.
func (t *Turn) Answer() string {
	if t.Summary != "" {
		return t.Summary
	}
	return t.Partial
}

// ToolCount says how often a tool was called in a turn.
type ToolCount struct {
	Name  string `json:"name"`
	Count int    `json:"count"`
}

// Role says who speaks in a message.
type Role string

// The roles of messages.
const (
	User      Role = "user"
	Assistant Role = "assistant"
	ToolUse   Role = "tool" // a tool's result; a call is a message of the assistant with Tool set
)

// A Message is the atom of a window: one text, call or result.
type Message struct {
	Role Role
	Time time.Time
	Tool string // name, for calls and results
	Text string
}

// A Session is what a transcript says of itself as a whole.
type Session struct {
	ID               string       `json:",omitzero"`
	Source           string       `json:",omitzero"`
	Path             string       `json:",omitzero"`
	Lane             sources.Lane `json:",omitzero"`  // of its first turn
	Project          string       `json:",omitzero"`  // first cwd
	Parent           string       `json:",omitzero"`  // id or path of the session it continues or was spawned by
	Links            []string     `json:",omitempty"` // native ids of entries elsewhere that it continues (dangling compaction parents)
	Titles           [5]string    `json:",omitzero"`  // by rank; the highest non-empty one is the name
	Created          time.Time    `json:",omitzero"`  // first event that tells a time
	Updated          time.Time    `json:",omitzero"`  // latest event
	Summaries        []Summary    `json:",omitempty"`
	UnknownSummaries int          `json:",omitzero"` // summary lines about other sessions: counted, not kept
}

// Title is the session's name, "" when it has none.
func (s *Session) Title() string {
	for i := len(s.Titles) - 1; i >= 0; i-- {
		if s.Titles[i] != "" {
			return s.Titles[i]
		}
	}
	return ""
}

// A Summary is text that the agent wrote about many turns of its session.
type Summary struct {
	Text   string
	Kind   string // "compaction" or "branch"
	Time   time.Time
	Offset int64  // where it stands in the transcript
	After  string // id of the turn in which it stands; the turns up to it are what it covers
}
