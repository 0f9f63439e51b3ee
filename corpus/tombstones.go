package corpus

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hansard-search/hansard/corpus/internal/files"
	"github.com/hansard-search/hansard/corpus/internal/signal"
	"github.com/hansard-search/hansard/segment"
	"github.com/hansard-search/hansard/sources"
)

// A tombstone keeps a session or a project that was forgotten from coming back.
// It is a hash: the name itself is forgotten too. Tombstones are in the manifest,
// and once more in a file, one a line, for an index that loses its manifest.
const tombstonesName = "TOMBSTONES"

func sessionTomb(id string) string   { return signal.Of("forgotten session\x00" + id).String() }
func projectTomb(path string) string { return signal.Of("forgotten project\x00" + path).String() }

// tombs is the set of tombstones of an index.
func tombs(list []string) map[string]bool {
	set := make(map[string]bool, len(list))
	for _, t := range list {
		set[t] = true
	}
	return set
}

// forgottenFile reports whether a transcript is of a forgotten session, as far
// as its path tells. A session's sub-agents are forgotten with it.
func (r *run) forgottenFile(info sources.Info) bool {
	if len(r.tombs) == 0 {
		return false
	}
	return r.tombs[sessionTomb(info.Session)] || info.Lane == sources.Subagent && r.tombs[sessionTomb(info.Parent)]
}

// forgottenSession reports whether a session that was read is to be left out. A
// new one of a forgotten project gets a tombstone, so that nobody need open it
// again.
func (r *run) forgottenSession(s *segment.Session, file string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.tombs) == 0 {
		return false
	}
	if r.tombs[sessionTomb(s.ID)] || s.Lane == sources.Subagent && r.tombs[sessionTomb(parentID(s.Parent))] {
		return true
	}
	if !r.tombs[projectTomb(s.Project)] {
		return false
	}
	for _, id := range []string{s.ID, file} {
		if t := sessionTomb(id); id != "" && !r.tombs[t] {
			r.tombs[t] = true
			r.man.Tombstones = append(r.man.Tombstones, t)
		}
	}
	return true
}

// writeTombstones makes the file say what is in list.
func (ix *Indexer) writeTombstones(list []string) error {
	return files.WriteAtomic(ix.fsys, filepath.Join(ix.cfg.Dir, tombstonesName), []byte(strings.Join(list, "\n")+"\n"))
}

// readTombstones reads the file; lines that are none are passed over.
func readTombstones(dir string) (list []string) {
	b, err := os.ReadFile(filepath.Join(dir, tombstonesName))
	if err != nil {
		return nil
	}
	for line := range strings.Lines(string(b)) {
		if t := strings.TrimSpace(line); len(t) == len(sessionTomb("")) && !slices.Contains(list, t) {
			list = append(list, t)
		}
	}
	return list
}
