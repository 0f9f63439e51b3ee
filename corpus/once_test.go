package corpus

import (
	"context"
	"errors"
	"testing"
)

// A run by itself, beside a reader that shares its files with it.
func TestSyncBesideAReader(t *testing.T) {
	b := newBench(t)
	cfg := b.cfg
	once := func() *Report {
		t.Helper()
		rep, err := Sync(t.Context(), cfg, SyncOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return rep
	}
	b.src.AppendRecords("s1", pair("t1", "why is the build red", "a flaky test", 0))
	if rep := once(); rep.Added != 1 {
		t.Errorf("first: %+v", rep)
	}
	cfg.Reader = b.open()
	epoch := cfg.Reader.Epoch()
	if rep := once(); rep.Unchanged != 1 || rep.Added != 0 {
		t.Errorf("nothing new: %+v", rep)
	}
	if now := cfg.Reader.Epoch(); epoch == "" || now != epoch {
		t.Errorf("nothing was published, and the epoch went from %q to %q", epoch, now)
	}
	b.src.AppendRecords("s1", pair("t2", "fix it", "done", 1))
	if rep := once(); rep.Added != 1 || rep.Unchanged != 1 {
		t.Errorf("one new turn: %+v", rep)
	}
	if cfg.Reader.Epoch() == epoch {
		t.Error("something was published, and the epoch stayed")
	}
	a, err := cfg.Reader.Search(t.Context(), Query{Text: "fix flaky"})
	if err != nil || a.ResultCount != 1 {
		t.Errorf("the reader, after the writer let go of shared files: %v, %v", a, err)
	}
	cfg.Reader.Close()
	if cfg.Reader.Epoch() != "" {
		t.Error("a closed reader has an epoch")
	}
	if rep := once(); rep.Unchanged != 2 {
		t.Errorf("beside a closed reader: %+v", rep)
	}
}

func TestSyncGivesTheLockBack(t *testing.T) {
	b := newBench(t)
	b.src.AppendRecords("s1", pair("t1", "why is the build red", "a flaky test", 0))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Sync(ctx, b.cfg, SyncOptions{}); !errors.Is(err, context.Canceled) {
		t.Fatalf("canceled: %v", err)
	}
	if rep := b.sync(); rep.Added != 1 {
		t.Errorf("%+v", rep)
	}
}
