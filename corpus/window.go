package corpus

// MaxWindow is the most items a window may have, whatever is asked for.
const MaxWindow = 16

// A WindowItem is one message near a match.
type WindowItem struct {
	Role      string `json:"role"`
	MsgIdx    int    `json:"msgIdx"`
	Snippet   string `json:"snippet"`
	Truncated bool   `json:"truncated"`
	ToolName  string `json:"toolName,omitempty"`
}
