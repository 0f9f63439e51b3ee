// Package stored is the form in which turns and session records are kept in shards
// beside the texts that are found: their meta and messages, the names of their facets,
// the flags of their rows. It opens no shard.
//
// Meta and messages are JSON: they are opened for the few documents that are shown,
// compress well, and unknown fields of a later version do no harm. Texts are redacted
// before they come here.
package stored

import (
	"cmp"
	"encoding/json"
	"fmt"
	"time"

	"github.com/hansard-search/hansard/corpus/internal/shard"
	"github.com/hansard-search/hansard/segment"
	"github.com/hansard-search/hansard/sources"
	"github.com/hansard-search/hansard/surfaces"
)

// Flags of a turn's document (shard.Head.Flags). The upper 24 bits hold the
// number of its messages.
const (
	FlagTools     = 1 << 0 // the turn called tools: its answer counts more
	FlagAbandoned = 1 << 1 // not on the path to the session's last entry
	FlagPartial   = 1 << 2 // the answer is the last text seen, not a final one
	FlagCopied    = 1 << 3 // it stands in more than one session
	FlagGenerated = 1 << 4 // the agent's program composed the prompt

	MessageShift = 8         // where the number of messages begins
	MaxMessages  = 1<<24 - 1 // what it can be at most
)

// A Turn is what a hit shows of a turn beside its passages.
type Turn struct {
	ID        string              `json:"id"`
	Source    string              `json:"src"`
	Lane      sources.Lane        `json:"lane,omitempty"`
	Project   string              `json:"proj,omitempty"`
	Cwd       string              `json:"cwd,omitempty"`
	Branch    string              `json:"br,omitempty"`
	Models    []string            `json:"mod,omitempty"`
	State     segment.State       `json:"st"`
	Tools     []segment.ToolCount `json:"tools,omitempty"`
	Paths     []string            `json:"paths,omitempty"`
	Commands  []string            `json:"cmds,omitempty"`
	Usage     sources.Usage       `json:"use,omitzero"`
	Places    []Place             `json:"at"`          // the first is where the content was taken from
	Prompt    string              `json:"p,omitempty"` // only when no passage holds it
	Answer    string              `json:"a,omitempty"` // only when no passage holds it
	Partial   bool                `json:"part,omitempty"`
	Abandoned bool                `json:"aband,omitempty"`
	Generated bool                `json:"gen,omitempty"`
}

// A Place is one session in which a turn stands. Resumes and forks copy turns,
// so a turn may have several.
type Place struct {
	Session  string `json:"s"`
	Path     string `json:"p"`
	Began    int64  `json:"b"`           // the session's first event, Unix milliseconds
	First    int    `json:"f,omitempty"` // index of the turn's first message in the session
	Messages int    `json:"n,omitempty"`
	Complete bool   `json:"c,omitempty"`
}

// Better reports whether content is taken from p rather than from q: the place
// with most messages, then complete, then of the earliest session, then of the
// smallest id. It is an order, so that any order of reading gives the same turn.
func (p Place) Better(q Place) bool {
	switch {
	case p.Messages != q.Messages:
		return p.Messages > q.Messages
	case p.Complete != q.Complete:
		return p.Complete
	case p.Began != q.Began:
		return p.Began < q.Began
	}
	return p.Session < q.Session
}

// A Session is what a session record keeps beside its title and summaries.
type Session struct {
	ID        string       `json:"id"`
	Source    string       `json:"src"`
	Path      string       `json:"path"`
	Lane      sources.Lane `json:"lane,omitempty"`
	Project   string       `json:"proj,omitempty"`
	Parent    string       `json:"par,omitempty"`
	Links     []string     `json:"links,omitempty"`
	Created   int64        `json:"c,omitempty"`    // first event, Unix milliseconds
	Summaries []Summary    `json:"sums,omitempty"` // one a session_summary passage, in order
}

// A Summary says where a summary comes from and what it covers: the turns of
// the session up to After.
type Summary struct {
	Kind   string `json:"k,omitempty"`
	Time   int64  `json:"t,omitempty"` // Unix milliseconds
	Offset int64  `json:"o,omitempty"` // where it stands in the transcript
	After  string `json:"a,omitempty"` // id of a turn
}

// A Message is segment.Message as it is kept. A text that is the turn's prompt or
// its answer is not kept twice: Same says which it is.
type Message struct {
	Role segment.Role `json:"r"`
	Time int64        `json:"t,omitempty"` // Unix milliseconds; 0: not told
	Tool string       `json:"n,omitempty"`
	Text string       `json:"x,omitempty"`
	Same string       `json:"s,omitempty"`
}

// What Message.Same may say.
const (
	samePrompt = "p"
	sameAnswer = "a"
)

// PackMessages is how the messages of a turn with that prompt and answer are kept.
func PackMessages(ms []segment.Message, prompt, answer string) []byte {
	return AppendMessages(nil, KeptMessages(nil, ms, prompt, answer))
}

// KeptMessages appends messages to kept, in the form in which they are kept.
func KeptMessages(kept []Message, ms []segment.Message, prompt, answer string) []Message {
	for i := range ms {
		m := &ms[i]
		k := Message{Role: m.Role, Tool: m.Tool, Text: m.Text}
		switch {
		case m.Text == "":
		case m.Role == segment.User && m.Text == prompt:
			k.Text, k.Same = "", samePrompt
		case m.Role == segment.Assistant && m.Text == answer:
			k.Text, k.Same = "", sameAnswer
		}
		if !m.Time.IsZero() {
			k.Time = m.Time.UnixMilli()
		}
		kept = append(kept, k)
	}
	return kept
}

// UnpackMessages reads what PackMessages made; nothing is no messages.
func UnpackMessages(b []byte, prompt, answer string) ([]segment.Message, error) {
	var kept []Message
	if len(b) == 0 {
		return nil, nil
	}
	if err := json.Unmarshal(b, &kept); err != nil {
		return nil, fmt.Errorf("stored messages: %w", err)
	}
	ms := make([]segment.Message, len(kept))
	for i, m := range kept {
		ms[i] = segment.Message{Role: m.Role, Tool: m.Tool, Text: m.Text}
		switch m.Same {
		case samePrompt:
			ms[i].Text = prompt
		case sameAnswer:
			ms[i].Text = answer
		}
		if m.Time != 0 {
			ms[i].Time = time.UnixMilli(m.Time).UTC()
		}
	}
	return ms, nil
}

// UnpackTurn reads what AppendTurn made. A turn has a place.
func UnpackTurn(b []byte) (*Turn, error) {
	m, ok := quickTurn(b)
	if !ok {
		m = new(Turn)
		if err := json.Unmarshal(b, m); err != nil {
			return nil, fmt.Errorf("stored turn: %w", err)
		}
	}
	if len(m.Places) == 0 {
		return nil, fmt.Errorf("stored turn %q has no place", m.ID)
	}
	return m, nil
}

// UnpackSession reads what encoding/json made of a Session.
func UnpackSession(b []byte) (*Session, error) {
	m := new(Session)
	if err := json.Unmarshal(b, m); err != nil {
		return nil, fmt.Errorf("stored session: %w", err)
	}
	return m, nil
}

// Texts returns the prompt and the answer of a stored turn.
func (m *Turn) Texts(ps []shard.Passage) (prompt, answer string) {
	prompt, answer = m.Prompt, m.Answer
	for _, p := range ps {
		switch p.Surface {
		case surfaces.UserPrompt:
			prompt = cmp.Or(prompt, p.Text)
		case surfaces.AssistantSummary:
			answer = cmp.Or(answer, p.Text)
		}
	}
	return prompt, answer
}
