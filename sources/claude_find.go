package sources

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// claudeDepth bounds how deep sub-agent folders are followed: real ones are
// three deep (subagents/workflows/wf_x).
const claudeDepth = 8

// claudeFound is what a project's folder holds.
type claudeFound struct {
	transcripts []claudeTranscript
	errs        []error
}

// claudeFind reads the folders below root, the projects on as many goroutines as
// there are processors. It stops early when ctx is done.
func claudeFind(ctx context.Context, root string, caps Caps) []claudeFound {
	top := claudeWalk{caps: caps}
	projects := top.root(filepath.Clean(root))
	found := make([]claudeFound, len(projects), len(projects)+1)
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(len(projects), runtime.GOMAXPROCS(0)) {
		workers.Go(func() {
			for at := int(next.Add(1)) - 1; at < len(projects) && ctx.Err() == nil; at = int(next.Add(1)) - 1 {
				w := claudeWalk{caps: caps}
				w.project(projects[at])
				found[at] = w.claudeFound
			}
		})
	}
	workers.Wait()
	return append(found, top.claudeFound)
}

// claudeDir is a folder to read. At most one symbolic link is followed on the
// way down from the root, so that no loop is possible.
type claudeDir struct {
	path   string
	linked bool
}

// claudeEntry is a folder or a regular file, links resolved.
type claudeEntry struct {
	claudeDir
	name   string
	dir    bool
	in     *folder
	target fs.FileInfo // of a link
}

func (e *claudeEntry) stamp() (stamp, error) {
	if e.target != nil {
		return stampOf(e.target), nil
	}
	return e.in.stamp(e.name)
}

// claudeWalk collects what it finds.
type claudeWalk struct {
	claudeFound
	caps Caps
}

// each visits what a folder holds, folders and .jsonl files only; visit does not
// keep the entry. A folder that went away is empty.
func (w *claudeWalk) each(d claudeDir, visit func(*claudeEntry)) {
	f, err := openFolder(d.path)
	if err == nil {
		defer f.close()
		var items []item
		items, err = f.list()
		w.transcripts = slices.Grow(w.transcripts, len(items))
		var c claudeEntry
		for _, e := range items {
			if e.kind.IsDir() || strings.HasSuffix(e.name, ".jsonl") || e.kind&fs.ModeSymlink != 0 {
				var ok bool
				if c, ok = d.entry(f, e); ok {
					visit(&c)
				}
			}
		}
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		w.errs = append(w.errs, err)
	}
}

// entry is what a folder holds; ok is false for what is no transcript and holds none.
func (d claudeDir) entry(f *folder, e item) (c claudeEntry, ok bool) {
	path, name := f.join(e.name)
	c = claudeEntry{claudeDir{path, d.linked}, name, e.kind.IsDir(), f, nil}
	if e.kind&fs.ModeSymlink != 0 {
		st, err := os.Stat(c.path)
		if err != nil || d.linked || !(st.IsDir() || st.Mode().IsRegular()) {
			return c, false // dangling, the second on the way, or a device
		}
		c.linked, c.dir, c.target = true, st.IsDir(), st
	} else if !e.kind.IsDir() && !e.kind.IsRegular() {
		return c, false
	}
	return c, c.dir || strings.HasSuffix(name, ".jsonl")
}

// root reads the folder of all projects, and returns those. A transcript right
// below it means that it is one project.
func (w *claudeWalk) root(path string) (projects []claudeDir) {
	w.each(claudeDir{path: path}, func(e *claudeEntry) {
		switch {
		case e.dir && e.name == "subagents":
		case e.dir:
			projects = append(projects, e.claudeDir)
		default:
			w.file(e, "")
		}
	})
	return projects
}

// project reads one project's folder and its sessions' sub-agents.
func (w *claudeWalk) project(d claudeDir) {
	w.each(d, func(e *claudeEntry) {
		switch {
		case !e.dir:
			w.file(e, "")
		case e.name == "memory", strings.HasSuffix(e.name, ".jsonl"):
		case e.name == "subagents": // the root is a project, d a session
			w.agents(e.claudeDir, filepath.Base(d.path), 0)
		default:
			w.session(e)
		}
	})
}

// session reads a session's folder, of which only "subagents" matters.
func (w *claudeWalk) session(e *claudeEntry) {
	d := claudeDir{filepath.Join(e.path, "subagents"), e.linked}
	st, err := os.Lstat(d.path)
	if err == nil && st.Mode()&fs.ModeSymlink != 0 && !d.linked {
		d.linked = true
		st, err = os.Stat(d.path)
	}
	if err == nil && st.IsDir() {
		w.agents(d, e.name, 0)
	}
}

// agents reads the sub-agents of a session. Only agent-*.jsonl are transcripts.
func (w *claudeWalk) agents(d claudeDir, parent string, depth int) {
	w.each(d, func(e *claudeEntry) {
		switch {
		case e.dir && depth < claudeDepth:
			w.agents(e.claudeDir, parent, depth+1)
		case !e.dir && strings.HasPrefix(e.name, "agent-"):
			w.file(e, parent)
		}
	})
}

// file keeps a transcript. Looking at it may fail because it just went away.
func (w *claudeWalk) file(e *claudeEntry, parent string) {
	if e.name == "journal.jsonl" || e.name == "history.jsonl" {
		return
	}
	s, err := e.stamp()
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			w.errs = append(w.errs, err)
		}
		return
	}
	info := Info{Source: Claude{}.Name(), Path: e.path, Session: strings.TrimSuffix(e.name, ".jsonl"), Parent: parent, Lane: Main}
	s.put(&info)
	if strings.HasPrefix(e.name, "agent-") {
		info.Lane = Subagent
	}
	w.transcripts = append(w.transcripts, claudeTranscript{File{info}, w.caps})
}
