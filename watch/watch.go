// Package watch notices that transcripts grow, and calls for a run of the
// indexer when they do.
//
// It knows folders and what sources list in them; it does not know what an
// index is, and opens no transcript. It is the only importer of fsnotify.
package watch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/hansard-search/hansard/sources"
)

const (
	// usualQuiet is how long a file must not have changed before it is read: an agent
	// writes a message in several pieces.
	usualQuiet = 500 * time.Millisecond
	// usualPatience is how long a file that never rests may wait: an answer that is
	// being written is worth finding too.
	usualPatience = 5 * time.Second
	// usualPause is the least time between two runs: each costs some milliseconds and
	// a small file, however little there is to read.
	usualPause = 2 * time.Second
	// usualRescan is how often everything is looked through although nothing was
	// reported: folders that were not there, and systems that lose reports.
	usualRescan = time.Minute
)

// A Watcher looks after the transcripts of some sources. Sources and Run are
// required. All functions are called from the goroutine of Watch; nobody may change the
// fields meanwhile.
type Watcher struct {
	Sources  []sources.Source
	Roots    []string                                          // folders whose changes the system is asked to report
	Interval time.Duration                                     // look through everything so often instead; 0: only now and then
	Run      func(ctx context.Context, changed []Change) error // brings the index up to date; an error is logged, and the changes come again
	Now      func() time.Time                                  // nil: time.Now
	Log      func(message string)                              // nil: nobody reads it

	quiet, patience, pause, rescan time.Duration // 0: the usual; tests are in a hurry
}

// A Change is what became of one transcript.
type Change struct {
	Path string
	Kind string // new, grown (or rewritten), gone
}

// stamp is what tells one state of a transcript from another.
type stamp struct {
	size, modified int64
	inode          uint64
}

// vigil is one run of a Watcher.
type vigil struct {
	*Watcher
	known   map[string]stamp
	pending map[string]*wait // by path, not indexed yet
	last    time.Time        // end of the last run
	system  *fsnotify.Watcher
	full    bool // the system cannot watch any more folders
	moved   bool // something was, or is gone: a folder may not be watched any more
}

// wait is how long a path has been changing.
type wait struct{ first, last time.Time }

// Watch runs until ctx is done, which is no error. It calls Run once at the
// start, with nothing changed, and from then on with what did: with an Interval whatever
// changed since it last looked, else what rested for half a second or did not rest for
// five, at most once in two seconds. The error is that of a system that cannot report
// changes; with an Interval it is not asked to. A Watcher serves one Watch at a time.
func (w *Watcher) Watch(ctx context.Context) error {
	if w.Now == nil {
		w.Now = time.Now
	}
	if w.Log == nil {
		w.Log = func(string) {}
	}
	v := &vigil{Watcher: w, pending: map[string]*wait{}}
	w.quiet, w.patience = cmp.Or(w.quiet, usualQuiet), cmp.Or(w.patience, usualPatience)
	w.pause, w.rescan = cmp.Or(w.pause, usualPause), cmp.Or(w.rescan, usualRescan)
	if w.Interval == 0 {
		system, err := fsnotify.NewWatcher()
		if err != nil {
			return fmt.Errorf("watching: %w", err)
		}
		defer system.Close()
		v.system = system
	}
	v.watchRoots()
	v.known = v.list(ctx) // before the run, so that nothing is missed between
	v.run(ctx, nil)
	v.loop(ctx)
	return nil
}

func (v *vigil) loop(ctx context.Context) {
	var reports <-chan fsnotify.Event
	var failures <-chan error
	every := v.rescan
	if v.system != nil {
		reports, failures = v.system.Events, v.system.Errors
	} else {
		every = v.Interval
	}
	scan := time.NewTicker(every)
	defer scan.Stop()
	due := time.NewTimer(time.Hour)
	defer due.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case e := <-reports:
			v.reported(e)
		case err := <-failures:
			v.Log(fmt.Sprintf("reports were lost: %v", err))
			v.look(ctx)
		case <-scan.C:
			v.watchRoots()
			v.look(ctx)
		case <-due.C:
			v.look(ctx)
		}
		if at := v.due(); !at.IsZero() {
			due.Reset(max(at.Sub(v.Now()), 0))
		} else {
			due.Stop()
		}
	}
}

// reported notes what the system says.
func (v *vigil) reported(e fsnotify.Event) {
	if e.Op == fsnotify.Chmod {
		return
	}
	if e.Has(fsnotify.Create) {
		v.watchTree(e.Name, false) // a folder, maybe
	}
	v.moved = v.moved || e.Has(fsnotify.Rename) || e.Has(fsnotify.Remove)
	now := v.Now()
	p := v.pending[e.Name]
	if p == nil {
		p = &wait{first: now}
		v.pending[e.Name] = p
	}
	p.last = now
}

// due is when the first of the pending paths may be read; zero when there is none.
func (v *vigil) due() (at time.Time) {
	for _, p := range v.pending {
		t := p.last.Add(v.quiet)
		if end := p.first.Add(v.patience); end.Before(t) {
			t = end
		}
		if at.IsZero() || t.Before(at) {
			at = t
		}
	}
	if next := v.last.Add(v.pause); !at.IsZero() && at.Before(next) {
		at = next
	}
	return at
}

// look compares what is there with what was, and has it indexed.
func (v *vigil) look(ctx context.Context) {
	clear(v.pending)
	if v.moved { // the system drops the watch of a folder that has another name
		v.moved = false
		v.watchRoots()
	}
	now := v.list(ctx)
	var changed []Change
	for path, s := range now {
		switch old, ok := v.known[path]; {
		case !ok:
			changed = append(changed, Change{path, "new"})
		case old != s:
			changed = append(changed, Change{path, "grown"})
		}
	}
	for path := range v.known {
		if _, ok := now[path]; !ok {
			changed = append(changed, Change{path, "gone"})
		}
	}
	if len(changed) == 0 || ctx.Err() != nil {
		return
	}
	slices.SortFunc(changed, func(a, b Change) int { return strings.Compare(a.Path, b.Path) })
	if v.run(ctx, changed) {
		v.known = now
		return
	}
	moment := v.Now()
	v.pending[""] = &wait{moment, moment} // again after the pause
}

func (v *vigil) run(ctx context.Context, changed []Change) bool {
	err := v.Run(ctx, changed)
	v.last = v.Now()
	if err != nil && ctx.Err() == nil {
		v.Log(err.Error())
	}
	return err == nil
}

// list is the state of every transcript.
func (v *vigil) list(ctx context.Context) map[string]stamp {
	all := map[string]stamp{}
	for _, src := range v.Sources {
		for t, err := range src.Transcripts(ctx) {
			if err != nil {
				v.Log(err.Error())
				continue
			}
			info := t.Info()
			all[info.Path] = stamp{info.Size, info.ModTime, info.Inode}
		}
	}
	return all
}

// watchRoots asks the system to report on every folder.
func (v *vigil) watchRoots() {
	for _, root := range v.Roots {
		v.watchTree(root, false)
	}
}

// watchTree does so for one folder and those below; what is no folder, or gone
// again, is left out. Links are followed as sources do: none behind another.
func (v *vigil) watchTree(root string, linked bool) {
	if v.system == nil {
		return
	}
	folder, err := filepath.EvalSymlinks(root)
	if err != nil {
		return
	}
	_ = filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error { // an unreadable folder has nothing to report
		switch {
		case err != nil:
		case e.Type()&fs.ModeSymlink != 0 && !linked:
			v.watchTree(path, true)
		case e.IsDir():
			v.watchFolder(path)
		}
		return nil
	})
}

func (v *vigil) watchFolder(path string) {
	if err := v.system.Add(path); err != nil && !errors.Is(err, fs.ErrNotExist) && !v.full {
		v.full = true
		v.Log(fmt.Sprintf("the system reports on no more folders (%v): --interval looks through them instead", err))
	}
}
