package sources_test

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"log"
	"os"
	"path/filepath"
	"time"

	"github.com/hansard-search/hansard/sources"
)

// nova is the source of an invented agent: a file a session, an object a line.
type nova struct{ root string }

func (nova) Name() string { return "nova" }

func (n nova) Transcripts(ctx context.Context) iter.Seq2[sources.Transcript, error] {
	files := sources.Folder{Root: n.root, Name: "*.jsonl"}
	return files.Transcripts(ctx, func(in sources.Info) sources.Transcript {
		in.Source = n.Name()
		return novaTranscript{sources.FileOf(in)}
	})
}

type novaTranscript struct{ sources.File }

func (t novaTranscript) Events(ctx context.Context, from sources.Position) iter.Seq2[sources.Event, error] {
	return func(yield func(sources.Event, error) bool) {
		for line, err := range t.Lines(ctx, from) {
			var said novaLine
			ok := false
			if err == nil {
				ok, err = line.JSON(&said)
			}
			if (ok || err != nil) && !yield(said.event(t.Info().Session, line), err) {
				return
			}
		}
	}
}

type novaLine struct {
	Who, Text string
	At        time.Time
}

func (l novaLine) event(session string, line sources.Line) sources.Event {
	e := sources.Event{Text: l.Text, Time: l.At, Span: line.Span}
	switch l.Who {
	case "user":
		e.Kind, e.From = sources.Prompt, line.Position("")
		e.ID = fmt.Sprint(session, "#", line.Number) // the format has none
	case "nova":
		e.Kind = sources.AssistantText
	}
	return e
}

const novaSession = `{"who": "user", "text": "why is the pump red?", "at": "2026-11-01T10:00:00Z"}
{"who": "nova", "text": "A valve is closed.", "at": "2026-11-01T10:00:07Z"}
{"who": "user", "text": "then open it", "at": "2026-11-01T10:01:00Z"}
{"who": "nova", "te`

func writeNova(dir string) error {
	return os.WriteFile(filepath.Join(dir, "60b4b528.jsonl"), []byte(novaSession), 0o600)
}

// A source of one's own implements Source and Transcript, and is handed over in
// corpus.Config.Sources.
func ExampleSource() {
	dir, err := os.MkdirTemp("", "nova")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := writeNova(dir); err != nil {
		log.Fatal(err)
	}
	var s sources.Source = nova{root: dir}
	for transcript, err := range s.Transcripts(context.Background()) {
		if err != nil {
			log.Fatal(err)
		}
		for event, err := range transcript.Events(context.Background(), sources.Position{}) {
			fmt.Println(event.ID, event.Text, err)
		}
	}
	// Output:
	// 60b4b528#0 why is the pump red? <nil>
	//  A valve is closed. <nil>
	// 60b4b528#2 then open it <nil>
}

// crateTranscript is a session of another invented agent, which writes all of it anew
// with each message: a file is one object.
type crateTranscript struct{ sources.File }

func (t crateTranscript) Events(ctx context.Context, from sources.Position) iter.Seq2[sources.Event, error] {
	return sources.Replay(ctx, from, t.read)
}

func (t crateTranscript) read() ([]sources.Event, error) {
	var session struct {
		ID, Title string
		Messages  []struct{ ID, Role, Text string }
	}
	b, err := os.ReadFile(t.Info().Path)
	if err == nil {
		err = json.Unmarshal(b, &session)
	}
	if err != nil {
		return nil, err // half-written, maybe: it is tried again at the next sync
	}
	events := []sources.Event{{Kind: sources.Title, Text: session.Title, Rank: 3}}
	for _, m := range session.Messages {
		e := sources.Event{Kind: sources.AssistantText, ID: m.ID, Text: m.Text}
		if m.Role == "user" {
			e.Kind, e.ID = sources.Prompt, session.ID+"/"+m.ID
		}
		events = append(events, e)
	}
	return events, nil
}

// Replay reads on in what can only be read whole.
func ExampleReplay() {
	dir, err := os.MkdirTemp("", "crate")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	const session = `{"id": "s1", "title": "Pump", "messages": [{"id": "1", "role": "user", "text": "why is it red?"}, {"id": "2", "role": "agent", "text": "A valve is closed."}]}`
	if err := os.WriteFile(filepath.Join(dir, "s1.json"), []byte(session), 0o600); err != nil {
		log.Fatal(err)
	}
	found := func(in sources.Info) sources.Transcript {
		in.Source = "crate"
		return crateTranscript{sources.FileOf(in)}
	}
	for t, err := range (sources.Folder{Root: dir, Name: "*.json"}).Transcripts(context.Background(), found) {
		if err != nil {
			log.Fatal(err)
		}
		for e, err := range t.Events(context.Background(), sources.Position{}) {
			fmt.Println(e.Span.Offset, e.ID, e.Text, err)
		}
	}
	// Output:
	// 0  Pump <nil>
	// 1 s1/1 why is it red? <nil>
	// 2 2 A valve is closed. <nil>
}
