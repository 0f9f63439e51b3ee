package sources

import (
	"encoding/json"
	"strings"
)

// piCallCap is the default of Caps.Call, the same as for other agents.
const piCallCap = claudeCallCap

// piTool is a tool call as fields and as text. The names of arguments are
// those that pi and its forks have used over time.
func piTool(id, name string, arguments json.RawMessage, c Caps) Tool {
	t := Tool{ID: id, Name: name}
	var args map[string]json.RawMessage
	if json.Unmarshal(arguments, &args) != nil {
		t.Text = piCallText(c, "tool", name, "arguments", string(arguments))
		return t
	}
	t.Path = piArg(args, "path", "file_path", "filePath")
	t.Command = piArg(args, "command", "cmd", "script")
	from := piArg(args, "old", "oldText", "old_text", "old_string", "search")
	to := piArg(args, "new", "newText", "new_text", "new_string", "replace")
	content := piArg(args, "content", "file_content")
	if from == "" && to == "" {
		from, to = piEdits(args["edits"])
	}
	if t.Command == "" && from == "" && to == "" && content == "" && !piReads(name) {
		t.Text = piCallText(c, "tool", name, "arguments", string(arguments))
		return t
	}
	t.Text = piCallText(c, "tool", name, "path", t.Path, "command", t.Command, "old", from, "new", to, "content", content)
	return t
}

// piReads tells the tools whose path says all about the call.
func piReads(name string) bool { return name == "read" || name == "read_file" }

// piArg is the first argument of these names that is a string.
func piArg(args map[string]json.RawMessage, names ...string) string {
	for _, n := range names {
		var s string
		if raw, ok := args[n]; ok && json.Unmarshal(raw, &s) == nil {
			return s
		}
	}
	return ""
}

// piEdits joins the replaced and the written texts of an edit in several places.
func piEdits(raw json.RawMessage) (from, to string) {
	var edits []map[string]json.RawMessage
	if json.Unmarshal(raw, &edits) != nil {
		return "", ""
	}
	var olds, news []string
	for _, e := range edits {
		olds = append(olds, piArg(e, "oldText", "old", "old_text"))
		news = append(news, piArg(e, "newText", "new", "new_text"))
	}
	return strings.Join(olds, "\n"), strings.Join(news, "\n")
}

// piCallText writes pairs of label and value, a line each, and leaves out
// empty values.
func piCallText(c Caps, pairs ...string) string {
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
	return piCut(b.String(), c.Call, piCallCap)
}

// piCut keeps the ends of s: limit bytes, byDefault where limit is 0, nothing
// where it is negative.
func piCut(s string, limit, byDefault int) string {
	if limit == 0 {
		limit = byDefault
	}
	return claudeClip(s, max(0, limit))
}
