package sources

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
)

// claudeDepth bounds how deep sub-agent folders are followed: real ones are
// three deep (subagents/workflows/wf_x).
const claudeDepth = 8

// claudeFound is what one project's folder holds.
type claudeFound struct {
	infos []Info
	errs  []error
}

// claudeFind reads the folders below root, one project a job. The channel is
// closed when all are read or ctx is done; a caller that stops early ends ctx.
func claudeFind(ctx context.Context, root string) <-chan claudeFound {
	out := make(chan claudeFound)
	send := func(f claudeFound) {
		select {
		case out <- f:
		case <-ctx.Done():
		}
	}
	go func() {
		defer close(out)
		top := claudeWalk{}
		var projects []claudeDir
		// A transcript right below the root means that the root is one project.
		for _, e := range top.list(claudeDir{path: root}) {
			switch {
			case e.dir && e.name == "subagents":
			case e.dir:
				projects = append(projects, e.claudeDir)
			default:
				top.file(e, "")
			}
		}
		send(claudeFound(top))
		jobs := make(chan claudeDir)
		var workers sync.WaitGroup
		for range min(len(projects), runtime.GOMAXPROCS(0)) {
			workers.Go(func() {
				for p := range jobs {
					var w claudeWalk
					w.project(p)
					if len(w.infos)+len(w.errs) > 0 {
						send(claudeFound(w))
					}
				}
			})
		}
	feed:
		for _, p := range projects {
			select {
			case jobs <- p:
			case <-ctx.Done():
				break feed
			}
		}
		close(jobs)
		workers.Wait()
	}()
	return out
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
	name string
	dir  bool
	stat func() (fs.FileInfo, error)
}

// claudeWalk collects what it finds.
type claudeWalk struct {
	infos []Info
	errs  []error
}

// list is what a folder holds, folders and .jsonl files only. A folder that
// went away is empty.
func (w *claudeWalk) list(d claudeDir) []claudeEntry {
	entries, err := os.ReadDir(d.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		w.errs = append(w.errs, err)
	}
	found := make([]claudeEntry, 0, len(entries))
	for _, e := range entries {
		c := claudeEntry{claudeDir{filepath.Join(d.path, e.Name()), d.linked}, e.Name(), e.IsDir(), e.Info}
		if e.Type()&fs.ModeSymlink != 0 {
			st, err := os.Stat(c.path)
			if err != nil || d.linked || !(st.IsDir() || st.Mode().IsRegular()) {
				continue // dangling, the second on the way, or a device
			}
			c.linked, c.dir = true, st.IsDir()
			c.stat = func() (fs.FileInfo, error) { return st, nil }
		} else if !e.IsDir() && !e.Type().IsRegular() {
			continue
		}
		if c.dir || strings.HasSuffix(c.name, ".jsonl") {
			found = append(found, c)
		}
	}
	return found
}

// project reads one project's folder and its sessions' sub-agents.
func (w *claudeWalk) project(d claudeDir) {
	for _, e := range w.list(d) {
		switch {
		case !e.dir:
			w.file(e, "")
		case e.name == "memory", strings.HasSuffix(e.name, ".jsonl"):
		case e.name == "subagents": // the root is a project, d a session
			w.agents(e.claudeDir, filepath.Base(d.path), 0)
		default:
			w.session(e)
		}
	}
}

// session reads a session's folder, of which only "subagents" matters.
func (w *claudeWalk) session(e claudeEntry) {
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
	for _, e := range w.list(d) {
		switch {
		case e.dir && depth < claudeDepth:
			w.agents(e.claudeDir, parent, depth+1)
		case !e.dir && strings.HasPrefix(e.name, "agent-"):
			w.file(e, parent)
		}
	}
}

// file keeps a transcript. Its stat may fail because it just went away.
func (w *claudeWalk) file(e claudeEntry, parent string) {
	st, err := e.stat()
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			w.errs = append(w.errs, err)
		}
		return
	}
	if e.name == "journal.jsonl" || e.name == "history.jsonl" {
		return
	}
	info := Info{
		Source: "claude", Path: e.path, Session: strings.TrimSuffix(e.name, ".jsonl"), Parent: parent, Lane: Main,
		Size: st.Size(), ModTime: st.ModTime().UnixNano(), Inode: inodeOf(st),
	}
	if strings.HasPrefix(e.name, "agent-") {
		info.Lane = Subagent
	}
	w.infos = append(w.infos, info)
}
