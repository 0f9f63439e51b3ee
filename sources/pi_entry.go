package sources

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/hansard-search/hansard/sources/internal/jsonl"
)

// piEntry is one line of a pi session, every type in one shape. What may be
// long is decoded when somebody asks for it. Every member may be missing, or of
// another kind than expected, and then reads as "".
type piEntry struct {
	kind       []byte // as it stands there
	id, parent string
	time       piTime
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
			e.time = piMoment(v)
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
	role                    []byte // as it stands there
	time                    piTime
	content                 piContent
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
			m.time = piMoment(v)
		case "content":
			m.content = piContent(v)
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

// piContent is a list of blocks, or a string, which is one block of text. What
// is neither holds none.
type piContent jsonl.Node

// blocks calls f for each block of a list; kind is its type as it stands there.
func (c piContent) blocks(f func(kind []byte, b jsonl.Node)) {
	jsonl.Node(c).Elements(func(b jsonl.Node) bool {
		f(b.Get("type").Raw(), b)
		return true
	})
}

// text joins the blocks of text, and tells whether there is an image too. Of
// blocks much longer than limit only the ends are read; limit 0 means no limit.
func (c piContent) text(limit int) (text string, image bool) {
	if jsonl.Node(c).Kind() == '"' {
		return piText(jsonl.Node(c), limit), false
	}
	var parts []string
	c.blocks(func(kind []byte, b jsonl.Node) {
		switch string(kind) {
		case "text":
			if s := piText(b.Get("text"), limit); s != "" {
				parts = append(parts, s)
			}
		case "image":
			image = true
		}
	})
	return strings.Join(parts, "\n"), image
}

func piText(v jsonl.Node, limit int) string {
	if limit > 0 {
		return v.Ends(limit)
	}
	return v.String()
}

// piTime is a moment, or none.
type piTime struct{ time.Time }

// piMoment reads RFC 3339, or milliseconds since 1970. What is neither is no time.
func piMoment(v jsonl.Node) (t piTime) {
	number := v.Value()
	if v.Kind() == '"' {
		if at, ok := claudeMillis(v.Raw()); ok {
			t.Time = at
			return t
		}
		if at, err := time.Parse(time.RFC3339Nano, v.String()); err == nil {
			t.Time = at
			return t
		}
		number = v.Raw()
	}
	if ms, err := strconv.ParseFloat(string(number), 64); err == nil && math.Abs(ms) < 1<<53 {
		t.Time = time.UnixMilli(int64(ms)).UTC()
	}
	return t
}

// or returns t, or u when t is no time.
func (t piTime) or(u time.Time) time.Time {
	if t.IsZero() {
		return u
	}
	return t.Time
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
