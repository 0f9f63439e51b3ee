package sources

import (
	"strings"

	"github.com/hansard-search/hansard/sources/internal/jsonl"
)

// piEntry is one line of a pi session, every type in one shape. What may be
// long is decoded when somebody asks for it. Every member may be missing, or of
// another kind than expected, and then reads as "".
type piEntry struct {
	kind       []byte // undecoded
	id, parent string
	time       moment
	message    jsonl.Node

	cwd, parentSession, branchedFrom jsonl.Node // session; the last is of version 1
	name, title                      jsonl.Node // session_info, title
	summary                          jsonl.Node // compaction, branch_summary
	customType, content              jsonl.Node // custom_message
}

func piParse(v jsonl.Node) (e piEntry) {
	v.Members(func(name []byte, v jsonl.Node) bool {
		switch string(name) {
		case "type":
			e.kind = v.Raw()
		case "id":
			e.id = v.String()
		case "parentId":
			e.parent = v.String()
		case "timestamp":
			e.time = momentOf(v)
		case "message":
			e.message = v
		case "cwd":
			e.cwd = v
		case "parentSession":
			e.parentSession = v
		case "branchedFrom":
			e.branchedFrom = v
		case "name":
			e.name = v
		case "title":
			e.title = v
		case "summary":
			e.summary = v
		case "customType":
			e.customType = v
		case "content":
			e.content = v
		}
		return true
	})
	return e
}

// piMessage is the message of an entry, every role in one shape.
type piMessage struct {
	role                    []byte // undecoded
	time                    moment
	content                 blockList
	model, stop, err, usage jsonl.Node // assistant
	callID, tool, isError   jsonl.Node // toolResult
	command, output, exit   jsonl.Node // bashExecution
	customType              jsonl.Node // custom, hookMessage
	summary                 jsonl.Node // compactionSummary, branchSummary
}

func piParseMessage(v jsonl.Node) (m piMessage) {
	v.Members(func(name []byte, v jsonl.Node) bool {
		switch string(name) {
		case "role":
			m.role = v.Raw()
		case "timestamp":
			m.time = momentOf(v)
		case "content":
			m.content = blockList(v)
		case "model":
			m.model = v
		case "stopReason":
			m.stop = v
		case "errorMessage":
			m.err = v
		case "usage":
			m.usage = v
		case "toolCallId":
			m.callID = v
		case "toolName":
			m.tool = v
		case "isError":
			m.isError = v
		case "command":
			m.command = v
		case "output":
			m.output = v
		case "exitCode":
			m.exit = v
		case "customType":
			m.customType = v
		case "summary":
			m.summary = v
		}
		return true
	})
	return m
}

// piTokens reads the usage of a message.
func piTokens(v jsonl.Node) Usage {
	return Usage{v.Get("input").Int(), v.Get("output").Int(), v.Get("cacheRead").Int(), v.Get("cacheWrite").Int()}
}

// piLabel says which extension speaks.
func piLabel(kind, text string) string {
	if kind == "" {
		return text
	}
	return "[" + kind + "] " + text
}

// piStripSkill takes away the body of a skill that stands before the user's
// words. A skill that was called without any words reads as it was typed.
func piStripSkill(text string) string {
	text = strings.TrimSpace(text)
	if !strings.HasPrefix(text, "<skill ") {
		return text
	}
	head, rest, ok := strings.Cut(text, "</skill>")
	if !ok {
		return text
	}
	if rest = strings.TrimSpace(rest); rest != "" {
		return rest
	}
	_, name, _ := strings.Cut(head, `name="`)
	name, _, _ = strings.Cut(name, `"`)
	return "/skill:" + name
}
