package sources

import (
	"context"
	"errors"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/hansard-search/hansard/sources/internal/jsonl"
)

// History reads Claude Code's history of prompts, one file for all sessions,
// as what is left of sessions whose transcripts are gone: Claude deletes them
// after a month. What was answered is not in it, so its turns have no reply.
//
// A session with a transcript below the folder "projects" beside the file is left
// out, and what remains is marked as a stand-in (Info.StandIn), so that a
// transcript that was indexed before it vanished is not doubled.
//
// Methods may be called concurrently.
type History struct {
	Dir string // Claude's own folder, as ~/.claude, absolute; "" holds none
}

// Name is "history".
func (History) Name() string { return "history" }

// Transcripts yields one transcript a session. The history is read for it: what
// it says of a session stands scattered over the file. A transcript's path is
// that of the file, a # and the session's id.
func (h History) Transcripts(ctx context.Context) iter.Seq2[Transcript, error] {
	return func(yield func(Transcript, error) bool) {
		if err := ctx.Err(); err != nil {
			yield(nil, err)
			return
		}
		if h.Dir == "" {
			return
		}
		path, err := filepath.Abs(filepath.Join(h.Dir, "history.jsonl"))
		if err != nil {
			yield(nil, err)
			return
		}
		there := h.transcripts()
		sessions, err := historyRead(ctx, path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			yield(nil, err)
			return
		}
		for _, t := range sessions {
			if !there[t.id] && !yield(t, nil) {
				return
			}
		}
	}
}

// transcripts is the set of sessions that have a transcript.
func (h History) transcripts() map[string]bool {
	there := map[string]bool{}
	projects, _ := os.ReadDir(filepath.Join(h.Dir, "projects")) // none, or none that can be read
	for _, p := range projects {
		files, _ := os.ReadDir(filepath.Join(h.Dir, "projects", p.Name()))
		for _, f := range files {
			if id, ok := strings.CutSuffix(f.Name(), ".jsonl"); ok {
				there[id] = true
			}
		}
	}
	return there
}

// historySession is what the file says of one session.
type historySession struct {
	path    string
	id      string
	records []historyRecord
}

// historyRecord is one prompt.
type historyRecord struct {
	text, project string
	time          time.Time
	span          Span
	line          int    // lines before it
	tail          uint64 // hash of what stands before it
}

// historyRead reads the prompts of all sessions, in the order in which the
// sessions began.
func historyRead(ctx context.Context, path string) (list []*historySession, _ error) {
	sessions := map[string]*historySession{}
	for l, err := range values(ctx, path, Position{}) {
		if skipped := (*Skipped)(nil); errors.As(err, &skipped) {
			continue
		}
		if err != nil {
			return nil, err
		}
		id := l.node.Get("sessionId").String()
		rec := historyParse(l.node)
		if id == "" || rec.text == "" {
			continue // early versions do not name the session
		}
		rec.span, rec.line, rec.tail = l.span(), l.line, l.position("").Tail
		s := sessions[id]
		if s == nil {
			s = &historySession{path: path, id: id}
			sessions[id] = s
			list = append(list, s)
		}
		s.records = append(s.records, rec)
	}
	return list, nil
}

// historyParse reads a record; its text is "" when it is no prompt: a command
// of the program's or of the shell.
func historyParse(v jsonl.Node) (r historyRecord) {
	r.time, r.project = momentOf(v.Get("timestamp")).Time, v.Get("project").String()
	text := strings.TrimSpace(v.Get("display").String())
	if name, ok := strings.CutPrefix(text, "/"); ok {
		name, args, _ := strings.Cut(name, " ")
		if args == "" || claudeBuiltin(name) {
			return r // whether it reached the model nobody says
		}
	}
	if strings.HasPrefix(text, "!") {
		return r
	}
	r.text = historyPasted(text, v.Get("pastedContents"))
	return r
}

// historyPasted puts what was pasted where the text only names it.
func historyPasted(text string, pasted jsonl.Node) string {
	pasted.Members(func(_ []byte, v jsonl.Node) bool {
		content := v.Get("content").String()
		at := strings.Index(text, "[Pasted text #"+strconv.FormatInt(v.Get("id").Int(), 10))
		if at < 0 || content == "" {
			return true
		}
		if end := strings.IndexByte(text[at:], ']'); end >= 0 {
			text = text[:at] + content + text[at+end+1:]
		}
		return true
	})
	return text
}

// Info tells the session's part of the file: its size ends with its last
// prompt, and it was modified when that was written.
func (s *historySession) Info() Info {
	last := s.records[len(s.records)-1]
	return Info{
		Source: History{}.Name(), Path: s.path + "#" + s.id, Session: s.id, Lane: Main, StandIn: true,
		Size: last.span.Offset + last.span.Length, ModTime: max(1, last.time.UnixNano()),
	}
}

// End implements Ender.
func (s *historySession) End() (uint64, error) {
	in := s.Info()
	in.Path = s.path
	return endOf(in)
}

// Events tells the session's prompts as they were when the transcript was
// found.
func (s *historySession) Events(ctx context.Context, from Position) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		f, err := os.Open(s.path)
		if err == nil {
			defer f.Close()
			if err = sameBefore(f, from); from.Offset > s.Info().Size {
				err = ErrRewritten
			}
		}
		if err != nil {
			yield(Event{}, err)
			return
		}
		for _, r := range s.records {
			if r.span.Offset < from.Offset {
				continue
			}
			if err := ctx.Err(); err != nil {
				yield(Event{}, err)
				return
			}
			if !yield(r.event(), nil) {
				return
			}
		}
	}
}

func (r historyRecord) event() Event {
	return Event{
		Kind: Prompt, ID: promptID(r.time, r.text),
		Time: r.time, Text: r.text, Cwd: r.project, Span: r.span,
		From: Position{Offset: r.span.Offset, Line: r.line, Tail: r.tail},
	}
}
