package strategytest

import (
	"fmt"
	"strings"

	"github.com/hansard-search/hansard/segment"
	"github.com/hansard-search/hansard/strategies"
)

// longTurns are turns of long texts. Wherever one is cut by bytes, it is within a
// character of one turn or the other.
func longTurns() (turns []segment.Turn) {
	for _, begin := range []string{"", "x"} {
		text := begin + strings.Repeat("€", 20_000)
		turns = append(turns, segment.Turn{
			ID: "long" + begin, Prompt: text, Summary: text, Texts: []string{text, text}, ToolTexts: []string{text, text},
			Tools: []segment.ToolCount{{Name: text, Count: 1}}, Paths: []string{text}, Commands: []string{text},
			Messages: []segment.Message{
				{Role: segment.User, Text: text}, {Role: segment.Assistant, Tool: "bash", Text: text},
				{Role: segment.ToolUse, Tool: "bash", Text: text}, {Role: segment.Assistant, Text: text},
			},
		})
	}
	return turns
}

// annotated checks what an Annotator adds to a session, and returns it.
func (c *checker) annotated(an strategies.Annotator, s segment.Session) segment.Session {
	before := fmt.Sprintf("%#v", s)
	got := an.Annotate(s)
	switch again := an.Annotate(s); {
	case fmt.Sprintf("%#v", s) != before:
		c.failf("session %s: was changed by annotating it", s.ID)
	case fmt.Sprintf("%#v", got) != fmt.Sprintf("%#v", again):
		c.failf("session %s: annotated, it is\n  %#v\nand then\n  %#v", s.ID, got, again)
	case got.ID != s.ID || got.Source != s.Source || got.Path != s.Path:
		c.failf("session %s: is another one when it is annotated, %s", s.ID, got.ID)
	}
	return got
}
