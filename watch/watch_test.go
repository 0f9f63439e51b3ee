package watch

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/hansard-search/hansard/sources"
)

// A try is a Watcher at work, in a hurry.
type try struct {
	t    *testing.T
	dir  string
	runs chan []Change
	fail chan error // what the next run answers
	stop func()
}

func start(t *testing.T, interval time.Duration) *try {
	return begin(t, interval, 100*time.Millisecond, filepath.Join(t.TempDir(), "projects"))
}

func begin(t *testing.T, interval, rescan time.Duration, dir string) *try {
	x := &try{t: t, dir: dir, runs: make(chan []Change, 100), fail: make(chan error, 1)}
	w := &Watcher{
		Sources: []sources.Source{sources.Claude{Root: x.dir}}, Roots: []string{x.dir}, Interval: interval, Now: time.Now,
		Log: func(m string) { t.Log(m) },
		Run: func(_ context.Context, changed []Change) error {
			select {
			case err := <-x.fail:
				return err
			default:
			}
			x.runs <- changed
			return nil
		},
		quiet: 20 * time.Millisecond, patience: 200 * time.Millisecond, pause: 10 * time.Millisecond, rescan: rescan,
	}
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	wg.Go(func() {
		if err := w.Watch(ctx); err != nil {
			t.Error(err)
		}
	})
	x.stop = func() { cancel(); wg.Wait() }
	t.Cleanup(x.stop)
	x.want() // the run at the start
	return x
}

// write appends to a file in one step, so that no look falls in between.
func (x *try) write(name, text string) {
	x.t.Helper()
	path := filepath.Join(x.dir, name)
	old, _ := os.ReadFile(path)
	tmp := filepath.Join(x.t.TempDir(), "new")
	err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(tmp, append(old, text...), 0o600))
	if err = errors.Join(err, os.Rename(tmp, path)); err != nil {
		x.t.Fatal(err)
	}
}

// want waits for runs until all of the changes were seen, in one run or several.
func (x *try) want(changes ...Change) {
	x.t.Helper()
	for {
		select {
		case got := <-x.runs:
			for i := range got {
				name, _ := filepath.Rel(x.dir, got[i].Path)
				got[i].Path = filepath.ToSlash(name)
			}
			if len(changes) < len(got) || !cmp.Equal(changes[:len(got)], got) {
				x.t.Fatalf("got %v, want %v", got, changes)
			}
			if changes = changes[len(got):]; len(changes) == 0 {
				return
			}
		case <-time.After(20 * time.Second):
			x.t.Fatalf("nothing came of %v", changes)
		}
	}
}

func TestWatch(t *testing.T) {
	for name, interval := range map[string]time.Duration{"reports": 0, "interval": 30 * time.Millisecond} {
		t.Run(name, func(t *testing.T) {
			x := start(t, interval)
			x.write("-x/a.jsonl", "{}\n") // neither root nor folder were there
			x.want(Change{"-x/a.jsonl", "new"})
			x.write("-x/a.jsonl", "{}\n")
			x.want(Change{"-x/a.jsonl", "grown"})
			x.write("-x/notes.txt", "no transcript")
			x.write("-y/b.jsonl", "{}\n")
			x.want(Change{"-y/b.jsonl", "new"})
			x.fail <- errors.New("another process is indexing")
			x.write("-y/b.jsonl", "{}\n")
			x.want(Change{"-y/b.jsonl", "grown"}) // comes again
			if err := os.Remove(filepath.Join(x.dir, "-x/a.jsonl")); err != nil {
				t.Fatal(err)
			}
			x.want(Change{"-x/a.jsonl", "gone"})
			x.stop()
			if n := len(x.runs); n > 0 {
				t.Errorf("%d runs of nothing", n)
			}
		})
	}
}

// TestMovedFolder: what is written to a folder under its next name is noticed by
// reports alone.
func TestMovedFolder(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a watched folder cannot be moved there")
	}
	x := begin(t, 0, time.Hour, t.TempDir())
	x.write("-x/a.jsonl", "{}\n")
	x.want(Change{"-x/a.jsonl", "new"})
	if err := os.Rename(filepath.Join(x.dir, "-x"), filepath.Join(x.dir, "-y")); err != nil {
		t.Fatal(err)
	}
	x.want(Change{"-x/a.jsonl", "gone"}, Change{"-y/a.jsonl", "new"})
	x.write("-y/a.jsonl", "{}\n")
	x.want(Change{"-y/a.jsonl", "grown"})
}

// TestLinkedFolders: what grows behind a link is noticed by reports alone, where
// the root is one and where a project's folder is.
func TestLinkedFolders(t *testing.T) {
	root, away := filepath.Join(t.TempDir(), "projects"), t.TempDir()
	link := func(to, from string) {
		if err := os.Symlink(to, from); err != nil {
			t.Skip(err)
		}
	}
	link(t.TempDir(), root)
	link(away, filepath.Join(root, "-early"))
	x := begin(t, 0, time.Hour, root)
	x.write("-early/a.jsonl", "{}\n")
	x.want(Change{"-early/a.jsonl", "new"})
	x.write("-x/b.jsonl", "{}\n")
	x.want(Change{"-x/b.jsonl", "new"})
	later := t.TempDir()
	link(later, filepath.Join(root, "-later"))
	link(root, filepath.Join(later, "and-round-again"))
	x.write("-later/c.jsonl", "{}\n")
	x.want(Change{"-later/c.jsonl", "new"})
	x.write("-later/c.jsonl", "{}\n")
	x.want(Change{"-later/c.jsonl", "grown"})
}

// TestDue: a file is read when it rests, or when it has not rested for long, and
// runs keep their distance.
func TestDue(t *testing.T) {
	t0 := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	at := func(seconds float64) time.Time { return t0.Add(time.Duration(seconds * float64(time.Second))) }
	v := &vigil{Watcher: &Watcher{quiet: usualQuiet, patience: usualPatience, pause: usualPause}, pending: map[string]*wait{}}
	if !v.due().IsZero() {
		t.Error("due without reason")
	}
	v.pending["a"] = &wait{at(10), at(10)}
	if got := v.due(); got != at(10.5) {
		t.Error(got)
	}
	v.pending["a"].last = at(14.9)
	if got := v.due(); got != at(15) {
		t.Error(got)
	}
	v.pending["b"] = &wait{at(12), at(12)}
	if got := v.due(); got != at(12.5) {
		t.Error(got)
	}
	v.last = at(11)
	if got := v.due(); got != at(13) {
		t.Error(got)
	}
}
