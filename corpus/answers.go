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

const timeLayout = "2006-01-02T15:04:05.000Z"

// MarshalJSON prints the time in UTC with milliseconds.
func (t Time) MarshalJSON() ([]byte, error) { return json.Marshal(t.UTC().Format(timeLayout)) }

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
	Query       string `json:"query"` // as it was asked
	ResultCount int    `json:"resultCount"`
	Total       int    `json:"total"`   // sessions, or turns, that match
	Results     []Hit  `json:"results"` // best first; newest first where there is nothing to score
	Scope       Scope  `json:"scope"`
}

// A Hit is one row of an answer. It owns its bytes.
type Hit struct {
	SessionID string       `json:"sessionId"` // that the turn is shown under
	TurnID    string       `json:"turnId"`
	Source    string       `json:"source"`              // kind of agent
	Lane      string       `json:"lane"`                // who drove it, one of Lanes
	Path      string       `json:"path"`                // of the transcript
	Project   string       `json:"project,omitempty"`   // the session's first folder
	Cwd       string       `json:"cwd,omitempty"`       // at the prompt
	Branch    string       `json:"branch,omitempty"`    // at the prompt
	Name      string       `json:"name,omitempty"`      // the session's title
	Surface   string       `json:"surface"`             // where it matched; that of a session shows the turn that stands for it
	Score     float64      `json:"score"`               // comparable within one answer only
	Created   Time         `json:"created,omitzero"`    // the turn's first event
	Updated   Time         `json:"updated,omitzero"`    // its last
	Prompt    string       `json:"prompt"`              // beginning, at most SnippetBytes
	Summary   string       `json:"summary,omitempty"`   // beginning of the final text, else of the partial one
	Snippet   string       `json:"matchedSnippet"`      // why it is a hit, matched words between **
	Spans     [][2]int     `json:"-"`                   // byte spans of the matched words in Snippet, without the marks
	Tools     []string     `json:"tools"`               // names of those that were called
	Model     string       `json:"model,omitempty"`     // that answered last
	State     string       `json:"state"`               // a segment.State
	Copies    []string     `json:"copies"`              // ids of other sessions that hold the turn, newest first
	Missing   bool         `json:"sourceMissing"`       // the transcript is gone
	Sample    bool         `json:"sample"`              // see Corpus.Sample
	Abandoned bool         `json:"abandoned,omitempty"` // on a branch that was left (rewind, fork)
	MsgIdx    int          `json:"msgIdx"`              // of the turn's first message, to read on from with show
	Window    []WindowItem `json:"window,omitempty"`    // messages around the match, where Query.Window asks
	Explain   []Part       `json:"explain,omitempty"`   // where Query.Explain asks
}

// A Part is one summand or factor of a score.
type Part struct {
	What  string  `json:"what"`  // of the score
	Score float64 `json:"score"` // its share
}

// Scope says what was searched and what was left out, so that an empty answer
// is never mistaken for proof of absence.
type Scope struct {
	Preset           string            `json:"preset"`
	Surfaces         []surfaces.Name   `json:"surfaces"`           // that were searched
	Filters          map[string]any    `json:"filters"`            // that were set, by key
	Sessions         int               `json:"sessions"`           // in the corpus
	Turns            int               `json:"turns"`              // in the corpus
	RemovedByFilters int               `json:"removedByFilters"`   // rows that match the words, not the filters
	UnknownWords     []string          `json:"unknownWords"`       // that stand nowhere
	Repaired         map[string]string `json:"repaired"`           // words that stand nowhere, and what they were read as
	IndexedAt        Time              `json:"indexedAt,omitzero"` // last change of the index
	Refresh          string            `json:"refresh"`            // RefreshDone and the like
	Loosen           []string          `json:"loosen,omitempty"`   // what an empty answer could be asked without
	Damaged          []string          `json:"damaged,omitempty"`  // what had to be left out
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
	SessionID string              `json:"sessionId"`         // the place that its content is taken from
	Places    []string            `json:"places"`            // ids of all sessions that hold it
	Source    string              `json:"source"`            // kind of agent
	Lane      string              `json:"lane"`              // who drove it, one of Lanes
	Path      string              `json:"path"`              // of the transcript
	Project   string              `json:"project,omitempty"` // the session's first folder
	Cwd       string              `json:"cwd,omitempty"`     // at the prompt
	Branch    string              `json:"branch,omitempty"`  // at the prompt
	Name      string              `json:"name,omitempty"`    // the session's title
	Model     string              `json:"model,omitempty"`   // that answered last
	Models    []string            `json:"models,omitempty"`  // all of them, when more than one
	Created   Time                `json:"created,omitzero"`  // first event
	Updated   Time                `json:"updated,omitzero"`  // last event
	State     segment.State       `json:"state"`
	Prompt    string              `json:"prompt"`            // whole
	Summary   string              `json:"summary,omitempty"` // the final text, whole
	Partial   string              `json:"partial,omitempty"` // the last text, where there is no final one
	Tools     []segment.ToolCount `json:"tools"`             // most used first
	Paths     []string            `json:"paths"`             // files touched, in order
	Usage     UsageRecord         `json:"usage"`
	Missing   bool                `json:"sourceMissing"`       // the transcript is gone
	Abandoned bool                `json:"abandoned,omitempty"` // on a branch that was left
	Generated bool                `json:"generated,omitempty"` // the prompt was composed by the agent's program
	Messages  []MessageRecord     `json:"messages,omitempty"`  // of Turn only
	Damaged   []string            `json:"damaged,omitempty"`   // of show: what had to be left out
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
	MsgIdx int    `json:"msgIdx"` // from 0 over the whole session
	TurnID string `json:"turnId"`
	Role   string `json:"role"` // a segment.Role
	Time   Time   `json:"time,omitzero"`
	Tool   string `json:"toolName,omitempty"` // of a call or its answer
	Text   string `json:"text"`               // whole; of a call the first 1,024 bytes
}

// A SessionRecord describes a session.
type SessionRecord struct {
	SessionID string `json:"sessionId"`
	Source    string `json:"source"`            // kind of agent
	Lane      string `json:"lane"`              // who drove it, one of Lanes
	Path      string `json:"path"`              // of the transcript
	Project   string `json:"project,omitempty"` // its first folder
	Name      string `json:"name,omitempty"`    // its title
	Asked     string `json:"asked,omitempty"`   // its first prompt: the beginning
	Summary   string `json:"summary,omitempty"` // the last one that the transcript holds: its beginning
	Created   Time   `json:"created,omitzero"`  // first event
	Updated   Time   `json:"updated,omitzero"`  // last event
	Turns     int    `json:"turns"`
	Messages  int    `json:"messages"`
	Family    string `json:"family,omitempty"` // the same for sessions that are one conversation; "" where it is alone
	Missing   bool   `json:"sourceMissing"`    // the transcript is gone
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
