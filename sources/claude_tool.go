package sources

import "github.com/hansard-search/hansard/sources/internal/jsonl"

// claudeCallKept is the longest text whose room is used again.
const claudeCallKept = 64 << 10

// tool reads a call. Path and Command are whole; the text is capped.
func (r *claudeReader) tool(b claudeBlock) Tool {
	t := Tool{ID: b.id.String(), Name: r.name(b.name)}
	c := &r.call
	c.limit, c.written, c.others = r.caps.call(), c.written[:0], c.others[:0]
	c.arguments(&t, b.input)
	if c.limit >= 0 {
		t.Text = c.text(&t)
	}
	return t
}

// claudeCall collects a call as labelled text, a label and its value a line. It
// is used again by the next call.
type claudeCall struct {
	limit           int
	written, others []claudePair
	buf             []byte
}

type claudePair struct{ label, text string }

// arguments sorts a call's arguments by their names. What was replaced stands
// before what was written, whatever order they have in the transcript.
func (c *claudeCall) arguments(t *Tool, input jsonl.Node) {
	var old, written, content, edits jsonl.Node
	input.Members(func(name []byte, v jsonl.Node) bool {
		switch string(name) {
		case "file_path", "notebook_path", "path", "filePath":
			if t.Path == "" {
				t.Path = v.String()
			}
		case "command", "cmd", "script":
			t.Command = v.String()
		case "old_string", "oldText", "old_text", "oldString":
			old = v
		case "new_string", "newText", "new_text", "newString":
			written = v
		case "content", "new_source", "file_content":
			content = v
		case "edits":
			edits = v
		default:
			c.keep(&c.others, string(name), v)
		}
		return true
	})
	c.keep(&c.written, "old", old)
	c.keep(&c.written, "new", written)
	c.keep(&c.written, "content", content)
	edits.Elements(func(v jsonl.Node) bool {
		c.keep(&c.written, "old", v.Get("old_string"))
		c.keep(&c.written, "new", v.Get("new_string"))
		return true
	})
}

// keep keeps the text of a string argument, if texts are asked for.
func (c *claudeCall) keep(to *[]claudePair, label string, v jsonl.Node) {
	if c.limit < 0 || v.Kind() != '"' {
		return
	}
	*to = append(*to, claudePair{label, v.Ends(c.limit)})
}

// text is the call as text, capped. Empty values are left out.
func (c *claudeCall) text(t *Tool) string {
	b := c.buf[:0]
	named := [...]claudePair{{"tool", t.Name}, {"path", t.Path}, {"command", t.Command}}
	for _, pairs := range [...][]claudePair{named[:], c.written, c.others} {
		for _, p := range pairs {
			if p.text == "" {
				continue
			}
			if len(b) > 0 {
				b = append(b, '\n')
			}
			b = append(append(append(b, p.label...), ": "...), p.text...)
		}
	}
	if cap(b) <= claudeCallKept {
		c.buf = b
	}
	return clip(b, c.limit)
}
