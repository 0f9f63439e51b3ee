package sources

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"os"
	"strings"

	"github.com/hansard-search/hansard/sources/internal/jsonl"
)

// Events reads the transcript on from a position; see Transcript. What a
// position carries is the last version seen, the queue of typed-ahead messages,
// and whether a Start was given.
func (t claudeTranscript) Events(ctx context.Context, from Position) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		f, err := claudeOpen(t.info.Path, from)
		if err != nil {
			yield(Event{}, err)
			return
		}
		defer f.Close()
		in := jsonl.NewReader(f, from.Offset, from.Line)
		defer in.Close()
		r := claudeReader{info: t.info, caps: t.caps, in: in, carry: from.Carry, names: map[string]string{}}
		if from.Carry != "" {
			// A carry that cannot be read is an old one: the queue is lost, no more.
			_ = json.Unmarshal([]byte(from.Carry), &r.state)
		}
		for {
			l, err := r.parser.Line(in)
			if err == nil {
				err = ctx.Err()
			}
			if err == io.EOF {
				r.finish()
				r.flush(yield)
				return
			}
			if err != nil {
				yield(Event{}, err)
				return
			}
			if !r.line(l, yield) {
				return
			}
		}
	}
}

// claudeOpen opens a regular file, and checks that what stands before from is what
// stood there when the position was taken.
func claudeOpen(path string, from Position) (*os.File, error) {
	st, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !st.Mode().IsRegular() {
		return nil, &os.PathError{Op: "read", Path: path, Err: errors.New("not a regular file")}
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	if err := sameBefore(f, from); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// claudeReader turns lines into events. One line may give several, and a
// slash command holds back events until it is known what it is.
type claudeReader struct {
	info  Info
	caps  Caps
	in    *jsonl.Reader
	names map[string]string // few distinct texts that stand on every line
	state claudeState
	carry string // state as JSON, as it was before the last line of a user's
	dirty bool   // state is no longer what carry says

	parser jsonl.Parser
	last   claudeLast
	base   Event         // what all events of the object have
	pos    Position      // of the object; Tail and Carry are not filled in
	out    []Event       // to be yielded
	fresh  []Event       // events of the object
	said   claudeContent // of the user line that is being read; used again
	call   claudeCall    // that is being read; used again
	signal claudeSignal  // what the object says about a held command
	next   *claudeHeld   // the object is a command to hold
	held   *claudeHeld   // a command whose kind is not known
}

// claudeState is what lines leave behind for later ones.
type claudeState struct {
	Started  bool     `json:"s,omitempty"` // a Start event was given
	Version  string   `json:"v,omitempty"` // last one seen
	Queue    []string `json:"q,omitempty"` // typed ahead and not yet taken out
	Dequeued bool     `json:"d,omitempty"` // the next user line was taken out of the queue
}

// line reads all objects of a line: a lost newline can leave two on one.
func (r *claudeReader) line(l jsonl.Line, yield func(Event, error) bool) bool {
	if l.TooLong {
		return yield(Event{}, &Skipped{r.info.Path, l.Number + 1, "line too long"})
	}
	at := l.Offset
	for rest := l.Bytes; ; {
		v, before, tail, err := r.parser.Next(rest)
		switch {
		case err == io.EOF:
			return true
		case err != nil && !l.Ended:
			return true // still being written
		case err == nil && v.Kind() != '{':
			err = errors.New("not a JSON object")
		}
		if err != nil {
			return yield(Event{}, &Skipped{r.info.Path, l.Number + 1, err.Error()})
		}
		at += int64(before)
		r.pos = Position{Offset: at, Line: l.Number}
		r.object(r.parser.Root())
		if !r.flush(yield) {
			return false
		}
		at += int64(len(v))
		rest = tail
	}
}

// flush yields what is ready.
func (r *claudeReader) flush(yield func(Event, error) bool) bool {
	for i := range r.out {
		if !yield(r.out[i], nil) {
			return false
		}
	}
	r.out = r.out[:0]
	return true
}

// object reads one object.
func (r *claudeReader) object(v jsonl.Node) {
	var l claudeLine
	l.parse(v)
	if r.dirty && string(l.typ.Raw()) == "user" { // others ask for no position
		r.carry, r.dirty = r.state.carry(), false
	}
	r.base = Event{
		ID: l.uuid.String(), Parent: r.parent(l.parent), Time: r.last.time.of(l.timestamp),
		Cwd: r.last.cwd.of(r, l.cwd), Branch: r.last.branch.of(r, l.branch), Span: Span{r.pos.Offset, int64(len(v.Value()))},
	}
	r.fresh, r.signal, r.next = r.fresh[:0], claudeNothing, nil
	r.opening(&l)
	opened := len(r.fresh)
	r.dispatch(&l)
	if len(r.fresh) == opened && r.next == nil && r.base.ID != "" {
		r.emit(Other, "")
	}
	r.settle()
	r.last.id = r.base.ID
	if v := r.last.version.of(r, l.version); v != "" && v != r.state.Version {
		r.state.Version, r.dirty = v, true
	}
}

// dispatch reads an object by its type. Unknown types are links of the chain
// at most.
func (r *claudeReader) dispatch(l *claudeLine) {
	if l.sidechain && r.info.Lane != Subagent {
		r.base.Flags |= Sidechain
		r.emit(Other, "")
		return
	}
	switch string(l.typ.Raw()) {
	case "user":
		r.user(l)
	case "assistant":
		r.assistant(l)
	case "system":
		r.system(l)
	case "attachment":
		r.attachment(l)
	case "queue-operation":
		r.queue(l)
	case "custom-title":
		r.title(4, l.title, "")
	case "ai-title":
		r.title(3, l.aiTitle, "")
	case "summary":
		if leaf := l.leaf.String(); leaf != "" {
			r.title(1, l.summary, leaf)
		}
	}
}

// opening gives a Start when a line tells which session this one came from,
// and the path did not.
func (r *claudeReader) opening(l *claudeLine) {
	if r.state.Started || r.info.Parent != "" {
		return
	}
	parent := ""
	if r.info.Lane == Subagent {
		parent = l.session.String()
	} else if l.forked.Kind() != 0 {
		if parent = l.forked.Get("sessionId").String(); parent == "" {
			parent = l.forked.String()
		}
	}
	if parent == "" || parent == r.info.Session {
		return
	}
	r.state.Started, r.dirty = true, true
	e := Event{Kind: Start, ID: r.info.Session, Parent: parent, Cwd: r.base.Cwd, Time: r.base.Time, Span: r.base.Span}
	r.fresh = append(r.fresh, e)
}

// title names the session; entry is what the name must be about.
func (r *claudeReader) title(rank uint8, text jsonl.Node, entry string) {
	if text.Kind() != '"' {
		return
	}
	e := r.base
	e.Kind, e.Text, e.Rank, e.Parent = Title, strings.TrimSpace(text.String()), rank, entry
	if entry != "" {
		e.Flags |= Linked
	}
	r.fresh = append(r.fresh, e)
}

// emit gives an event of the object.
func (r *claudeReader) emit(k Kind, text string) *Event {
	r.fresh = append(r.fresh, r.base)
	e := &r.fresh[len(r.fresh)-1]
	e.Kind, e.Text = k, text
	return e
}

// position is where the object begins, complete.
func (r *claudeReader) position() Position {
	p := r.pos
	p.Carry = r.carry
	// A file that shrank meanwhile has no tail; the position then proves
	// nothing, and reading on from it says that the file was rewritten.
	p.Tail, _ = r.in.Tail(p.Offset)
	return p
}

func (s claudeState) carry() string {
	if !s.Started && !s.Dequeued && s.Version == "" && len(s.Queue) == 0 {
		return ""
	}
	b, _ := json.Marshal(s) // strings only: cannot fail
	return string(b)
}
