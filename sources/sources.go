// Package sources reads what was said: it finds the transcripts that coding
// agents leave on a disk and reads them as events, from any byte offset.
//
// Every rule about a transcript format lives here, so that a new agent is one
// file. The package never writes to a transcript. It does not know where a
// turn ends, what is searched, or how anything is stored.
//
// # A source of one's own
//
// It is a Source and a Transcript, of two methods each, in any module, and is handed over
// in corpus.Config.Sources. Folder finds transcripts that are files, File is the rest of such
// a one but for its Events, and File.Lines are those of a format to which lines are added:
// JSON Lines (Line.JSON) or Markdown. Of a format that is written anew each time, or a
// database, Replay makes Events of all that there is. Memory takes what a program says
// itself. Package sourcetest checks the promises, also those about transcripts that change
// between reads. What a source must say is little: prompts with their ID and From, the
// agent's texts, and TurnEnd where the format has evidence that the agent stopped. What did
// not change is not read again: where a source learns to say more of the same transcripts,
// one sync with corpus.SyncOptions.Full brings it in.
package sources

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"time"
)

// A Source finds the transcripts of one agent.
type Source interface {
	// Name is the kind of the source ("claude", "pi"); it is stored with every turn.
	Name() string
	// Transcripts yields what is there now, without opening any of it. An error
	// is about one path (unreadable folder, ...) and does not end the walk; a root
	// that does not exist yields nothing. Order is not specified. Other sources are
	// walked at the same time; what was yielded is read on several goroutines, and
	// may be kept.
	Transcripts(ctx context.Context) iter.Seq2[Transcript, error]
}

// A Transcript is one recorded session, or a part of one, that may still grow.
type Transcript interface {
	// Info is what is known without opening the transcript.
	Info() Info
	// Events reads on from the given position (the zero Position is the
	// beginning). A *Skipped error is about one line and reading goes on; any other
	// error is the last thing yielded. ErrRewritten comes first, and alone, when
	// what stands before from.Offset is not what stood there when the position was
	// taken. A last line that is not finished yet is left for the next time. The
	// strings of an Event are valid UTF-8, its own, and stay as they are.
	Events(ctx context.Context, from Position) iter.Seq2[Event, error]
}

// An Ender is a Transcript that can prove cheaply that it was not written over:
// a stat taken within moments of a write does not tell. It is optional; without
// it such a transcript is read again.
type Ender interface {
	// End is a hash of the last bytes before Info().Size, as they are now.
	End() (uint64, error)
}

// Info describes a transcript as its file's name and stat tell it. One of which
// neither Size nor ModTime nor Inode is another than before is not read again.
type Info struct {
	Source  string // name of the source
	Path    string // the transcript's identity within its source: a file's absolute path; of what is no file something else, "db:17", of which nobody asks whether it is still there
	Session string // native session id, as far as the path tells
	Parent  string // id of the session that spawned this one (sub-agents), else ""
	Lane    Lane   // as far as the path tells
	Size    int64  // bytes
	ModTime int64  // Unix nanoseconds, not 0
	Inode   uint64 // 0 where the system has none

	// StandIn: known from elsewhere than its transcript, which is gone. It is read
	// only where no transcript of its session is there or was indexed.
	StandIn bool
	// Edited: a text that is kept up to date rather than a record that grows. A
	// turn that it no longer holds leaves the index.
	Edited bool
}

// A Position is a place to read on from: the start of an event's line, with
// all that a reader must know of what stands before it. It can be stored.
type Position struct {
	Offset int64  // bytes from the start
	Line   int    // lines before Offset
	Tail   uint64 // hash of the bytes just before Offset, 0 at the beginning alone; which hash is up to the source
	Carry  string // reader's own state, opaque
}

// Lane tells who drives a session.
type Lane string

// The lanes.
const (
	Main     Lane = "main"     // a person at a terminal or in an editor
	Subagent Lane = "subagent" // an agent's own helper
	Headless Lane = "headless" // a script through an SDK or a one-shot flag
	Cron     Lane = "cron"     // a schedule
)

// Lanes lists them.
func Lanes() []Lane { return []Lane{Main, Subagent, Headless, Cron} }

// Kind says what an event means, in words that hold for every agent.
type Kind uint8

// The kinds of events.
const (
	Other         Kind = iota // an entry of the chain with nothing to keep; has ID and Parent only
	Start                     // session header: ID = the session's id, Parent = parent session's id or path, Cwd, Time
	Prompt                    // a human asked; the only kind that starts a turn. From is set
	Steering                  // a human added something while the agent worked
	AssistantText             // the agent said something
	Thinking                  // the agent thought; Text may be empty
	ToolCall                  // the agent called a tool
	ToolResult                // the tool answered
	Notification              // a background task reported; starts model activity, no turn
	Interrupt                 // the human stopped the agent
	Failure                   // a synthetic error reply (API error, limit); never a model's words
	TurnEnd                   // positive evidence that the agent stopped
	Compaction                // context was compacted; Parent = the entry before it, maybe in another transcript
	Title                     // a name for the session; an empty Text clears names of its rank
	Summary                   // a compaction or branch summary about a part of this session
)

// An Event is one thing that happened in a transcript, in line order.
//
// The ID of a Prompt is the id of its turn. It may not be missing, has to be the
// same whenever the prompt is read, and to differ from those of all other
// transcripts: turns of one id are taken for copies of one turn, as resumed and
// forked sessions hold them. Where a format has only a number within the
// session, put the session's id before it.
//
// Where entries form a tree, as after going back to an earlier prompt, each names
// the entry before it as its Parent. The way from the last entry up to the root is
// then the conversation, and turns that are not on it are marked as abandoned.
type Event struct {
	Kind   Kind
	ID     string // native id of the entry, "" where the format has none
	Entry  string // id of the entry in the chain where that is not ID (pi's prompts); "" means ID
	Parent string // native id (Entry, else ID) of the entry before it in the chain, "" for a root
	Group  string // events of one API message share it ("" = a message of its own)
	Time   time.Time
	Text   string
	Tool   Tool   // ToolCall and ToolResult
	Stop   string // the format's stop reason, "" where it is null
	Cwd    string
	Branch string // "" and "HEAD" both mean: not on a branch
	Model  string
	Lane   Lane  // Prompt: who drove it, "" = as Info says
	Usage  Usage // of the Group so far: the last one seen of a Group is the Group's
	Rank   uint8 // Title: a higher rank outranks; 4 custom, 3 generated, 2 session info, 1 summary line
	Flags  Flags
	From   Position // Prompt: where to read on from to see this prompt again
	Span   Span     // the line(s) it was read from
}

// Flags mark events.
type Flags uint8

// The flags.
const (
	Generated Flags = 1 << iota // a prompt the agent's own program composed (plan mode)
	Error                       // ToolResult: the tool failed
	Sidechain                   // said by or to a sub-agent, inline in an old main transcript
	OfBranch                    // Summary: of a branch that was left, not of what was compacted
	Queued                      // Steering known only from a queue: void when the same words follow in its turn or as the next prompt
	Continues                   // AssistantText: its message goes on to a tool call, though none may be written yet
	Linked                      // Title: holds only if Parent is an entry of this transcript
)

// ChainID is the id by which the Parent of later events refers to this one.
func (e *Event) ChainID() string {
	if e.Entry != "" {
		return e.Entry
	}
	return e.ID
}

// A Span is a run of bytes in a transcript.
type Span struct{ Offset, Length int64 }

// Tool is a tool call, or names the call that a result answers.
type Tool struct {
	ID      string // native id of the call
	Name    string
	Path    string   // file it touched, "" if none
	More    []string // the other files it touched
	Command string   // shell command, "" if none
	Text    string   // the call as text: name, path, command, old, new, content; capped by the source
}

// Usage counts tokens.
type Usage struct {
	Input, Output, CacheRead, CacheWrite int64
}

// Add returns the sum of both.
func (u Usage) Add(v Usage) Usage {
	return Usage{u.Input + v.Input, u.Output + v.Output, u.CacheRead + v.CacheRead, u.CacheWrite + v.CacheWrite}
}

// ErrRewritten is yielded when a transcript no longer holds, before a
// position, what it held when the position was taken. Read it from the beginning.
var ErrRewritten = errors.New("transcript was rewritten")

// Skipped is the error of a line that could not be used. Nothing else is lost.
type Skipped struct {
	Path   string
	Line   int // counted from 1
	Reason string
}

func (s *Skipped) Error() string { return fmt.Sprintf("%s:%d: skipped: %s", s.Path, s.Line, s.Reason) }

// Caps bound what a source copies out of tool calls and results, in bytes.
// Zero means the default; negative means nothing.
type Caps struct {
	Call   int // Tool.Text of a call; default 1,024
	Result int // Text of a result; default nothing
}

// defaultCall is the default of Caps.Call: a command or the head and tail of an edit
// fit, a written file does not.
const defaultCall = 1024

// call is Call, or its default.
func (c Caps) call() int { return cmp.Or(c.Call, defaultCall) }
