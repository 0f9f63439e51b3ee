package sourcetest

import (
	"context"
	"fmt"
	"iter"
	"strings"
	"sync/atomic"
	"testing"
	"unsafe"

	"github.com/hansard-search/hansard/sources"
)

// bent is a sound source with one promise broken.
type bent struct {
	sources.Source
	info   func(sources.Info) sources.Info
	events func(context.Context, sources.Transcript, sources.Position) iter.Seq2[sources.Event, error]
}

type bentTranscript struct {
	sources.Transcript
	of bent
}

func (b bent) Transcripts(ctx context.Context) iter.Seq2[sources.Transcript, error] {
	return func(yield func(sources.Transcript, error) bool) {
		for t, err := range b.Source.Transcripts(ctx) {
			if err == nil {
				t = bentTranscript{t, b}
			}
			if !yield(t, err) {
				return
			}
		}
	}
}

func (t bentTranscript) Info() sources.Info {
	if t.of.info == nil {
		return t.Transcript.Info()
	}
	return t.of.info(t.Transcript.Info())
}

func (t bentTranscript) Events(ctx context.Context, from sources.Position) iter.Seq2[sources.Event, error] {
	if t.of.events == nil {
		return t.Transcript.Events(ctx, from)
	}
	return t.of.events(ctx, t.Transcript, from)
}

// mapped changes each event of a read.
func mapped(change func(*sources.Event, sources.Position)) func(context.Context, sources.Transcript, sources.Position) iter.Seq2[sources.Event, error] {
	return func(ctx context.Context, t sources.Transcript, from sources.Position) iter.Seq2[sources.Event, error] {
		return func(yield func(sources.Event, error) bool) {
			for e, err := range t.Events(ctx, from) {
				change(&e, from)
				if !yield(e, err) {
					return
				}
			}
		}
	}
}

// prompts changes each prompt of a read.
func prompts(change func(*sources.Event)) func(context.Context, sources.Transcript, sources.Position) iter.Seq2[sources.Event, error] {
	return mapped(func(e *sources.Event, _ sources.Position) {
		if e.Kind == sources.Prompt {
			change(e)
		}
	})
}

func TestCheckFindsBrokenPromises(t *testing.T) {
	var reads atomic.Int32
	tests := []struct {
		name string
		bent bent
		want string // part of an error, "" for none
	}{
		{"sound", bent{}, ""},
		{"no session", bent{info: func(in sources.Info) sources.Info { in.Session = ""; return in }}, "no session id"},
		{"another source", bent{info: func(in sources.Info) sources.Info { in.Source = "x"; return in }}, "Info.Source"},
		{"no ids", bent{events: mapped(func(e *sources.Event, _ sources.Position) { e.ID = "" })}, "without an id"},
		{"ids count prompts of a session", bent{events: prompts(func(e *sources.Event) { e.ID = fmt.Sprint("p", e.From.Offset) })}, "copies of one"},
		{"an unknown kind", bent{events: mapped(func(e *sources.Event, _ sources.Position) { e.Kind += 100 })}, "kind 10"},
		{"an unknown lane", bent{events: prompts(func(e *sources.Event) { e.Lane = "x" })}, "lane \"x\" is unknown"},
		{"too high a rank", bent{events: mapped(func(e *sources.Event, _ sources.Position) { e.Kind, e.Rank = sources.Title, 5 })}, "rank 5"},
		{"broken characters", bent{events: mapped(func(e *sources.Event, _ sources.Position) { e.Text += "\xff" })}, "UTF-8"},
		{"From behind", bent{events: prompts(func(e *sources.Event) { e.From.Offset++ })}, "stands after it"},
		{"From before another", bent{events: prompts(func(e *sources.Event) { e.From = sources.Position{} })}, "another prompt comes first"},
		{"lines not counted", bent{events: prompts(func(e *sources.Event) { e.From.Line = 7 })}, "From is line 7"},
		{"one Tail", bent{events: prompts(func(e *sources.Event) { e.From.Tail = min(e.From.Tail, 1) })}, "the same Tail"},
		{"one buffer", bent{events: func(ctx context.Context, t sources.Transcript, from sources.Position) iter.Seq2[sources.Event, error] {
			buffer := make([]byte, 1)
			return mapped(func(e *sources.Event, _ sources.Position) {
				copy(buffer, e.Text)
				e.Text = unsafe.String(&buffer[0], 1)
			})(ctx, t, from)
		}}, "changed after it was yielded"},
		{"no end", bent{events: func(ctx context.Context, t sources.Transcript, from sources.Position) iter.Seq2[sources.Event, error] {
			return func(yield func(sources.Event, error) bool) {
				for e := range t.Events(ctx, from) {
					for yield(e, nil) {
					}
					return
				}
			}
		}}, "does not end"},
		{"spans backwards", bent{events: mapped(func(e *sources.Event, _ sources.Position) { e.Span.Offset = 3 - e.Span.Offset })}, "out of order"},
		{"not the same twice", bent{events: mapped(func(e *sources.Event, _ sources.Position) { e.Model = strings.Repeat("x", int(reads.Add(1))) })}, "reading again"},
		{"forgets its place", bent{events: func(ctx context.Context, t sources.Transcript, _ sources.Position) iter.Seq2[sources.Event, error] {
			return t.Events(ctx, sources.Position{})
		}}, "reading on from prompt 2"},
		{"forgets its state", bent{events: mapped(func(e *sources.Event, from sources.Position) {
			if from.Offset == 0 {
				e.Cwd = "/w"
			}
		})}, "reading on from prompt 2"},
		{"does not look before its place", bent{events: func(ctx context.Context, t sources.Transcript, from sources.Position) iter.Seq2[sources.Event, error] {
			if from.Offset == 1 {
				for e := range t.Events(ctx, sources.Position{}) {
					if e.From.Offset == 1 {
						from = e.From
					}
				}
			}
			return t.Events(ctx, from)
		}}, "want ErrRewritten alone"},
		{"deaf", bent{events: func(_ context.Context, t sources.Transcript, from sources.Position) iter.Seq2[sources.Event, error] {
			return t.Events(context.Background(), from)
		}}, "cancelled context"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := &sources.Memory{}
			m.AppendRecords("s", sources.Record{ID: "1", Prompt: "p"}, sources.Record{ID: "1b", Prompt: "p"}, sources.Record{ID: "2", Prompt: "q"}, sources.Record{ID: "3", Prompt: "r"})
			m.AppendRecords("other", sources.Record{ID: "4", Prompt: "s"}, sources.Record{ID: "5", Prompt: "t"})
			tt.bent.Source = m
			errs := Check(t.Context(), tt.bent, Options{Prompts: 6})
			var all []string
			for _, err := range errs {
				all = append(all, err.Error())
			}
			got := strings.Join(all, "\n")
			if tt.want == "" && got != "" || !strings.Contains(got, tt.want) {
				t.Errorf("want %q in:\n%s", tt.want, got)
			}
		})
	}
	if errs := Check(t.Context(), &sources.Memory{}, Options{}); len(errs) != 1 {
		t.Errorf("an empty source: %v", errs)
	}
}
