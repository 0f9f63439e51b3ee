package strategies

import (
	"regexp"
	"strings"
	"sync"

	"github.com/hansard-search/hansard/segment"
)

// What an agent recalled of past sessions was said there once already. Were it
// searched again where it was read, each question would find the sessions in
// which it was asked before the one that answers it, more of them each time.

// recall is compiled where it is needed: most runs index no answers of tools.
var recall = sync.OnceValue(func() (r struct{ command, text *regexp.Regexp }) {
	// A shell command that prints what sessions hold.
	r.command = regexp.MustCompile(`(?m)(^|[\s;&|(/"'])hansard(\s+-\S+)*\s+(search|show|sessions|export|recent|eval)\b`)
	// The beginning of what such a command prints as JSON, for calls that a script
	// hides.
	r.text = regexp.MustCompile(`^\s*\{"(query|sessionId|turnId|session|total)":`)
	return r
})

// recalls reports whether a tool is one of ours by its name: with that of its
// server, or alone, as agents name those of an extension.
func recalls(tool string) bool {
	switch tool {
	case "search_sessions", "list_sessions", "list_messages", "get_session_meta", "search_memory", "read_messages":
		return true
	}
	return strings.Contains(tool, "hansard")
}

// outputs are the texts that tools answered, without recall. An answer belongs
// to the first call of the same tool that has none yet.
func outputs(messages []segment.Message) (texts []string) {
	waiting := map[string][]bool{} // by tool, for each call without answer whether it recalls
	for _, m := range messages {
		switch {
		case m.Role == segment.Assistant && m.Tool != "":
			waiting[m.Tool] = append(waiting[m.Tool], recall().command.MatchString(m.Text))
		case m.Role == segment.ToolUse:
			own := recalls(m.Tool) || recall().text.MatchString(m.Text) && strings.Contains(m.Text, `"turnId":`)
			if calls := waiting[m.Tool]; len(calls) > 0 {
				own = own || calls[0]
				waiting[m.Tool] = calls[1:]
			}
			if !own {
				texts = append(texts, m.Text)
			}
		}
	}
	return texts
}
