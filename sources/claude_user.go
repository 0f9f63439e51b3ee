package sources

import (
	"bytes"
	"strings"

	"github.com/hansard-search/hansard/sources/internal/jsonl"
)

// claudeNotHuman are beginnings of user lines that no human typed and that
// carry no flag saying so.
var claudeNotHuman = [...]string{
	"<local-command-caveat>", "Caveat: The messages below", "<bash-input>", "<bash-stdout>", "<bash-stderr>",
	"<user-memory-input>", "<teammate-message", "<ci-monitor-event>", "Stop hook feedback", "Operation stopped by hook",
}

// claudeWraps are tags of context that the program puts around a human's words.
var claudeWraps = [...]struct{ open, end string }{
	{"<system-reminder>", "</system-reminder>"}, {"<ide_opened_file>", "</ide_opened_file>"},
	{"<ide_selection>", "</ide_selection>"}, {"<ide_diagnostics>", "</ide_diagnostics>"},
}

const (
	claudeInterrupt = "[Request interrupted by user"
	claudeContinued = "This session is being continued from a previous conversation"
	claudePlan      = "Implement the following plan:"
	claudeImage     = "[image]"
	claudeRenamed   = "Session renamed to:"
)

// user reads a user line: what a human typed, what a tool answered, or what
// the program put in a human's mouth.
func (r *claudeReader) user(l *claudeLine) {
	c := &r.said
	c.read(l.msg().content)
	switch {
	case l.compact, !l.transcriptOnly && !l.meta && strings.HasPrefix(c.text, claudeContinued):
		r.emit(Summary, strings.TrimSpace(c.text))
		r.signal = claudeDivide
	case l.transcriptOnly, l.meta:
	case len(c.results) > 0:
		for _, b := range c.results {
			r.result(b)
		}
		r.beside(c.text)
	default:
		r.says(l, c)
	}
}

// claudeContent is a user message's content. It can be used again for the next.
type claudeContent struct {
	text    string        // text blocks, joined by newlines
	results []claudeBlock // tool results
	media   bool          // a picture or a document
}

func claudeContentOf(v jsonl.Node) (c claudeContent) {
	c.read(v)
	return c
}

func (c *claudeContent) read(v jsonl.Node) {
	c.text, c.results, c.media = "", c.results[:0], false
	if v.Kind() == '"' {
		c.text = v.String()
		return
	}
	v.Elements(func(v jsonl.Node) bool {
		b := claudeBlockOf(v)
		switch string(b.typ.Raw()) {
		case "text":
			if t := b.text.String(); c.text == "" {
				c.text = t
			} else {
				c.text += "\n" + t
			}
		case "tool_result":
			c.results = append(c.results, b)
		case "image", "document":
			c.media = true
		}
		return true
	})
}

// says reads a user line that answers no tool.
func (r *claudeReader) says(l *claudeLine, c *claudeContent) {
	text := claudeStrip(c.text)
	if kind := string(l.origin.Get("kind").Raw()); kind != "" && kind != "human" {
		if kind == "task-notification" {
			r.notification(text)
		}
		return
	}
	switch {
	case text == "" && c.media:
		r.prompt(l, claudeImage)
	case text == "":
	case strings.HasPrefix(text, claudeInterrupt):
		r.emit(Interrupt, text)
	case strings.HasPrefix(text, "<task-notification>"):
		r.notification(text)
	case strings.HasPrefix(text, "<command-name>"), strings.HasPrefix(text, "<command-message>"):
		r.command(l, text)
	case strings.HasPrefix(text, "<local-command-stdout>"), strings.HasPrefix(text, "<local-command-stderr>"):
		r.echo(text)
	case !claudeHuman(text):
	default:
		r.prompt(l, text)
	}
}

// prompt is what starts a turn.
func (r *claudeReader) prompt(l *claudeLine, text string) {
	r.signal = claudeDivide
	e := r.emit(Prompt, text)
	e.From, e.Lane = r.position(), r.lane(l)
	e.name()
	r.dequeued(text)
	if l.plan.Kind() == '"' || strings.HasPrefix(text, claudePlan) {
		e.Flags |= Generated
	}
}

// lane is Headless where a script drives the session. The desktop application
// runs on the SDK too and marks its prompts "sdk": a person types there, so that
// mark alone counts only where nothing says who holds the keyboard.
func (r *claudeReader) lane(l *claudeLine) Lane {
	if r.info.Lane != Main {
		return ""
	}
	entry, source := l.entrypoint.Raw(), l.promptSource.Raw()
	switch {
	case bytes.HasPrefix(entry, []byte("sdk")), bytes.HasPrefix(source, []byte("sdk-")):
		return Headless
	case string(source) == "sdk" && len(entry) == 0 && l.origin.Kind() == 0:
		return Headless
	}
	return ""
}

func (r *claudeReader) notification(text string) {
	r.emit(Notification, text)
	r.signal = claudeDivide
	r.answered()
}

// beside reads text that stands next to tool results: a comment given with a
// permission, or the mark of an interrupt.
func (r *claudeReader) beside(text string) {
	text = claudeStrip(text)
	switch {
	case text == "" || !claudeHuman(text):
	case strings.HasPrefix(text, claudeInterrupt):
		r.emit(Interrupt, text)
	default:
		r.emit(Steering, text)
	}
}

// claudeSaid are the sentences after which a rejected tool call's result quotes
// the human.
var claudeSaid = [...]string{
	"To tell you how to proceed, the user said:",
	"The user provided the following reason for the rejection:",
	"the user provided the following reason for the rejection:",
}

// result reads one tool result. Most are large and hold nothing to keep: they
// are decoded only on request, or when a rejection may quote the human.
func (r *claudeReader) result(b claudeBlock) {
	failed := b.isError.True()
	text := ""
	if r.caps.Result > 0 || failed && claudeQuotes(b.content) {
		text = claudeContentOf(b.content).text
	}
	e := r.emit(ToolResult, "")
	e.Tool.ID = b.id.String()
	if r.caps.Result > 0 {
		e.Text = clip(text, r.caps.Result)
	}
	if !failed {
		return
	}
	e.Flags |= Error
	for _, mark := range claudeSaid {
		if _, said, ok := strings.Cut(text, mark); ok {
			r.rejected(said)
			return
		}
	}
}

func claudeQuotes(v jsonl.Node) bool {
	return bytes.Contains(v.Value(), []byte("the user said:")) || bytes.Contains(v.Value(), []byte("reason for the rejection:"))
}

// rejected keeps what the human said when rejecting a call. The form that asks
// to clarify questions is the program's.
func (r *claudeReader) rejected(said string) {
	said, _, _ = strings.Cut(said, "\n\nNote: The user's next message")
	said = claudeStrip(said)
	if said != "" && !strings.HasPrefix(said, "The user wants to clarify these questions.") {
		r.emit(Steering, said)
	}
}

// claudeHuman tells whether a human may have typed text.
func claudeHuman(text string) bool {
	for _, p := range claudeNotHuman {
		if strings.HasPrefix(text, p) {
			return false
		}
	}
	return true
}

// claudeStrip takes wrapped context off both ends of a human's words.
func claudeStrip(s string) string {
	for {
		s = strings.TrimSpace(s)
		was := len(s)
		for _, tag := range claudeWraps {
			if strings.HasPrefix(s, tag.open) {
				if _, rest, ok := strings.Cut(s, tag.end); ok {
					s = strings.TrimSpace(rest)
				}
			}
			if strings.HasSuffix(s, tag.end) {
				if i := strings.LastIndex(s, tag.open); i >= 0 {
					s = strings.TrimSpace(s[:i])
				}
			}
		}
		if strings.HasPrefix(s, "[Image: source:") {
			if _, rest, ok := strings.Cut(s, "]"); ok {
				s = rest
			}
		}
		if len(s) == was {
			return s
		}
	}
}
