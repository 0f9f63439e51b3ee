package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/hansard-search/hansard/corpus"
	"github.com/hansard-search/hansard/segment"
	"github.com/hansard-search/hansard/sources"
)

const (
	adds     = 2000 // turns added to an index that is there
	slowAdds = 200  // the same of engines that write each to the disk
	sessions = 20   // into which one-turn updates are divided
)

// addEach invents turns and times how long each takes to be added.
func addEach(r *result, n int, add func(i int, p pair) error) error {
	run := time.Now().UnixNano()
	w := newWords(uint64(run))
	for i := range n {
		p := pair{fmt.Sprintf("added-%d-%d", run, i), string(w.text(nil, w.length(25))), string(w.text(nil, w.length(150)))}
		r.Found["bytes"] += len(p.Prompt) + len(p.Answer)
		began := time.Now()
		if err := add(i, p); err != nil {
			return err
		}
		r.Times["add"] = append(r.Times["add"], time.Since(began))
	}
	return nil
}

// turn is a pair as a turn of a session of its own program's.
func turn(session string, p pair) (segment.Session, segment.Turn) {
	now := time.Now()
	s := segment.Session{ID: session, Source: "memory", Path: "memory:" + session, Lane: sources.Main, Created: now}
	t := segment.Turn{ID: p.ID, Source: s.Source, Session: s.ID, Lane: sources.Main, State: segment.Final,
		Prompt: p.Prompt, Summary: p.Answer, Created: now, Updated: now}
	t.Messages = []segment.Message{{Role: segment.User, Text: t.Prompt}, {Role: segment.Assistant, Text: t.Summary}}
	return s, t
}

// hansardAdd adds turns to the corpus, each to be found in this process at once,
// and on the disk after the last.
func hansardAdd(j *job, r *result) error {
	ctx := context.Background()
	ix, err := corpus.OpenIndexer(ctx, corpus.Config{Dir: folder(j.dataset)})
	if err != nil {
		return err
	}
	session := fmt.Sprintf("added-%d", time.Now().UnixNano())
	err = addEach(r, adds, func(_ int, p pair) error {
		s, t := turn(session, p)
		return ix.Add(ctx, s, t)
	})
	began := time.Now()
	err = errors.Join(err, ix.Close())
	r.Times["close"] = []time.Duration{time.Since(began)}
	return err
}

// hansardUpdates makes a corpus of one-turn updates, each on the disk and to be
// found by everybody, and notes the most shards there were.
func hansardUpdates(j *job, r *result) error {
	ctx := context.Background()
	ix, err := corpus.OpenIndexer(ctx, corpus.Config{Dir: folder(j.dataset)})
	if err != nil {
		return err
	}
	err = addEach(r, j.Turns, func(i int, p pair) error {
		if time.Now().After(j.ends) {
			return errBudget
		}
		s, t := turn(fmt.Sprintf("session-%d", i%sessions), p)
		if err := ix.Add(ctx, s, t); err != nil {
			return err
		}
		if err := ix.Flush(ctx); err != nil {
			return err
		}
		r.Found["shards"] = max(r.Found["shards"], shards(folder(j.dataset)))
		return nil
	})
	if errors.Is(err, errBudget) {
		err = nil
	}
	return errors.Join(err, ix.Close())
}

// shards is how many index files a corpus consists of.
func shards(dir string) int {
	list, _ := os.ReadDir(filepath.Join(dir, "shards"))
	return len(list)
}
