package corpus

import (
	"encoding/json"
	"time"

	"github.com/hansard-search/hansard/segment"
	"github.com/hansard-search/hansard/surfaces"
)

// Time is a moment printed as RFC 3339 in UTC with milliseconds. The zero Time
// is left out of JSON (omitzero).
type Time struct{ time.Time }

const stamp = "2006-01-02T15:04:05.000Z"

// MarshalJSON prints the time in UTC with milliseconds.
func (t Time) MarshalJSON() ([]byte, error) { return json.Marshal(t.UTC().Format(stamp)) }

// UnmarshalJSON reads any RFC 3339 time.
func (t *Time) UnmarshalJSON(b []byte) error {
	var s string
	if err := json.Unmarshal(b, &s); err != nil {
		return err
	}
	v, err := time.Parse(time.RFC3339Nano, s)
	t.Time = v
	return err
}

func fromMillis(ms int64) Time {
	if ms == 0 {
		return Time{}
	}
	return Time{time.UnixMilli(ms).UTC()}
}

// An Answer is the result of a search. Its JSON is frozen; docs/json.md says what each
// field means.
type Answer struct {
	Query       string `json:"query"`
	ResultCount int    `json:"resultCount"`
	Total       int    `json:"total"` // sessions, or turns, that match
	Results     []Hit  `json:"results"`
	Scope       Scope  `json:"scope"`
}

// A Hit is one row of an answer. It owns its bytes.
type Hit struct {
	SessionID string       `json:"sessionId"`
	TurnID    string       `json:"turnId"`
	Source    string       `json:"source"`
	Lane      string       `json:"lane"`
	Path      string       `json:"path"`
	Project   string       `json:"project,omitempty"`
	Cwd       string       `json:"cwd,omitempty"`
	Branch    string       `json:"branch,omitempty"`
	Name      string       `json:"name,omitempty"`
	Surface   string       `json:"surface"`
	Score     float64      `json:"score"` // comparable within one answer only
	Created   Time         `json:"created,omitzero"`
	Updated   Time         `json:"updated,omitzero"`
	Prompt    string       `json:"prompt"`            // beginning, at most SnippetBytes
	Summary   string       `json:"summary,omitempty"` // beginning of the final text, else of the partial one
	Snippet   string       `json:"matchedSnippet"`
	Spans     [][2]int     `json:"-"` // byte spans of the matched words in Snippet, without the marks
	Tools     []string     `json:"tools"`
	Model     string       `json:"model,omitempty"`
	State     string       `json:"state"`
	Copies    []string     `json:"copies"`
	Missing   bool         `json:"sourceMissing"`
	Sample    bool         `json:"sample"`
	Abandoned bool         `json:"abandoned,omitempty"` // on a branch that was left (rewind, fork)
	MsgIdx    int          `json:"msgIdx"`              // of the turn's first message, to read on from with show
	Window    []WindowItem `json:"window,omitempty"`
	Explain   []Part       `json:"explain,omitempty"`
}

// A Part is one summand or factor of a score.
type Part struct {
	What  string  `json:"what"`
	Score float64 `json:"score"`
}

// Scope says what was searched and what was left out, so that an empty answer
// is never mistaken for proof of absence.
type Scope struct {
	Preset           string            `json:"preset"`
	Surfaces         []surfaces.Name   `json:"surfaces"`
	Filters          map[string]any    `json:"filters"`
	Sessions         int               `json:"sessions"`
	Turns            int               `json:"turns"`
	RemovedByFilters int               `json:"removedByFilters"` // rows that match the words, not the filters
	UnknownWords     []string          `json:"unknownWords"`
	Repaired         map[string]string `json:"repaired"`
	IndexedAt        Time              `json:"indexedAt,omitzero"`
	Refresh          string            `json:"refresh"`          // RefreshDone and the like
	Loosen           []string          `json:"loosen,omitempty"` // what an empty answer could be asked without
	Damaged          []string          `json:"damaged,omitempty"`
}

// What Scope.Refresh may say: what became of the refresh before the search, which
// whoever searches has done.
const (
	RefreshDone    = "done"
	RefreshSkipped = "skipped"
	RefreshLocked  = "locked" // another process was at it
)

// A TurnRecord is a whole turn, as export and show print it.
type TurnRecord struct {
	TurnID    string              `json:"turnId"`
	SessionID string              `json:"sessionId"`
	Places    []string            `json:"places"`
	Source    string              `json:"source"`
	Lane      string              `json:"lane"`
	Path      string              `json:"path"`
	Project   string              `json:"project,omitempty"`
	Cwd       string              `json:"cwd,omitempty"`
	Branch    string              `json:"branch,omitempty"`
	Name      string              `json:"name,omitempty"`
	Model     string              `json:"model,omitempty"`
	Models    []string            `json:"models,omitempty"` // all of them, when more than one
	Created   Time                `json:"created,omitzero"`
	Updated   Time                `json:"updated,omitzero"`
	State     segment.State       `json:"state"`
	Prompt    string              `json:"prompt"`
	Summary   string              `json:"summary,omitempty"`
	Partial   string              `json:"partial,omitempty"`
	Tools     []segment.ToolCount `json:"tools"`
	Paths     []string            `json:"paths"`
	Usage     UsageRecord         `json:"usage"`
	Missing   bool                `json:"sourceMissing"`
	Abandoned bool                `json:"abandoned,omitempty"`
	Generated bool                `json:"generated,omitempty"`
	Messages  []MessageRecord     `json:"messages,omitempty"`
	Damaged   []string            `json:"damaged,omitempty"` // of show: what had to be left out
}

// UsageRecord counts tokens.
type UsageRecord struct {
	Input      int64 `json:"input"`
	Output     int64 `json:"output"`
	CacheRead  int64 `json:"cacheRead,omitempty"`
	CacheWrite int64 `json:"cacheWrite,omitempty"`
}

// A MessageRecord is one message of a session.
type MessageRecord struct {
	MsgIdx int    `json:"msgIdx"`
	TurnID string `json:"turnId"`
	Role   string `json:"role"`
	Time   Time   `json:"time,omitzero"`
	Tool   string `json:"toolName,omitempty"`
	Text   string `json:"text"`
}

// A SessionRecord describes a session.
type SessionRecord struct {
	SessionID string `json:"sessionId"`
	Source    string `json:"source"`
	Lane      string `json:"lane"`
	Path      string `json:"path"`
	Project   string `json:"project,omitempty"`
	Name      string `json:"name,omitempty"`
	Asked     string `json:"asked,omitempty"`
	Summary   string `json:"summary,omitempty"`
	Created   Time   `json:"created,omitzero"`
	Updated   Time   `json:"updated,omitzero"`
	Turns     int    `json:"turns"`
	Messages  int    `json:"messages"`
	Family    string `json:"family,omitempty"`
	Missing   bool   `json:"sourceMissing"`
}

// SessionList is a page of sessions, newest first.
type SessionList struct {
	Total    int             `json:"total"`
	Offset   int             `json:"offset"`
	Sessions []SessionRecord `json:"sessions"`
	Damaged  []string        `json:"damaged,omitempty"` // what had to be left out
}

// SessionPage is a page of a session's messages.
type SessionPage struct {
	Session  SessionRecord   `json:"session"`
	Offset   int             `json:"offset"`
	Limit    int             `json:"limit"`
	Total    int             `json:"total"`
	Messages []MessageRecord `json:"messages"`
	Damaged  []string        `json:"damaged,omitempty"` // what had to be left out
}
