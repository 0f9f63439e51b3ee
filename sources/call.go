package sources

import (
	"strings"

	"github.com/hansard-search/hansard/sources/internal/jsonl"
)

// callArgs is what a call of pi or Codex replaces and writes.
type callArgs struct {
	limit      int
	olds, news []string
	content    string
	known      bool // there was an argument of a known name that tells more than a path
}

// argument sorts one argument by its name, of which pi and its forks have used
// several over time.
func (w *callArgs) argument(t *Tool, name string, v jsonl.Node) {
	switch name {
	case "path", "file_path", "filePath":
		t.Path = v.String()
		w.known = w.known || t.Name == "read" || t.Name == "read_file"
		return
	case "command", "cmd", "script":
		t.Command = v.String()
	case "old", "oldText", "old_text", "old_string", "search":
		w.olds = w.text(w.olds, v)
	case "new", "newText", "new_text", "new_string", "replace":
		w.news = w.text(w.news, v)
	case "content", "file_content":
		w.content = v.Ends(max(0, w.limit))
	case "edits":
		v.Elements(func(v jsonl.Node) bool {
			v.Members(func(name []byte, v jsonl.Node) bool {
				if n := string(name); n != "edits" {
					w.argument(t, n, v)
				}
				return true
			})
			return true
		})
	default:
		return
	}
	w.known = true
}

func (w *callArgs) text(to []string, v jsonl.Node) []string {
	if w.limit < 0 || v.Kind() != '"' {
		return to
	}
	return append(to, v.Ends(w.limit))
}

// callLines writes pairs of label and value, a line each, and leaves out
// empty values.
func callLines(pairs []string) string {
	var b strings.Builder
	for i := 0; i < len(pairs); i += 2 {
		if pairs[i+1] == "" || pairs[i+1] == "{}" {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(pairs[i] + ": " + pairs[i+1])
	}
	return b.String()
}

// callText is the call as text: a label and its value a line.
func (w *callArgs) callText(t Tool, args jsonl.Node) string {
	pairs := []string{"tool", t.Name, "path", t.Path, "command", t.Command,
		"old", strings.Join(w.olds, "\n"), "new", strings.Join(w.news, "\n"), "content", w.content}
	if !w.known {
		pairs = append(pairs, "arguments", string(args.Value()))
	}
	return clip(callLines(pairs), max(0, w.limit))
}
