package sources_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"hash/crc64"
	"iter"
	"log"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/hansard-search/hansard/sources"
)

// nova is the source of an invented agent: a file a session, an object a line.
type nova struct{ root string }

func (nova) Name() string { return "nova" }

func (n nova) Transcripts(ctx context.Context) iter.Seq2[sources.Transcript, error] {
	return func(yield func(sources.Transcript, error) bool) {
		files, _ := filepath.Glob(filepath.Join(n.root, "*.jsonl"))
		for _, path := range files {
			if ctx.Err() != nil {
				yield(nil, ctx.Err())
				return
			}
			st, err := os.Stat(path)
			if err != nil {
				if !yield(nil, err) {
					return
				}
				continue
			}
			session := strings.TrimSuffix(filepath.Base(path), ".jsonl")
			in := sources.Info{Source: "nova", Path: path, Session: session, Lane: sources.Main, Size: st.Size(), ModTime: st.ModTime().UnixNano()}
			if !yield(novaTranscript{in}, nil) {
				return
			}
		}
	}
}

type novaTranscript struct{ info sources.Info }

func (t novaTranscript) Info() sources.Info { return t.info }

func (t novaTranscript) Events(ctx context.Context, from sources.Position) iter.Seq2[sources.Event, error] {
	return func(yield func(sources.Event, error) bool) {
		text, err := os.ReadFile(t.info.Path)
		switch {
		case ctx.Err() != nil:
			err = ctx.Err()
		case err == nil && (from.Offset > int64(len(text)) || novaTail(text[:from.Offset]) != from.Tail):
			err = sources.ErrRewritten
		}
		if err != nil {
			yield(sources.Event{}, err)
			return
		}
		for at := from; ; at.Line++ {
			line, _, finished := bytes.Cut(text[at.Offset:], []byte("\n"))
			if !finished { // it may still be written
				return
			}
			at.Tail = novaTail(text[:at.Offset])
			if !yield(t.event(line, at)) {
				return
			}
			at.Offset += int64(len(line)) + 1
		}
	}
}

// novaTail is the Tail of a position that text leads up to.
func novaTail(text []byte) uint64 {
	return crc64.Checksum(text[max(0, len(text)-256):], crc64.MakeTable(crc64.ISO))
}

func (t novaTranscript) event(line []byte, at sources.Position) (sources.Event, error) {
	var said struct {
		Who, Text string
		At        time.Time
	}
	if err := json.Unmarshal(line, &said); err != nil {
		return sources.Event{}, &sources.Skipped{Path: t.info.Path, Line: at.Line + 1, Reason: err.Error()}
	}
	e := sources.Event{Text: said.Text, Time: said.At, Span: sources.Span{Offset: at.Offset, Length: int64(len(line)) + 1}}
	switch said.Who {
	case "user":
		e.Kind, e.From = sources.Prompt, at
		e.ID = fmt.Sprint(t.info.Session, "#", at.Line) // the format has none
	case "nova":
		e.Kind = sources.AssistantText
	}
	return e, nil
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
