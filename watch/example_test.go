package watch_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"time"

	"github.com/hansard-search/hansard/corpus"
	"github.com/hansard-search/hansard/sources"
	"github.com/hansard-search/hansard/watch"
)

// A program keeps a corpus up to date while it runs. What another process is at is done
// at the next look: the error of Run, here a *corpus.LockedError, says to come again.
func ExampleWatcher() {
	ctx, stop := context.WithCancel(context.Background())
	dir, err := os.MkdirTemp("", "watched")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	chats := &sources.Memory{Kind: "chat"}
	cfg := corpus.Config{Dir: dir, Sources: []sources.Source{chats}}
	w := watch.Watcher{Sources: cfg.Sources, Interval: 10 * time.Millisecond}
	w.Run = func(ctx context.Context, changed []watch.Change) error {
		report, err := corpus.Sync(ctx, cfg, corpus.SyncOptions{})
		if err != nil {
			return err
		}
		fmt.Println(changed, report.Added, "turns added")
		if report.Added > 0 {
			stop()
			return nil
		}
		chats.AppendRecords("session-1", sources.Record{ID: "turn-1", Prompt: "why is the pump red?"})
		return nil
	}
	fmt.Println(w.Watch(ctx))
	// Output:
	// [] 0 turns added
	// [{memory:session-1 new}] 1 turns added
	// <nil>
}
