package sources

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"strings"

	"github.com/hansard-search/hansard/sources/internal/jsonl"
)

// Events reads the transcript on from a position. Carry is a piState. A file that
// does not begin with a session header (an oh-my-pi title line may stand before it)
// is not pi's: one *Skipped says so, and nothing else is yielded.
func (t piTranscript) Events(ctx context.Context, from Position) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		r := piReader{caps: t.caps, session: from.Offset > 0}
		if from.Carry != "" {
			// A carry that cannot be read is an old one: the cwd is lost, no more.
			_ = json.Unmarshal([]byte(from.Carry), &r.state)
		}
		for l, err := range values(ctx, t.info.Path, from) {
			if err != nil {
				if !yield(Event{}, err) {
					return
				}
				continue
			}
			e := piParse(l.node)
			if !r.session && string(e.kind) != "session" && string(e.kind) != "title" {
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

// piReader turns entries into events.
type piReader struct {
	caps    Caps
	session bool // the header was seen
	state   piState
	last    string  // id of the entry before
	out     []Event // what one entry says, overwritten by the next
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
	if e.id != "" {
		r.last = e.id
	}
	hangs := r.state.Hang != "" && e.parent == r.state.Hang
	switch {
	case string(e.kind) == "message":
		parent = e.parent
		if hangs {
			parent = r.state.On
		}
		r.state.Hang, r.state.On = "", ""
		return parent
	case hangs:
		r.state.Hang = e.id
	case e.parent != "" && e.parent != last:
		r.state.Hang, r.state.On = e.id, e.parent
	}
	return e.parent
}

// events are what one entry says.
func (r *piReader) events(e *piEntry, l value) []Event {
	before := r.state
	base := Event{ID: e.id, Parent: r.place(e), Time: e.time.Time, Span: l.span()}
	switch string(e.kind) {
	case "session":
		return r.header(e, base)
	case "title":
		return single(base, Title, strings.TrimSpace(e.title.String()))
	case "session_info":
		return single(base, Title, strings.TrimSpace(e.name.String()))
	case "message":
		return r.message(e, l, before, base)
	case "custom_message":
		text, _ := blockList(e.content).text(0)
		return single(base, Notification, piLabel(e.customType.String(), text))
	case "compaction":
		// retainedTail, which newer versions add, holds copies: it is not read.
		return append(single(base, Compaction, ""), summaryOf(base, e.summary.String(), 0)...)
	case "branch_summary":
		if s := summaryOf(base, e.summary.String(), OfBranch); s != nil {
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
	r.session, r.state.Cwd = true, e.cwd.String()
	base.Kind, base.Cwd, base.Parent = Start, r.state.Cwd, e.parentSession.String()
	if base.Parent == "" {
		base.Parent = e.branchedFrom.String()
	}
	return []Event{base}
}

func (r *piReader) message(e *piEntry, l value, before piState, base Event) []Event {
	m := piParseMessage(e.message)
	if base.Time.IsZero() {
		base.Time = m.time.Time
	}
	switch string(m.role) {
	case "user":
		return piPrompt(&m, l, before, base)
	case "assistant":
		return r.assistant(&m, l, base)
	case "toolResult":
		base.Tool = Tool{ID: m.callID.String(), Name: m.tool.String()}
		if m.isError.True() {
			base.Flags |= Error
		}
		text := ""
		if r.caps.Result > 0 {
			text, _ = m.content.text(r.caps.Result)
		}
		base.Kind, base.Text = ToolResult, clip(text, max(0, r.caps.Result))
		r.out = append(r.out[:0], base)
		return r.out
	case "bashExecution":
		return r.bash(&m, base)
	case "custom", "hookMessage":
		text, _ := m.content.text(0)
		return single(base, Notification, piLabel(m.customType.String(), text))
	case "compactionSummary":
		return append(piChain(base), summaryOf(base, m.summary.String(), 0)...)
	case "branchSummary":
		return append(piChain(base), summaryOf(base, m.summary.String(), OfBranch)...)
	}
	return piChain(base)
}

// piPrompt reads a user's message. Its id is the same in every version of the
// format: when the prompt was sent, and a hash of its words.
func piPrompt(m *piMessage, l value, before piState, base Event) []Event {
	raw, image := m.content.text(0)
	base.Text = piStripSkill(raw)
	if base.Text == "" && image {
		base.Text = "[image]"
	}
	if base.Text == "" {
		return piChain(base)
	}
	sent := m.time.or(base.Time)
	base.Entry = base.ID
	base.ID = promptID(sent, raw)
	base.Kind, base.Time, base.Cwd = Prompt, sent, before.Cwd
	base.From = l.position(before.carry())
	return []Event{base}
}

// assistant reads a reply: one line is one message of the API. What was said
// before an abort or an error is kept, and stands before the event that ends it.
func (r *piReader) assistant(m *piMessage, l value, base Event) []Event {
	base.Model, base.Stop, base.Usage = m.model.String(), m.stop.String(), piTokens(m.usage)
	base.Group = base.ID
	if base.Group == "" {
		base.Group = fmt.Sprintf("@%d", l.offset)
	}
	events := r.out[:0]
	calls := false
	m.content.blocks(func(kind []byte, b jsonl.Node) {
		switch string(kind) {
		case "text":
			if text := b.Get("text").String(); strings.TrimSpace(text) != "" {
				events = append(events, base)
				last := &events[len(events)-1]
				last.Kind, last.Text = AssistantText, text
			}
		case "thinking":
			events = append(events, base) // nobody reads what was thought
			events[len(events)-1].Kind = Thinking
		case "toolCall":
			calls = true
			events = append(events, base)
			last := &events[len(events)-1]
			last.Kind, last.Tool = ToolCall, piTool(b, r.caps)
		}
	})
	switch {
	case base.Stop == "aborted":
		events = append(events, single(base, Interrupt, "")...)
	case base.Stop == "error":
		events = append(events, single(base, Failure, m.err.String())...)
	case (base.Stop == "stop" || base.Stop == "length") && !calls:
		events = append(events, single(base, TurnEnd, "")...)
	case len(events) == 0:
		events = append(events, piChain(base)...)
	}
	r.out = events
	return events
}

// bash reads a command that the human ran from the agent's prompt. It is no
// call of the agent's, which would leave the turn open: only a result, with
// the command as its first line.
func (r *piReader) bash(m *piMessage, base Event) []Event {
	base.Tool = Tool{Name: "bash", Command: clip(m.command.String(), max(0, r.caps.call()))}
	if m.exit.Int() != 0 {
		base.Flags |= Error
	}
	text := "$ " + base.Tool.Command
	if r.caps.Result > 0 {
		text += "\n" + clip(m.output.Ends(r.caps.Result), r.caps.Result)
	}
	return single(base, ToolResult, text)
}

// piChain keeps an entry that says nothing in the chain of parents.
func piChain(base Event) []Event {
	if base.ID == "" {
		return nil
	}
	base.Text = ""
	return single(base, Other, "")
}
