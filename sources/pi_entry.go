package sources

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"time"
)

// piEntry is one line of a pi session, every type in one shape. Fields that
// are not named here are not read.
type piEntry struct {
	Type     string    `json:"type"`
	ID       string    `json:"id"`
	ParentID string    `json:"parentId"`
	Time     piTime    `json:"timestamp"`
	Message  piMessage `json:"message"`

	Cwd           string `json:"cwd"`           // session
	ParentSession string `json:"parentSession"` // session, a path
	BranchedFrom  string `json:"branchedFrom"`  // session, version 1
	Name          string `json:"name"`          // session_info
	Title         string `json:"title"`         // title
	Summary       string `json:"summary"`       // compaction, branch_summary

	CustomType string    `json:"customType"` // custom_message
	Content    piContent `json:"content"`    // custom_message
}

// piMessage is the message of an entry, every role in one shape.
type piMessage struct {
	Role         string    `json:"role"`
	Content      piContent `json:"content"`
	Time         piTime    `json:"timestamp"`
	Model        string    `json:"model"`
	StopReason   string    `json:"stopReason"`
	ErrorMessage string    `json:"errorMessage"`
	Usage        piUsage   `json:"usage"`
	ToolCallID   string    `json:"toolCallId"`
	ToolName     string    `json:"toolName"`
	IsError      bool      `json:"isError"`
	Command      string    `json:"command"`    // bashExecution
	Output       string    `json:"output"`     // bashExecution
	ExitCode     int       `json:"exitCode"`   // bashExecution
	CustomType   string    `json:"customType"` // custom, hookMessage
	Summary      string    `json:"summary"`    // compactionSummary, branchSummary
}

type piUsage struct {
	Input      float64 `json:"input"`
	Output     float64 `json:"output"`
	CacheRead  float64 `json:"cacheRead"`
	CacheWrite float64 `json:"cacheWrite"`
}

func (u piUsage) usage() Usage {
	return Usage{int64(u.Input), int64(u.Output), int64(u.CacheRead), int64(u.CacheWrite)}
}

type piBlock struct {
	Type      string          `json:"type"`
	Text      string          `json:"text"`
	Thinking  string          `json:"thinking"`
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
}

// piContent is a list of blocks; a plain string reads as one block of text,
// and what is neither as none.
type piContent []piBlock

func (c *piContent) UnmarshalJSON(b []byte) error {
	*c = nil
	b = bytes.TrimSpace(b)
	switch {
	case len(b) > 0 && b[0] == '"':
		var s string
		if err := json.Unmarshal(b, &s); err != nil {
			return err
		}
		*c = piContent{{Type: "text", Text: s}}
	case len(b) > 0 && b[0] == '[':
		var blocks []piBlock
		if err := json.Unmarshal(b, &blocks); err != nil && !piLenient(err) {
			return err
		}
		*c = blocks
	}
	return nil
}

// text joins the blocks of text, and tells whether there is an image too.
func (c piContent) text() (text string, image bool) {
	var parts []string
	for _, b := range c {
		switch {
		case b.Type == "text" && b.Text != "":
			parts = append(parts, b.Text)
		case b.Type == "image":
			image = true
		}
	}
	return strings.Join(parts, "\n"), image
}

// piTime is a moment, written as RFC 3339 or as milliseconds since 1970. What
// is neither reads as no time at all.
type piTime struct{ time.Time }

func (t *piTime) UnmarshalJSON(b []byte) error {
	t.Time = time.Time{}
	s := strings.Trim(string(b), `"`)
	if at, err := time.Parse(time.RFC3339Nano, s); err == nil {
		t.Time = at
	} else if ms, err := strconv.ParseFloat(s, 64); err == nil && math.Abs(ms) < 1<<53 {
		t.Time = time.UnixMilli(int64(ms)).UTC()
	}
	return nil
}

// or returns t, or u when t is no time.
func (t piTime) or(u piTime) time.Time {
	if t.IsZero() {
		return u.Time
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
