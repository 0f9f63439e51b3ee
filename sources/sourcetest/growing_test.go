package sourcetest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/hansard-search/hansard/sources"
)

// chat is the source of an invented format, "? asked" and "> answered" a line. Each
// field bends one promise.
type chat struct {
	root string
	info func(*sources.Info)
	read func(chatFile, context.Context, sources.Position, func(sources.Event, error) bool)
	end  bool // always the same
	lost bool // a root that is gone is an error
}

func (chat) Name() string { return "chat" }

func (c chat) Transcripts(ctx context.Context) iter.Seq2[sources.Transcript, error] {
	if _, err := os.Stat(c.root); c.lost && err != nil {
		return func(yield func(sources.Transcript, error) bool) { yield(nil, err) }
	}
	files := sources.Folder{Root: c.root, Name: "*.chat", Depth: 2}
	return files.Transcripts(ctx, func(in sources.Info) sources.Transcript {
		in.Source = c.Name()
		if c.info != nil {
			c.info(&in)
		}
		return chatFile{sources.FileOf(in), c}
	})
}

type chatFile struct {
	sources.File
	of chat
}

func (t chatFile) End() (uint64, error) {
	if t.of.end {
		return 7, nil
	}
	return t.File.End()
}

func (t chatFile) Events(ctx context.Context, from sources.Position) iter.Seq2[sources.Event, error] {
	return func(yield func(sources.Event, error) bool) {
		if t.of.read != nil {
			t.of.read(t, ctx, from, yield)
			return
		}
		t.lines(ctx, from, yield)
	}
}

func (t chatFile) lines(ctx context.Context, from sources.Position, yield func(sources.Event, error) bool) {
	for l, err := range t.Lines(ctx, from) {
		if err == nil && !l.Ended {
			return
		}
		if !yield(t.event(l, l.Text()), err) {
			return
		}
	}
}

func (t chatFile) event(l sources.Line, text string) sources.Event {
	e := sources.Event{Kind: sources.AssistantText, Text: text, Span: l.Span}
	if strings.HasPrefix(text, "? ") {
		e.Kind, e.From, e.ID = sources.Prompt, l.Position(""), fmt.Sprint(t.Info().Session, "#", l.Number)
	}
	return e
}

const chatText = "? why is it red\n> a valve is closed\n? then open it\n> done\n> it is green\n? thanks\n> you are welcome\n"

// bentReads are ways to read a chat that break a promise.
var bentReads = map[string]func(chatFile, context.Context, sources.Position, func(sources.Event, error) bool){
	"unfinished as it is": func(t chatFile, ctx context.Context, from sources.Position, yield func(sources.Event, error) bool) {
		for l, err := range t.Lines(ctx, from) {
			if !yield(t.event(l, l.Text()), err) {
				return
			}
		}
	},
	"bytes as they are": func(t chatFile, ctx context.Context, from sources.Position, yield func(sources.Event, error) bool) {
		for l, err := range t.Lines(ctx, from) {
			if err == nil && !l.Ended || !yield(t.event(l, string(l.Bytes)), err) {
				return
			}
		}
	},
	"ends where it is damaged": func(t chatFile, ctx context.Context, from sources.Position, yield func(sources.Event, error) bool) {
		for l, err := range t.Lines(ctx, from) {
			if err == nil && !utf8.Valid(l.Bytes) {
				err = errors.New("not a chat")
			}
			if err == nil && !l.Ended || !yield(t.event(l, l.Text()), err) || err != nil {
				return
			}
		}
	},
	"unfinished skipped": func(t chatFile, ctx context.Context, from sources.Position, yield func(sources.Event, error) bool) {
		for l, err := range t.Lines(ctx, from) {
			if err == nil && !l.Ended {
				err = l.Skipped("it has no end")
			}
			if !yield(t.event(l, l.Text()), err) {
				return
			}
		}
	},
	"looks at the size alone": func(t chatFile, ctx context.Context, from sources.Position, yield func(sources.Event, error) bool) {
		if from.Offset > t.Info().Size {
			yield(sources.Event{}, sources.ErrRewritten)
			return
		}
		for e, err := range all(t.lines, ctx, sources.Position{}) {
			if e.Span.Offset >= from.Offset && !yield(e, err) {
				return
			}
		}
	},
	"goes on behind the end": func(t chatFile, ctx context.Context, from sources.Position, yield func(sources.Event, error) bool) {
		if from.Offset <= t.Info().Size {
			t.lines(ctx, from, yield)
		}
	},
	"says it late": func(t chatFile, ctx context.Context, from sources.Position, yield func(sources.Event, error) bool) {
		for e, err := range all(t.lines, ctx, from) {
			if errors.Is(err, sources.ErrRewritten) && !yield(sources.Event{Kind: sources.Start}, nil) || !yield(e, err) {
				return
			}
		}
	},
	"never reads on": func(t chatFile, ctx context.Context, from sources.Position, yield func(sources.Event, error) bool) {
		if from.Tail != 0 && from.Carry != fmt.Sprint(t.Info().Size) {
			yield(sources.Event{}, sources.ErrRewritten)
			return
		}
		for e, err := range all(t.lines, ctx, from) {
			e.From.Carry = fmt.Sprint(t.Info().Size)
			if !yield(e, err) {
				return
			}
		}
	},
	"ids of the moment": func(t chatFile, ctx context.Context, from sources.Position, yield func(sources.Event, error) bool) {
		for e, err := range all(t.lines, ctx, from) {
			if e.ID != "" {
				e.ID = fmt.Sprint(t.Info().Size, e.ID)
			}
			if !yield(e, err) {
				return
			}
		}
	},
	"a line too much": func(t chatFile, ctx context.Context, from sources.Position, yield func(sources.Event, error) bool) {
		skip := from.Offset > 0 && t.Info().Size == int64(len(chatText))
		for e, err := range all(t.lines, ctx, from) {
			if !skip && !yield(e, err) {
				return
			}
			skip = false
		}
	},
	"empty when gone": func(t chatFile, ctx context.Context, from sources.Position, yield func(sources.Event, error) bool) {
		for e, err := range all(t.lines, ctx, from) {
			if errors.Is(err, fs.ErrNotExist) || !yield(e, err) {
				return
			}
		}
	},
	"rewritten when gone": func(t chatFile, ctx context.Context, from sources.Position, yield func(sources.Event, error) bool) {
		for e, err := range all(t.lines, ctx, from) {
			if errors.Is(err, fs.ErrNotExist) {
				err = sources.ErrRewritten
			}
			if !yield(e, err) {
				return
			}
		}
	},
}

func all(read func(context.Context, sources.Position, func(sources.Event, error) bool), ctx context.Context, from sources.Position) iter.Seq2[sources.Event, error] {
	return func(yield func(sources.Event, error) bool) { read(ctx, from, yield) }
}

func TestCheckGrowingFindsBrokenPromises(t *testing.T) {
	tests := []struct {
		name, want string
		chat       chat
	}{
		{"sound", "", chat{}},
		{"unfinished as it is", "left for the next time", chat{}},
		{"bytes as they are", "not valid UTF-8", chat{}},
		{"ends where it is damaged", "reading: not a chat", chat{}},
		{"unfinished skipped", "left for the next time", chat{}},
		{"looks at the size alone", "what stands before it is not what stood there", chat{}},
		{"goes on behind the end", "behind its end: want ErrRewritten", chat{}},
		{"says it late", "it has to come first", chat{}},
		{"never reads on", "though lines were only added", chat{}},
		{"ids of the moment", "the ID has to stay", chat{}},
		{"a line too much", "reading from the beginning", chat{}},
		{"empty when gone", "without an error", chat{}},
		{"rewritten when gone", "gone: ErrRewritten", chat{}},
		{"one time of change", "not read again", chat{info: func(in *sources.Info) { in.ModTime = 1 }}},
		{"a session a state", "is session", chat{info: func(in *sources.Info) { in.Session = fmt.Sprint(in.Size) }}},
		{"a root has to be there", "a root that does not exist", chat{lost: true}},
		{"one end", "End is what it was", chat{end: true}},
		{"a folder that is never looked at", "no transcript", chat{root: "none"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.chat.read = bentReads[tt.name]
			got := broken(CheckGrowing(t.Context(), t.TempDir(), Growing{Path: "a/b.chat", States: []string{chatText}, Source: func(root string) sources.Source {
				c := tt.chat
				c.root = filepath.Join(root, c.root)
				return c
			}}))
			if tt.want == "" && got != "" || !strings.Contains(got, tt.want) {
				t.Errorf("want %q in:\n%s", tt.want, got)
			}
		})
	}
}

// crateFile is a transcript that is read and written whole: an event a line.
type crateFile struct {
	sources.File
	bent bool // believes each position
}

func (t crateFile) Events(ctx context.Context, from sources.Position) iter.Seq2[sources.Event, error] {
	if t.bent {
		return func(yield func(sources.Event, error) bool) {
			for e, err := range sources.Replay(ctx, sources.Position{}, t.events) {
				if e.Span.Offset >= from.Offset && !yield(e, err) {
					return
				}
			}
		}
	}
	return sources.Replay(ctx, from, t.events)
}

func (t crateFile) events() (list []sources.Event, err error) {
	b, err := os.ReadFile(t.Info().Path)
	for text := range strings.Lines(string(b)) {
		list = append(list, chatFile{File: t.File}.event(sources.Line{Number: len(list)}, text))
	}
	return list, err
}

type crate struct {
	root string
	bent bool
}

func (crate) Name() string { return "crate" }

func (c crate) Transcripts(ctx context.Context) iter.Seq2[sources.Transcript, error] {
	return sources.Folder{Root: c.root}.Transcripts(ctx, func(in sources.Info) sources.Transcript {
		in.Source = c.Name()
		return crateFile{sources.FileOf(in), c.bent}
	})
}

func TestCheckGrowingOfWhatIsWrittenAnew(t *testing.T) {
	states := []string{"> hello\n", chatText[:35], "> pump\n" + chatText[:35], "> pump\n" + chatText, chatText}
	for bent, want := range map[bool]string{false: "", true: "not what stood there"} {
		got := broken(CheckGrowing(t.Context(), t.TempDir(), Growing{Path: "s", States: states, Source: func(root string) sources.Source { return crate{root, bent} }}))
		if want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("bent %v: want %q in:\n%s", bent, want, got)
		}
	}
	if got := broken(CheckGrowing(t.Context(), t.TempDir(), Growing{Source: func(root string) sources.Source { return crate{root, false} }})); got != "no states" {
		t.Errorf("without states: %q", got)
	}
}

func broken(errs []error) string {
	var all []string
	for _, err := range errs {
		all = append(all, err.Error())
	}
	return strings.Join(all, "\n")
}
