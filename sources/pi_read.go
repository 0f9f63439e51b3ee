package sources

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"strconv"
	"strings"
)

// Events reads the transcript on from a position. Carry is a piState. A file that does not begin with a session
// header (an oh-my-pi title line may stand before it) is not pi's: one
// *Skipped says so, and nothing else is yielded.
func (t piTranscript) Events(ctx context.Context, from Position) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		r := piReader{caps: t.caps, session: from.Offset > 0}
		if from.Carry != "" {
			// A carry that cannot be read is an old one: the cwd is lost, no more.
			_ = json.Unmarshal([]byte(from.Carry), &r.state)
		}
		for l, err := range piLines(ctx, t.info.Path, from) {
			if err != nil {
				yield(Event{}, err)
				return
			}
			var e piEntry
			if err := json.Unmarshal(l.value, &e); l.err == nil && err != nil && !piLenient(err) {
				l.err = err
			}
			if l.err != nil {
				if !yield(Event{}, &Skipped{t.info.Path, l.line + 1, l.err.Error()}) {
					return
				}
				continue
			}
			if !r.session && e.Type != "session" && e.Type != "title" {
				yield(Event{}, &Skipped{t.info.Path, l.line + 1, "not a session: the file does not begin with a session header"})
				return
			}
			for _, ev := range r.events(&e, l) {
				if !yield(ev, nil) {
					return
				}
			}
		}
	}
}

// piLenient tells errors about single fields of an unexpected type: the other
// fields are read all the same.
func piLenient(err error) bool {
	var field *json.UnmarshalTypeError
	return errors.As(err, &field)
}

// piReader turns entries into events.
type piReader struct {
	caps    Caps
	session bool // the header was seen
	state   piState
	last    string // id of the entry before
}

// piState is what lines leave behind for later ones.
//
// When a human goes back in the tree, entries that are no messages (the
// summary of the branch that is left, a label) may come first on the new branch.
// They stand after the old branch in the file, so that whoever goes by line order
// would take them for a part of it. The first message after them is therefore
// said to hang where they do.
type piState struct {
	Cwd  string `json:"cwd,omitempty"`  // of the header
	Hang string `json:"hang,omitempty"` // the last of such entries
	On   string `json:"on,omitempty"`   // what they hang on
}

// carry is the state as Position keeps it, "" for the zero state.
func (s piState) carry() string {
	if s == (piState{}) {
		return ""
	}
	b, _ := json.Marshal(s) // three strings: cannot fail
	return string(b)
}

// place follows the tree, and returns the parent that the entry is said to have.
func (r *piReader) place(e *piEntry) (parent string) {
	last := r.last
	if e.ID != "" {
		r.last = e.ID
	}
	hangs := r.state.Hang != "" && e.ParentID == r.state.Hang
	switch {
	case e.Type == "message":
		parent = e.ParentID
		if hangs {
			parent = r.state.On
		}
		r.state.Hang, r.state.On = "", ""
		return parent
	case hangs:
		r.state.Hang = e.ID
	case e.ParentID != "" && e.ParentID != last:
		r.state.Hang, r.state.On = e.ID, e.ParentID
	}
	return e.ParentID
}

// events are what one entry says.
func (r *piReader) events(e *piEntry, l piLine) []Event {
	before := r.state
	base := Event{ID: e.ID, Parent: r.place(e), Time: e.Time.or(e.Message.Time), Span: l.span()}
	switch e.Type {
	case "session":
		return r.header(e, base)
	case "title":
		return piOne(base, Title, e.Title+e.Name)
	case "session_info":
		return piOne(base, Title, strings.TrimSpace(e.Name))
	case "message":
		return r.message(e, l, before, base)
	case "custom_message":
		text, _ := e.Content.text()
		return piOne(base, Notification, piLabel(e.CustomType, text))
	case "compaction":
		// retainedTail, which newer versions add, holds copies: it is not read.
		return append(piOne(base, Compaction, ""), piSummary(base, e.Summary, 0)...)
	case "branch_summary":
		if s := piSummary(base, e.Summary, OfBranch); s != nil {
			return s
		}
	}
	return piChain(base)
}

// header opens the session. Only the first one counts.
func (r *piReader) header(e *piEntry, base Event) []Event {
	if r.session {
		return nil
	}
	r.session, r.state.Cwd = true, e.Cwd
	base.Kind, base.Cwd, base.Parent = Start, e.Cwd, e.ParentSession
	if base.Parent == "" {
		base.Parent = e.BranchedFrom
	}
	return []Event{base}
}

func (r *piReader) message(e *piEntry, l piLine, before piState, base Event) []Event {
	m := &e.Message
	switch m.Role {
	case "user":
		return piPrompt(e, l, before, base)
	case "assistant":
		return r.assistant(m, l, base)
	case "toolResult":
		base.Tool = Tool{ID: m.ToolCallID, Name: m.ToolName}
		if m.IsError {
			base.Flags |= Error
		}
		text, _ := m.Content.text()
		return piOne(base, ToolResult, piCut(text, r.caps.Result, 0))
	case "bashExecution":
		return r.bash(m, base)
	case "custom", "hookMessage":
		text, _ := m.Content.text()
		return piOne(base, Notification, piLabel(m.CustomType, text))
	case "compactionSummary":
		return append(piChain(base), piSummary(base, m.Summary, 0)...)
	case "branchSummary":
		return append(piChain(base), piSummary(base, m.Summary, OfBranch)...)
	}
	return piChain(base)
}

// piPrompt reads a user's message. Its id is the same in every version of the
// format: when the prompt was sent, and a hash of its words.
func piPrompt(e *piEntry, l piLine, before piState, base Event) []Event {
	raw, image := e.Message.Content.text()
	base.Text = piStripSkill(raw)
	if base.Text == "" && image {
		base.Text = "[image]"
	}
	if base.Text == "" {
		return piChain(base)
	}
	sent := e.Message.Time.or(e.Time)
	sum := sha256.Sum256([]byte(raw))
	base.Entry = base.ID
	base.ID = strconv.FormatInt(sent.UnixMilli(), 10) + "-" + hex.EncodeToString(sum[:4])
	base.Kind, base.Time, base.Cwd = Prompt, sent, before.Cwd
	base.From = l.position(before.carry())
	return []Event{base}
}

// assistant reads a reply: one line is one message of the API. What was said
// before an abort or an error is kept, and stands before the event that ends it.
func (r *piReader) assistant(m *piMessage, l piLine, base Event) []Event {
	base.Model, base.Stop, base.Usage = m.Model, m.StopReason, m.Usage.usage()
	base.Group = base.ID
	if base.Group == "" {
		base.Group = fmt.Sprintf("@%d", l.offset)
	}
	var events []Event
	calls := false
	for _, b := range m.Content {
		switch b.Type {
		case "text":
			if strings.TrimSpace(b.Text) != "" {
				events = append(events, piOne(base, AssistantText, b.Text)...)
			}
		case "thinking":
			events = append(events, piOne(base, Thinking, b.Thinking)...)
		case "toolCall":
			calls = true
			ev := base
			ev.Kind, ev.Tool = ToolCall, piTool(b.ID, b.Name, b.Arguments, r.caps)
			events = append(events, ev)
		}
	}
	switch {
	case m.StopReason == "aborted":
		events = append(events, piOne(base, Interrupt, "")...)
	case m.StopReason == "error":
		events = append(events, piOne(base, Failure, m.ErrorMessage)...)
	case (m.StopReason == "stop" || m.StopReason == "length") && !calls:
		events = append(events, piOne(base, TurnEnd, "")...)
	case len(events) == 0:
		events = piChain(base)
	}
	return events
}

// bash reads a command that the human ran from the agent's prompt. It is no
// call of the agent's, which would leave the turn open: only a result, with
// the command as its first line.
func (r *piReader) bash(m *piMessage, base Event) []Event {
	base.Tool = Tool{Name: "bash", Command: piCut(m.Command, r.caps.Call, piCallCap)}
	if m.ExitCode != 0 {
		base.Flags |= Error
	}
	text := "$ " + base.Tool.Command
	if out := piCut(m.Output, r.caps.Result, 0); out != "" {
		text += "\n" + out
	}
	return piOne(base, ToolResult, text)
}

// piOne is a single event of a kind. Titles here have the rank of session info.
func piOne(base Event, k Kind, text string) []Event {
	base.Kind, base.Text = k, text
	if k == Title {
		base.Rank = 2
	}
	return []Event{base}
}

// piChain keeps an entry that says nothing in the chain of parents.
func piChain(base Event) []Event {
	if base.ID == "" {
		return nil
	}
	base.Text = ""
	return piOne(base, Other, "")
}

// piSummary is nil when there is no text.
func piSummary(base Event, text string, f Flags) []Event {
	if text = strings.TrimSpace(text); text == "" {
		return nil
	}
	base.Flags |= f
	return piOne(base, Summary, text)
}
