package sources

import (
	"bytes"
	"strings"

	"github.com/hansard-search/hansard/sources/internal/jsonl"
)

const claudeSynthetic = "<synthetic>"

// assistant reads one line of an API message: usually one content block. The
// lines of a message share its id and need not stand together.
func (r *claudeReader) assistant(l *claudeLine) {
	m := l.msg()
	model := r.last.model.of(r, m.model)
	if l.apiError.True() || model == claudeSynthetic {
		text := strings.TrimSpace(claudeContentOf(m.content).text)
		if text != "" && text != "No response requested." {
			r.emit(Failure, text)
		}
		return
	}
	r.signal = claudeReply
	if raw := m.id.Raw(); string(raw) != r.last.group.raw {
		g := claudeText{text: m.id.String()}
		if g.raw = g.text; g.raw != string(raw) {
			g.raw = string(raw)
		}
		r.last.group = g
	}
	r.base.Group = r.last.group.text
	if r.base.Group == "" {
		if r.base.Group = r.base.ID; r.base.Group == "" {
			r.base.Group = "@" + r.base.Time.String()
		}
	}
	r.base.Model, r.base.Stop, r.base.Usage = model, r.name(m.stop), claudeUsage(m.usage)
	n := len(r.fresh)
	if m.content.Kind() == '"' {
		r.text(m.content)
	}
	m.content.Elements(func(v jsonl.Node) bool {
		r.block(claudeBlockOf(v))
		return true
	})
	if len(r.fresh) == n {
		r.emit(Thinking, "") // an empty message is a message: it may be the last one
	}
}

// block reads one content block.
func (r *claudeReader) block(b claudeBlock) {
	switch string(b.typ.Raw()) {
	case "text":
		r.text(b.text)
	case "thinking", "redacted_thinking":
		r.emit(Thinking, "")
	case "tool_use", "server_tool_use":
		e := r.emit(ToolCall, "")
		e.Tool = r.tool(b)
	}
}

// text keeps what was said, unless it is blank.
func (r *claudeReader) text(v jsonl.Node) {
	s := v.String()
	if strings.TrimSpace(s) == "" {
		return
	}
	e := r.emit(AssistantText, s)
	if e.Stop == "tool_use" || e.Stop == "pause_turn" {
		e.Flags |= Continues
	}
}

func claudeUsage(v jsonl.Node) (u Usage) {
	v.Members(func(name []byte, v jsonl.Node) bool {
		switch string(name) {
		case "input_tokens":
			u.Input = v.Int()
		case "output_tokens":
			u.Output = v.Int()
		case "cache_read_input_tokens":
			u.CacheRead = v.Int()
		case "cache_creation_input_tokens":
			u.CacheWrite = v.Int()
		}
		return true
	})
	return u
}

// system reads what the program itself notes.
func (r *claudeReader) system(l *claudeLine) {
	switch string(l.subtype.Raw()) {
	case "compact_boundary":
		e := r.emit(Compaction, "")
		if p := l.logical.String(); p != "" {
			e.Parent = p
		}
		r.signal = claudeDivide
	case "stop_hook_summary", "turn_duration":
		r.emit(TurnEnd, "")
	case "local_command":
		r.local(strings.TrimSpace(l.content.String()))
	}
}

// local reads the newer form of local commands: the command, then its echo.
func (r *claudeReader) local(text string) {
	name, _ := claudeCommand(text)
	switch {
	case name == "":
		r.echo(text)
	case r.held == nil:
	case r.held.name == name:
		r.signal = claudeEcho
	default:
		r.held.echoes++
	}
}

// attachment reads hidden context; only what was typed ahead is a human's.
func (r *claudeReader) attachment(l *claudeLine) {
	if !bytes.Contains(l.attachment.Value(), []byte("queued_command")) {
		return
	}
	var typ, prompt, mode, origin jsonl.Node
	l.attachment.Members(func(name []byte, v jsonl.Node) bool {
		switch string(name) {
		case "type":
			typ = v
		case "prompt":
			prompt = v
		case "commandMode":
			mode = v
		case "origin":
			origin = v.Get("kind")
		}
		return true
	})
	if string(typ.Raw()) != "queued_command" {
		return
	}
	c := claudeContentOf(prompt)
	text := claudeStrip(c.text)
	if text == "" && c.media {
		text = claudeImage
	}
	kind, by := string(mode.Raw()), string(origin.Raw())
	switch {
	case text == "":
	case kind == "task-notification", by == "task-notification", strings.HasPrefix(text, "<task-notification>"):
		r.notification(text)
	case (kind == "" || kind == "prompt") && (by == "" || by == "human") && claudeHuman(text):
		r.emit(Steering, text)
	}
}
