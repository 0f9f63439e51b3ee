package corpus_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"time"

	"github.com/hansard-search/hansard/corpus"
	"github.com/hansard-search/hansard/segment"
	"github.com/hansard-search/hansard/sources"
	"github.com/hansard-search/hansard/surfaces"
)

// Index what sources hold, and ask. Sync again whenever they may have grown: it
// reads only what is new.
func Example() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "corpus")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)

	chats := &sources.Memory{Kind: "chat"} // or sources.Claude{Root: ...}, or your own
	chats.AppendRecords("session-1",
		sources.Record{ID: "turn-1", Prompt: "why is the pump red?", Answer: "A valve is closed."},
		sources.Record{ID: "turn-2", Prompt: "then open it", Answer: "The pump is green."})

	report, err := corpus.Sync(ctx, corpus.Config{Dir: dir, Sources: []sources.Source{chats}}, corpus.SyncOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(report.Added, "turns added")

	c, err := corpus.Open(dir)
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()
	answer, err := c.Search(ctx, corpus.Query{
		Text:   "pump",
		Filter: corpus.Filter{Surfaces: []surfaces.Name{surfaces.AssistantSummary}},
		Group:  corpus.ByTurn,
		Window: true, Before: 1,
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, hit := range answer.Results {
		fmt.Println(hit.TurnID, hit.Snippet)
		for _, message := range hit.Window {
			fmt.Printf("  %s: %s\n", message.Role, message.Snippet)
		}
	}
	// Output:
	// 2 turns added
	// turn-2 The **pump** is green.
	//   user: then open it
	//   assistant: The pump is green.
}

// A program that has turns of its own adds them one by one. They are found
// through Snapshot at once, and by everybody after Flush.
func ExampleIndexer_Add() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "corpus")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)

	ix, err := corpus.OpenIndexer(ctx, corpus.Config{Dir: dir})
	if err != nil {
		log.Fatal(err)
	}
	defer ix.Close()
	err = ix.Add(ctx, segment.Session{ID: "session-1"}, segment.Turn{ID: "turn-1", Prompt: "where is the key?", Summary: "Under the mat."})
	if err != nil {
		log.Fatal(err)
	}
	snapshot, err := ix.Snapshot()
	if err != nil {
		log.Fatal(err)
	}
	defer snapshot.Close()
	answer, err := snapshot.Search(ctx, corpus.Query{Text: "key"})
	if err != nil {
		log.Fatal(err)
	}
	_, err = corpus.Open(dir)
	fmt.Println(answer.Total, "in the snapshot; elsewhere:", errors.Is(err, corpus.ErrNoCorpus))
	if err := ix.Flush(ctx); err != nil {
		log.Fatal(err)
	}
	c, err := corpus.Open(dir)
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()
	turn, err := c.Turn(ctx, "turn-1")
	fmt.Println(turn.Summary, err)
	// Output:
	// 1 in the snapshot; elsewhere: true
	// Under the mat. <nil>
}

// Whoever types an id types its beginning, of a turn or of a session.
func ExampleCorpus_Resolve() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "corpus")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	chats := &sources.Memory{}
	chats.AppendRecords("0fe553fc-session", sources.Record{ID: "60b4b528-turn", Prompt: "why is the pump red?", Answer: "A valve is closed."})
	if _, err := corpus.Sync(ctx, corpus.Config{Dir: dir, Sources: []sources.Source{chats}}, corpus.SyncOptions{}); err != nil {
		log.Fatal(err)
	}
	c, err := corpus.Open(dir)
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()
	for _, id := range []string{"0fe553fc", "60b4b528", "77777777"} {
		session, turn, err := c.Resolve(ctx, id)
		fmt.Printf("%s: session %q, turn %q, %v\n", id, session, turn, err)
	}
	// Output:
	// 0fe553fc: session "0fe553fc-session", turn "", <nil>
	// 60b4b528: session "0fe553fc-session", turn "60b4b528-turn", <nil>
	// 77777777: session "", turn "", no id is "77777777" or begins so
}

// What a query is read as. Signs are those of a search engine; what is not one of them
// is a word.
func ExampleParseQuery() {
	now := time.Date(2026, 10, 31, 12, 0, 0, 0, time.UTC)
	q, err := corpus.ParseQuery(`why did "cache key" change -terraform deplo* project:api after:7d`, now)
	if err != nil {
		log.Fatal(err)
	}
	for _, c := range q.Clauses {
		fmt.Println(c.Text, c.Kind == corpus.Phrase, c.Kind == corpus.Prefix, c.Not)
	}
	fmt.Println(q.Filter.Projects, q.Filter.After.Format(time.DateOnly))

	_, err = corpus.ParseQuery("deploy after:someday", now)
	var wrong *corpus.QueryError
	if errors.As(err, &wrong) {
		fmt.Println("wrong from byte", wrong.Pos)
	}
	// Output:
	// why false false false
	// did false false false
	// cache key true false false
	// change false false false
	// terraform false false true
	// deplo false true false
	// [api] 2026-10-24
	// wrong from byte 7
}

// Errors that call for something to be done are told apart by errors.Is and
// errors.As.
func ExampleOpen_errors() {
	_, err := corpus.Open(filepath.Join(os.TempDir(), "no such corpus"))
	var damage *corpus.DamageError
	switch {
	case errors.Is(err, corpus.ErrNoCorpus):
		fmt.Println("index first")
	case errors.Is(err, corpus.ErrNewer):
		fmt.Println("update the program")
	case errors.As(err, &damage):
		fmt.Println("repair", damage.File)
	}
	// Output: index first
}
