package sources

import (
	"encoding/json"
	"time"

	"github.com/hansard-search/hansard/sources/internal/jsonl"
)

// codexLine is one line of a rollout.
type codexLine struct {
	kind    string // session_meta, turn_context, response_item, event_msg, compacted
	of      string // type of the payload
	time    moment
	payload jsonl.Node
}

// codexParse reads a line. Rollouts of early versions have no envelope: there
// the line is what is elsewhere the payload.
func codexParse(v jsonl.Node) (l codexLine) {
	v.Members(func(name []byte, v jsonl.Node) bool {
		switch string(name) {
		case "type":
			l.kind = v.String()
		case "timestamp":
			l.time = momentOf(v)
		case "payload":
			l.payload = v
		}
		return true
	})
	switch {
	case l.payload.Kind() != 0:
		l.of = l.payload.Get("type").String()
	case l.kind == "" && v.Get("id").Kind() == '"':
		l.kind, l.payload = "session_meta", v
	case l.kind != "":
		l.of, l.kind, l.payload = l.kind, "response_item", v
	}
	return l
}

// acts tells whether the line shows the agent at work. A prompt that waits for its
// clean form will get none then.
func (l codexLine) acts() bool {
	switch l.of {
	case "message":
		return l.payload.Get("role").String() == "assistant"
	case "user_message", "token_count", "task_started", "turn_started":
		return false
	}
	return true
}

// codexLane tells who drives the session. "" is a person.
func codexLane(source jsonl.Node, originator string) Lane {
	switch s := source.String(); {
	case source.Kind() == '{' && source.Get("subagent").Kind() != 0:
		return Subagent
	case s == "exec" || s == "mcp" || s == "" && originator == "codex_exec":
		return Headless
	}
	return ""
}

// codexState is what lines leave behind for later ones.
type codexState struct {
	Session bool      `json:"s,omitempty"`  // the header was seen
	Chain   string    `json:"id,omitempty"` // id of the oldest ancestor, then of the prompt before
	Prompts bool      `json:"p,omitempty"`  // there was a prompt
	Clean   bool      `json:"ev,omitempty"` // prompts have a line of their own, without what is put before them
	Turn    string    `json:"t,omitempty"`  // unique id of the turn that is open
	Open    bool      `json:"o,omitempty"`  // a turn was started and did not end
	Busy    bool      `json:"b,omitempty"`  // and has its prompt
	Cwd     string    `json:"cwd,omitempty"`
	Branch  string    `json:"br,omitempty"`
	Model   string    `json:"m,omitempty"`
	Lane    Lane      `json:"l,omitempty"`
	Tokens  int64     `json:"u,omitempty"` // counted so far, by the format's own total
	Time    time.Time `json:"at,omitzero"` // of the line before
}

func (s codexState) carry() string {
	b, _ := json.Marshal(s) // strings, flags, a number and a time that was read: cannot fail
	return string(b)
}

// codexSaid counts a text of the agent: it is written twice, as an item of the
// conversation and as an event for the screen.
type codexSaid struct{ items, events int }
