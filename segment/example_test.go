package segment_test

import (
	"context"
	"fmt"
	"log"

	"github.com/hansard-search/hansard/segment"
	"github.com/hansard-search/hansard/sources"
)

// Cut a transcript into turns, and later what has been added to it.
func ExampleCut() {
	ctx := context.Background()
	chats := &sources.Memory{}
	chats.AppendRecords("session-1", sources.Record{ID: "turn-1", Prompt: "why is the pump red?"})

	var start segment.Start
	for range 2 {
		for transcript, err := range chats.Transcripts(ctx) {
			if err != nil {
				log.Fatal(err)
			}
			if start.Session.ID == "" {
				start = segment.Begin(transcript.Info())
			}
			result, err := segment.Cut(start, transcript.Events(ctx, start.From), func(t segment.Turn) bool {
				fmt.Printf("%s %s %q\n", t.ID, t.State, t.Answer())
				return true
			})
			if err != nil || result.NeedsWhole {
				log.Fatal(err) // sources.ErrRewritten or NeedsWhole: cut again from segment.Whole
			}
			start = result.Next
		}
		chats.Append(sources.Info{Session: "session-1"},
			sources.Event{Kind: sources.AssistantText, Text: "A valve is closed."}, sources.Event{Kind: sources.TurnEnd})
	}
	// Output:
	// turn-1 noreply ""
	// turn-1 final "A valve is closed."
}
