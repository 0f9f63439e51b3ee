package sources

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"strings"

	"github.com/hansard-search/hansard/sources/internal/jsonl"
)

// Events reads the rollout on from a position. Carry is a codexState.
func (t codexTranscript) Events(ctx context.Context, from Position) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		r := codexReader{caps: t.caps}
		if from.Carry != "" {
			// A carry that cannot be read is an old one: what it said is lost, no more.
			_ = json.Unmarshal([]byte(from.Carry), &r.state)
		}
		for l, err := range values(ctx, t.info.Path, from) {
			if err != nil {
				if !yield(Event{}, err) {
					return
				}
				continue
			}
			for _, e := range r.events(codexParse(l.node), l) {
				if !yield(e, nil) {
					return
				}
			}
		}
	}
}

// codexReader turns lines into events. What is not in its state is forgotten at
// each prompt.
type codexReader struct {
	caps  Caps
	state codexState

	said  map[string]*codexSaid // texts of the agent since the prompt
	calls map[string]bool       // ids of calls since the prompt
	group string                // of the latest event of the agent's since the prompt
	asked *Event                // a prompt that waits for its clean form
}

// events are what one line says.
func (r *codexReader) events(l codexLine, at value) []Event {
	before := r.state
	if l.time.IsZero() {
		l.time.Time = before.Time // early versions stamp only the header
	}
	r.state.Time = l.time.Time
	base := Event{Time: l.time.Time, Span: at.span(), Cwd: r.state.Cwd, Branch: r.state.Branch}
	if l.kind == "session_meta" {
		r.asked = nil // what stands before a header is not said in its session
		return r.header(l.payload, base)
	}
	if l.kind == "turn_context" {
		r.context(l.payload)
		return nil
	}
	var events []Event
	if r.asked != nil && l.acts() {
		events = append(events, r.prompt(*r.asked))
	}
	switch l.kind {
	case "compacted":
		events = append(events, single(base, Compaction, "")...)
		events = append(events, summaryOf(base, l.payload.Get("message").String(), 0)...)
	case "response_item":
		events = append(events, r.item(l, base, at, before)...)
	case "event_msg":
		events = append(events, r.event(l, base, at, before)...)
	}
	return events
}

// header opens the session. The headers after the first are those of the
// sessions that it was forked from, the oldest last.
func (r *codexReader) header(p jsonl.Node, base Event) []Event {
	id := p.Get("id").String()
	if id != "" && !r.state.Prompts {
		r.state.Chain = id
	}
	if r.state.Session {
		return nil
	}
	r.state.Session = true
	r.state.Cwd, r.state.Branch = p.Get("cwd").String(), p.Get("git").Get("branch").String()
	r.state.Lane = codexLane(p.Get("source"), p.Get("originator").String())
	base.Kind, base.ID, base.Cwd, base.Branch = Start, id, r.state.Cwd, r.state.Branch
	spawn := p.Get("source").Get("subagent").Get("thread_spawn")
	for _, v := range []jsonl.Node{p.Get("forked_from_id"), p.Get("parent_thread_id"), spawn.Get("parent_thread_id")} {
		if base.Parent == "" {
			base.Parent = v.String()
		}
	}
	return []Event{base}
}

func (r *codexReader) context(p jsonl.Node) {
	if s := p.Get("model").String(); s != "" {
		r.state.Model = s
	}
	if s := p.Get("cwd").String(); s != "" {
		r.state.Cwd = s
	}
}

// item reads an item of the conversation with the model.
func (r *codexReader) item(l codexLine, base Event, at value, before codexState) []Event {
	p := l.payload
	switch l.of {
	case "message":
		text, image := codexText(p.Get("content"))
		switch p.Get("role").String() {
		case "user":
			r.mayAsk(text, image, base, at, before)
		case "assistant":
			if p.Get("phase").String() == "commentary" {
				base.Flags |= Continues
			}
			return r.text(base, text, true)
		}
	case "reasoning":
		return r.active(base, Thinking)
	case "function_call", "custom_tool_call", "local_shell_call", "web_search_call":
		return r.call(base, codexCall(l.of, p, r.caps))
	case "function_call_output", "custom_tool_call_output":
		return r.result(base, p)
	}
	return nil
}

// event reads what was shown on the screen.
func (r *codexReader) event(l codexLine, base Event, at value, before codexState) []Event {
	p := l.payload
	switch l.of {
	case "user_message":
		r.state.Clean, r.asked = true, nil
		text, image := codexAsked(p.Get("message").String()), p.Get("images").Kind() == '[' || p.Get("local_images").Kind() == '['
		if e, ok := r.ask(text, image, base, at, before); ok {
			return []Event{r.prompt(e)}
		}
	case "agent_message":
		if p.Get("phase").String() == "commentary" {
			base.Flags |= Continues
		}
		return r.text(base, p.Get("message").String(), false)
	case "exec_command_begin", "exec_command_end":
		return r.call(base, codexCall("local_shell_call", p, r.caps))
	case "task_started", "turn_started":
		r.state.Open, r.state.Busy, r.state.Turn = true, false, ""
		if id := p.Get("turn_id").String(); len(id) >= codexUnique {
			r.state.Turn = id
		}
	case "task_complete", "turn_complete":
		events := r.last(base, p.Get("last_agent_message").String())
		r.close()
		return append(events, single(base, TurnEnd, "")...)
	case "turn_aborted":
		r.close()
		return single(base, Interrupt, "")
	case "error":
		return single(base, Failure, p.Get("message").String())
	case "token_count":
		return r.usage(base, p.Get("info"))
	case "thread_name_updated":
		base.Rank = 4
		e := base
		e.Kind, e.Text = Title, strings.TrimSpace(p.Get("thread_name").String())
		return []Event{e}
	}
	return nil
}

// codexUnique is the length from which on a turn's id is unique: early
// versions number turns, later ones have UUIDs.
const codexUnique = 32

func (r *codexReader) close() {
	r.state.Open, r.state.Busy, r.state.Turn, r.group = false, false, "", ""
}

// active is an event of the agent's, a message of its own.
func (r *codexReader) active(base Event, k Kind) []Event {
	r.group = fmt.Sprintf("@%d", base.Span.Offset)
	base.Kind, base.Group, base.Model = k, r.group, r.state.Model
	return []Event{base}
}

// text yields a text once, whichever of its two lines comes first.
func (r *codexReader) text(base Event, text string, item bool) []Event {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	if r.said == nil {
		r.said = map[string]*codexSaid{}
	}
	n := r.said[text]
	if n == nil {
		n = new(codexSaid)
		r.said[text] = n
	}
	was := max(n.items, n.events)
	if item {
		n.items++
	} else {
		n.events++
	}
	if max(n.items, n.events) == was {
		return nil
	}
	base.Text = text
	return r.active(base, AssistantText)
}

// last is the final text, where no line before has said it.
func (r *codexReader) last(base Event, text string) []Event {
	if r.said[text] != nil {
		return nil
	}
	return r.text(base, text, true)
}

// call yields a call once.
func (r *codexReader) call(base Event, t Tool) []Event {
	if r.calls == nil {
		r.calls = map[string]bool{}
	}
	if t.ID != "" && r.calls[t.ID] {
		return nil
	}
	r.calls[t.ID] = true
	base.Tool = t
	return r.active(base, ToolCall)
}

// result reads what a tool answered: a text, or an object that holds it.
func (r *codexReader) result(base Event, p jsonl.Node) []Event {
	out := p.Get("output")
	if out.Kind() == '{' {
		if out.Get("success").Kind() == 'f' {
			base.Flags |= Error
		}
		out = out.Get("content")
	}
	base.Tool = Tool{ID: p.Get("call_id").String()}
	text := ""
	if r.caps.Result > 0 {
		text, _ = blockList(out).text(r.caps.Result)
	}
	return single(base, ToolResult, clip(text, max(0, r.caps.Result)))
}

// usage counts the tokens of one answer of the model, and gives them to its
// last message. The same count is written again when limits are looked up.
func (r *codexReader) usage(base Event, info jsonl.Node) []Event {
	u, total := info.Get("last_token_usage"), info.Get("total_token_usage").Get("total_tokens").Int()
	if r.group == "" || r.asked != nil || u.Kind() == 0 || total != 0 && total == r.state.Tokens {
		return nil
	}
	r.state.Tokens = total
	cached := u.Get("cached_input_tokens").Int()
	base.Usage = Usage{Input: max(0, u.Get("input_tokens").Int()-cached), Output: u.Get("output_tokens").Int(), CacheRead: cached}
	base.Kind, base.Group, base.Model = Thinking, r.group, r.state.Model
	return []Event{base}
}
