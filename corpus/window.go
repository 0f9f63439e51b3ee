package corpus

import (
	"github.com/hansard-search/hansard/corpus/internal/snippet"
	"github.com/hansard-search/hansard/segment"
)

// MaxWindow is the most items a window may have, whatever is asked for.
const MaxWindow = 16

// A WindowItem is one message near a match.
type WindowItem struct {
	Role      string `json:"role"`
	MsgIdx    int    `json:"msgIdx"`
	Snippet   string `json:"snippet"`   // at most SnippetBytes, around what matches
	Truncated bool   `json:"truncated"` // the message holds more
	ToolName  string `json:"toolName,omitempty"`
}

// windowBounds returns the messages from..to, to excluded, that a window shows
// of total ones: match, so many before it and after it, fewer at an end of the
// session. Where that is more than MaxWindow, the longer side loses its far
// messages first. match is inside the window whenever it is inside the session.
func windowBounds(match, before, after, total int) (from, to int) {
	if match < 0 || match >= total {
		return 0, 0
	}
	before = min(max(before, 0), match)
	after = min(max(after, 0), total-1-match)
	for before+after+1 > MaxWindow {
		half := (MaxWindow - 1) / 2
		switch {
		case before <= half:
			after = MaxWindow - 1 - before
		case after <= half:
			before = MaxWindow - 1 - after
		default:
			before = half
		}
	}
	return match - before, match + after + 1
}

// windowItems shows messages, the first of which is number first of its
// session, through show.
func windowItems(messages []segment.Message, first int, show func(text string) snippet.Snippet) []WindowItem {
	items := make([]WindowItem, len(messages))
	for i, m := range messages {
		s := show(m.Text)
		items[i] = WindowItem{
			Role: string(m.Role), MsgIdx: first + i, Snippet: s.Text, Truncated: s.Truncated, ToolName: m.Tool,
		}
	}
	return items
}
