package sources

import (
	"context"
	"io/fs"
	"iter"
	"maps"
	"slices"
	"sync"
	"time"
)

// Memory is a Source of transcripts that a program injects: tests, and records
// that come from elsewhere than a transcript on disk. Positions and spans count
// events instead of bytes.
//
// The zero value is an empty source called "memory". Its methods may be called
// concurrently; a Memory must not be copied.
type Memory struct {
	Kind string // what Name returns; "" means "memory". Set it before use

	mu          sync.Mutex
	transcripts map[string]*recording // by path
	changes     int64                 // changes so far: no two leave the same ModTime
	made        uint64                // transcripts so far: the last Inode given
	opens       int
}

// recording is one transcript. events is only ever appended to or replaced, so
// that a reader may go on with the slice it began with.
type recording struct {
	info   Info
	events []Event
	sums   []uint64 // sums[i] is the hash of all events before i
	latest int64    // time of the latest event, Unix nanoseconds
}

// Name is Kind, or "memory".
func (m *Memory) Name() string {
	if m.Kind == "" {
		return "memory"
	}
	return m.Kind
}

// Append adds events to the end of a transcript, which is made when there is
// none at in.Path. Of in, all but Source and what a stat tells is used, the last
// call's counting; an empty Path means "memory:" and the session, an empty Lane
// means Main. From and Span of the events are filled in when they are read.
func (m *Memory) Append(in Info, events ...Event) {
	m.mu.Lock()
	defer m.mu.Unlock()
	r := m.recording(in)
	for _, e := range events {
		r.add(e)
	}
	m.touch(r)
}

// Replace is Append after all that the transcript held was dropped: a file
// that was written anew.
func (m *Memory) Replace(in Info, events ...Event) {
	m.mu.Lock()
	defer m.mu.Unlock()
	r := m.recording(in)
	r.events, r.sums, r.latest = nil, nil, 0
	for _, e := range events {
		r.add(e)
	}
	m.touch(r)
}

// AppendRecords adds plain turn pairs to the session's transcript.
func (m *Memory) AppendRecords(session string, records ...Record) {
	var events []Event
	for _, r := range records {
		events = append(events, r.Events()...)
	}
	m.Append(Info{Session: session}, events...)
}

// Remove drops the transcript at path, and tells whether there was one.
func (m *Memory) Remove(path string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	_, ok := m.transcripts[path]
	delete(m.transcripts, path)
	return ok
}

// Opens is how many times a transcript was opened for reading so far.
func (m *Memory) Opens() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.opens
}

// Transcripts yields what there is at the moment of the call, by path.
func (m *Memory) Transcripts(ctx context.Context) iter.Seq2[Transcript, error] {
	return func(yield func(Transcript, error) bool) {
		m.mu.Lock()
		var all []Transcript
		for _, path := range slices.Sorted(maps.Keys(m.transcripts)) {
			all = append(all, memoryTranscript{m, m.transcripts[path].info})
		}
		m.mu.Unlock()
		for _, t := range all {
			if err := ctx.Err(); err != nil {
				yield(nil, err)
				return
			}
			if !yield(t, nil) {
				return
			}
		}
	}
}

// recording finds or makes the transcript that in describes.
func (m *Memory) recording(in Info) *recording {
	if in.Path == "" {
		in.Path = "memory:" + in.Session
	}
	if in.Lane == "" {
		in.Lane = Main
	}
	in.Source = m.Name()
	r := m.transcripts[in.Path]
	if r == nil {
		if m.transcripts == nil {
			m.transcripts = map[string]*recording{}
		}
		m.made++
		r = &recording{info: Info{Inode: m.made}}
		m.transcripts[in.Path] = r
	}
	in.Inode = r.info.Inode
	r.info = in
	return r
}

// touch sets what a file's stat would show: a file is written when, or after,
// what it tells happened.
func (m *Memory) touch(r *recording) {
	m.changes++
	r.info.Size, r.info.ModTime = int64(len(r.events)), r.latest+m.changes
}

// add appends one event, and the hash of all before it.
func (r *recording) add(e Event) {
	i := int64(len(r.events))
	e.From, e.Span = Position{}, Span{Offset: i, Length: 1}
	sum := r.sumAt(i)
	r.sums = append(r.sums, sum)
	if e.Kind == Prompt {
		e.From = Position{Offset: i, Line: int(i), Tail: sum}
	}
	r.events = append(r.events, e)
	if !e.Time.IsZero() {
		r.latest = max(r.latest, e.Time.UnixNano())
	}
}

// sumAt is the hash of the events before i, 0 at the beginning. i is at most
// the number of events.
func (r *recording) sumAt(i int64) uint64 {
	switch {
	case i == 0:
		return 0
	case i < int64(len(r.sums)):
		return r.sums[i]
	}
	return sumAfter(r.sums[i-1], r.events[i-1])
}

type memoryTranscript struct {
	of   *Memory
	info Info
}

func (t memoryTranscript) Info() Info { return t.info }

// End implements Ender.
func (t memoryTranscript) End() (uint64, error) {
	t.of.mu.Lock()
	defer t.of.mu.Unlock()
	r := t.of.transcripts[t.info.Path]
	if r == nil || t.info.Size > int64(len(r.events)) {
		return 0, fs.ErrNotExist
	}
	return r.sumAt(t.info.Size), nil
}

// Events reads what the transcript holds when reading begins. One that was
// removed since gives an error that is fs.ErrNotExist.
func (t memoryTranscript) Events(ctx context.Context, from Position) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		events, err := t.open(from)
		if err != nil {
			yield(Event{}, err)
			return
		}
		for _, e := range events {
			if err := ctx.Err(); err != nil {
				yield(Event{}, err)
				return
			}
			if !yield(e, nil) {
				return
			}
		}
	}
}

func (t memoryTranscript) open(from Position) ([]Event, error) {
	t.of.mu.Lock()
	defer t.of.mu.Unlock()
	t.of.opens++
	r := t.of.transcripts[t.info.Path]
	if r == nil {
		return nil, &fs.PathError{Op: "open", Path: t.info.Path, Err: fs.ErrNotExist}
	}
	if from.Offset < 0 || from.Offset > int64(len(r.events)) || r.sumAt(from.Offset) != from.Tail {
		return nil, ErrRewritten
	}
	return r.events[from.Offset:len(r.events):len(r.events)], nil
}

// A Record is a plain turn pair.
type Record struct {
	ID       string    // of the turn; needed
	Prompt   string    // needed
	Answer   string    // "" means that nothing followed
	Time     time.Time // of the prompt
	Answered time.Time // zero means Time
	Cwd      string
	Branch   string
	Model    string
	Lane     Lane // "" means the transcript's
}

// Events is the record as a transcript would tell it: a prompt, the answer,
// and the end of the turn.
func (r Record) Events() []Event {
	prompt := Event{Kind: Prompt, ID: r.ID, Time: r.Time, Text: r.Prompt, Cwd: r.Cwd, Branch: r.Branch, Lane: r.Lane}
	if r.Answer == "" {
		return []Event{prompt}
	}
	if r.Answered.IsZero() {
		r.Answered = r.Time
	}
	answer := Event{Kind: AssistantText, Group: r.ID + "/answer", Time: r.Answered, Text: r.Answer, Cwd: r.Cwd, Branch: r.Branch, Model: r.Model}
	return []Event{prompt, answer, {Kind: TurnEnd, Time: r.Answered}}
}
