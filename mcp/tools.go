package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/hansard-search/hansard/corpus"
	"github.com/hansard-search/hansard/surfaces"
)

// A tool is one thing that an agent can ask for.
type tool struct {
	name, title, about string
	args               []arg
	result             reflect.Type
	run                func(context.Context, *Server, values) (*answer, error)
}

// An answer is a result both ways: words for a model, data for a program.
type answer struct {
	text string
	data any
}

const (
	maxHits       = corpus.MaxWindowed // what windows allow in one answer
	usualHits     = 5                  // with windows of 9 messages about what an agent can afford to read
	usualAround   = 4                  // messages before and after the match
	maxSessions   = 100                // rows of a list of sessions
	usualSessions = 20
	maxMessages   = 100 // messages of a page
	usualMessages = 50
)

func (s *Server) tools() []tool {
	filters := arg{name: "filters", kind: aGroup, about: "which turns may answer; leave out what you do not need", inner: s.filters()}
	page := []arg{
		{name: "offset", kind: aNumber, about: "how many to leave out, from the start"},
		{name: "limit", kind: aNumber, about: fmt.Sprintf("at most so many, up to %d", maxSessions)},
	}
	id := arg{name: "id", kind: aText, required: true, about: "id of a session or a turn, as answers print it; its first 8 characters do"}
	return []tool{
		{"search_sessions", "Search past sessions", aboutSearch, []arg{
			{name: "query", kind: aText, required: true, about: `what to look for: the telling words (names, errors, files), a question, "an exact phrase", -without, or an id; * lists everything, newest first`},
			{name: "context_before", kind: aNumber, about: "messages before the match in each excerpt (4; an excerpt has at most 16)"},
			{name: "context_after", kind: aNumber, about: "messages after the match (4)"},
			{name: "surfaces", kind: aTexts, words: surfaceWords(), about: "where to match: user_prompt is what was asked, assistant_summary what was concluded; all of them when left out"},
			{name: "limit", kind: aNumber, about: fmt.Sprintf("at most so many hits (%d), up to %d", usualHits, maxHits)},
			{name: "group", kind: aText, words: []string{"session", "turn"}, about: "a hit for each session (the default) or each turn"},
			{name: "include_current", kind: aFlag, about: "search the session that asks and its relatives too; they are left out otherwise"},
			filters,
		}, reflect.TypeFor[corpus.Answer](), search},
		{"list_sessions", "List past sessions", aboutList, append([]arg{filters,
			{name: "include_current", kind: aFlag, about: "list the session that asks and its relatives too"}}, page...),
			reflect.TypeFor[corpus.SessionList](), listSessions},
		{"list_messages", "Read a session page by page", aboutMessages, append([]arg{id,
			{name: "text_offset", kind: aNumber, about: "how many bytes of the first message's text to leave out: nextTextOffset of the answer that held a part of it"}}, page...),
			reflect.TypeFor[messagePage](), listMessages},
		{"get_session_meta", "Describe a session", aboutMeta, []arg{id}, reflect.TypeFor[corpus.SessionRecord](), sessionMeta},
		{"search_memory", "Search memory files", aboutMemory, []arg{
			{name: "query", kind: aText, required: true, about: "what to look for"},
			{name: "limit", kind: aNumber, about: fmt.Sprintf("at most so many entries (10), up to %d", maxHits)},
		}, reflect.TypeFor[memoryAnswer](), searchMemory},
		{"status", "What is indexed", aboutStatus, nil, reflect.TypeFor[corpus.Status](), status},
	}
}

const (
	aboutSearch = `Searches every past session of the coding agents on this machine (all projects) and returns excerpts: what was asked, what was concluded, the messages around the match. Use it when the user says "what did I/we decide about", "when did I work on", "have we seen this error before", "last time", "in a previous session", "how did we fix", "as we discussed", and before you investigate something that may have been solved already. Not all words have to match; the rare ones count most. An empty answer says what was searched and what the filters removed.`

	aboutList = `Lists past sessions, newest first: title, project, dates, counts; no messages. For "what did I work on yesterday / last week / in this project": filter by after, before, project or cwd, no query needed.`

	aboutMessages = `Reads the messages of one session in order, a page at a time: offset counts messages from 0, nextOffset of the answer goes on. Of a message longer than a page a part is given. Use it after search_sessions to read what stands around a hit: start at the msgIdx of its excerpt. A turn's id starts at that turn.`

	aboutMeta = `Describes one session without its messages: title, project, dates, how many turns and messages.`

	aboutMemory = `Searches the memory files (CLAUDE.md, AGENTS.md, MEMORY.md and the like) and returns whole entries. It is separate from the sessions: use search_sessions for what was said.`

	aboutStatus = `Says what is indexed: how many sessions and turns, since when, from which folders, how fresh.`
)

func surfaceWords() (words []string) {
	for _, s := range surfaces.All() {
		words = append(words, string(s.Name))
	}
	return words
}

// describe is what the protocol tells of a tool.
func (t tool) describe() *sdk.Tool {
	local := false
	return &sdk.Tool{
		Name: t.name, Title: t.title, Description: t.about, InputSchema: schema(t.args), OutputSchema: shape(t.result),
		Annotations: &sdk.ToolAnnotations{Title: t.title, ReadOnlyHint: true, IdempotentHint: true, OpenWorldHint: &local},
	}
}

// handler runs a tool. What goes wrong is the tool's answer, so that the agent
// reads it and can do better.
func (t tool) handler(s *Server) sdk.ToolHandler {
	return func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		v, err := read(t.name, t.args, req.Params.Arguments)
		var a *answer
		if err == nil {
			a, err = t.run(ctx, s, v)
		}
		if err != nil {
			return &sdk.CallToolResult{IsError: true, Content: []sdk.Content{&sdk.TextContent{Text: s.explain(err)}}}, nil
		}
		data, err := json.Marshal(a.data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", t.name, err)
		}
		return &sdk.CallToolResult{StructuredContent: json.RawMessage(data), Content: []sdk.Content{&sdk.TextContent{Text: a.text}}}, nil
	}
}

func (s *Server) explain(err error) string {
	if s.Explain == nil {
		return err.Error()
	}
	return s.Explain(err)
}

// open asks the library for a corpus and gives the moment of asking.
func (s *Server) open(ctx context.Context, preset string) (*Reading, time.Time, error) {
	r, err := s.Library.Open(ctx, preset)
	return r, s.Now(), err
}
