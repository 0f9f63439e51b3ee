package corpus

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/hansard-search/hansard/corpus/internal/shard"
	"github.com/hansard-search/hansard/segment"
	"github.com/hansard-search/hansard/sources"
	"github.com/hansard-search/hansard/surfaces"
)

// What a document keeps beside its passages. Meta and Messages are JSON: they
// are opened for the few documents that are shown, compress well, and unknown
// fields of a later version do no harm. Texts are redacted before they come here.

// Flags of a turn's document (shard.Head.Flags). The upper 24 bits hold the
// number of its messages.
const (
	flagTools     = 1 << 0 // the turn called tools: its answer counts more
	flagAbandoned = 1 << 1 // not on the path to the session's last entry
	flagPartial   = 1 << 2 // the answer is the last text seen, not a final one
	flagCopied    = 1 << 3 // it stands in more than one session
	flagGenerated = 1 << 4 // the agent's program composed the prompt

	messageShift = 8
	maxMessages  = 1<<24 - 1
)

// turnMeta is what a hit shows of a turn beside its passages.
type turnMeta struct {
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
	Places    []place             `json:"at"`          // the first is where the content was taken from
	Prompt    string              `json:"p,omitempty"` // only when no passage holds it
	Answer    string              `json:"a,omitempty"` // only when no passage holds it
	Partial   bool                `json:"part,omitempty"`
	Abandoned bool                `json:"aband,omitempty"`
	Generated bool                `json:"gen,omitempty"`
}

// A place is one session in which a turn stands. Resumes and forks copy turns,
// so a turn may have several.
type place struct {
	Session  string `json:"s"`
	Path     string `json:"p"`
	Began    int64  `json:"b"`           // the session's first event, Unix milliseconds
	First    int    `json:"f,omitempty"` // index of the turn's first message in the session
	Messages int    `json:"n,omitempty"`
	Complete bool   `json:"c,omitempty"`
}

// better reports whether content is taken from p rather than from q: the place
// with most messages, then complete, then of the earliest session, then of the
// smallest id. It is an order, so that any order of reading gives the same turn.
func (p place) better(q place) bool {
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

// sessionMeta is what a session record keeps beside its title and summaries.
type sessionMeta struct {
	ID        string        `json:"id"`
	Source    string        `json:"src"`
	Path      string        `json:"path"`
	Lane      sources.Lane  `json:"lane,omitempty"`
	Project   string        `json:"proj,omitempty"`
	Parent    string        `json:"par,omitempty"`
	Links     []string      `json:"links,omitempty"`
	Created   int64         `json:"c,omitempty"`
	Summaries []summaryMeta `json:"sums,omitempty"` // one a session_summary passage, in order
}

// summaryMeta says where a summary comes from and what it covers: the turns of
// the session up to After.
type summaryMeta struct {
	Kind   string `json:"k,omitempty"`
	Time   int64  `json:"t,omitempty"`
	Offset int64  `json:"o,omitempty"`
	After  string `json:"a,omitempty"`
}

// message is segment.Message as it is kept. A text that is the turn's prompt or
// its answer is not kept twice: Same says which it is.
type message struct {
	Role segment.Role `json:"r"`
	Time int64        `json:"t,omitempty"`
	Tool string       `json:"n,omitempty"`
	Text string       `json:"x,omitempty"`
	Same string       `json:"s,omitempty"`
}

// What message.Same may say.
const (
	samePrompt = "p"
	sameAnswer = "a"
)

func packMessages(ms []segment.Message, prompt, answer string) []byte {
	return appendMessages(nil, keptMessages(nil, ms, prompt, answer))
}

func keptMessages(kept []message, ms []segment.Message, prompt, answer string) []message {
	for i := range ms {
		m := &ms[i]
		k := message{Role: m.Role, Tool: m.Tool, Text: m.Text}
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

func unpackMessages(b []byte, prompt, answer string) ([]segment.Message, error) {
	var kept []message
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

func unpackTurn(b []byte) (*turnMeta, error) {
	m, ok := quickTurn(b)
	if !ok {
		m = new(turnMeta)
		if err := json.Unmarshal(b, m); err != nil {
			return nil, fmt.Errorf("stored turn: %w", err)
		}
	}
	if len(m.Places) == 0 {
		return nil, fmt.Errorf("stored turn %q has no place", m.ID)
	}
	return m, nil
}

func unpackSession(b []byte) (*sessionMeta, error) {
	m := new(sessionMeta)
	if err := json.Unmarshal(b, m); err != nil {
		return nil, fmt.Errorf("stored session: %w", err)
	}
	return m, nil
}

// texts returns the prompt and the answer of a stored turn.
func (m *turnMeta) texts(ps []shard.Passage) (prompt, answer string) {
	prompt, answer = m.Prompt, m.Answer
	for _, p := range ps {
		switch p.Surface {
		case surfaces.UserPrompt:
			prompt = orElse(prompt, p.Text)
		case surfaces.AssistantSummary:
			answer = orElse(answer, p.Text)
		}
	}
	return prompt, answer
}

// orElse returns s, or t when s is empty.
func orElse(s, t string) string {
	if s != "" {
		return s
	}
	return t
}
