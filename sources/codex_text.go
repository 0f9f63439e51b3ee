package sources

import (
	"strings"

	"github.com/hansard-search/hansard/sources/internal/jsonl"
)

// codexText joins the texts of a message, and tells whether there is an image.
func codexText(content jsonl.Node) (text string, image bool) {
	if content.Kind() == '"' {
		return content.String(), false
	}
	var parts []string
	content.Elements(func(b jsonl.Node) bool {
		switch b.Get("type").String() {
		case "input_text", "output_text", "text":
			if s := b.Get("text").String(); s != "" {
				parts = append(parts, s)
			}
		case "input_image":
			image = true
		}
		return true
	})
	return strings.Join(parts, "\n"), image
}

// codexInjected tells whether a user's item was written by the program: the
// project's instructions, the state of the machine.
func codexInjected(text string) bool {
	text = strings.TrimSpace(text)
	if strings.HasPrefix(text, "# AGENTS.md instructions") {
		return true
	}
	if !strings.HasPrefix(text, "<") {
		return false
	}
	tag, _, _ := strings.Cut(text[1:], ">")
	switch tag, _, _ = strings.Cut(tag, " "); tag {
	case "environment_context", "user_instructions", "INSTRUCTIONS", "permissions", "turn_aborted", "skill",
		"user_shell_command", "subagent_notification", "collaboration_mode", "personality_spec", "model_switch":
		return true
	}
	return false
}

// codexAsked takes away what an editor puts before the words that were typed.
func codexAsked(text string) string {
	if strings.HasPrefix(text, "# Context from my IDE setup:") {
		if _, own, ok := strings.Cut(text, "## My request for Codex:"); ok {
			text = own
		}
	}
	return strings.TrimSpace(text)
}

// codexCall reads a call of any type. Arguments are JSON in a string, or free
// text, which is a patch; commands are a line or a list of words.
func codexCall(kind string, p jsonl.Node, c Caps) Tool {
	t := Tool{ID: p.Get("call_id").String(), Name: p.Get("name").String()}
	w := callArgs{limit: c.call()}
	args := codexArguments(kind, p)
	patch := ""
	switch {
	case args.Kind() == '{':
		args.Members(func(name []byte, v jsonl.Node) bool {
			w.argument(&t, string(name), v)
			return true
		})
		if words := args.Get("command"); words.Kind() == '[' {
			t.Command, w.known = codexCommand(words), true
		}
		patch = args.Get("input").String()
	case kind == "custom_tool_call":
		patch = p.Get("input").String()
	}
	if t.Name == "" {
		t.Name = map[string]string{"local_shell_call": "shell", "web_search_call": "web_search"}[kind]
	}
	if patch == "" && strings.Contains(t.Command, codexPatch) {
		codexTouch(&t, t.Command)
	}
	if patch != "" {
		w.content, w.known = patch, true
		codexTouch(&t, patch)
	}
	if w.limit >= 0 {
		t.Text = w.callText(t, args)
	}
	return t
}

// codexArguments is the object of a call's arguments.
func codexArguments(kind string, p jsonl.Node) jsonl.Node {
	switch kind {
	case "function_call":
		args := p.Get("arguments")
		if args.Kind() != '"' {
			return args
		}
		var parser jsonl.Parser
		_, _, _, _ = parser.Next([]byte(args.String())) // what is not JSON has no root
		return parser.Root()
	case "custom_tool_call":
		return jsonl.Node{}
	}
	if a := p.Get("action"); a.Kind() != 0 {
		return a
	}
	return p // an event of the screen holds the command itself
}

// codexCommand is a list of words as it is typed. Where a shell is called for
// one line, it is that line.
func codexCommand(words jsonl.Node) string {
	var list []string
	words.Elements(func(v jsonl.Node) bool {
		list = append(list, v.String())
		return true
	})
	if len(list) == 3 && (list[1] == "-lc" || list[1] == "-c") {
		return list[2]
	}
	return strings.Join(list, " ")
}

// codexPatch begins a patch in the format of apply_patch.
const codexPatch = "*** Begin Patch"

// codexTouch names the files that a patch touches, in order.
func codexTouch(t *Tool, patch string) {
	for line := range strings.Lines(patch) {
		for _, head := range []string{"*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: "} {
			path, ok := strings.CutPrefix(line, head)
			switch {
			case !ok:
			case t.Path == "":
				t.Path = strings.TrimSpace(path)
			default:
				t.More = append(t.More, strings.TrimSpace(path))
			}
		}
	}
}
