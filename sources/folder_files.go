package sources

import (
	"context"
	"iter"
	"path"
	"path/filepath"
	"strings"
)

// A Folder is where an agent keeps transcripts that are files, for who writes a
// source. The zero Folder holds none.
type Folder struct {
	Root  string // "", and one that does not exist, hold none
	Name  string // pattern of a transcript's file name, as path.Match has it; "" means any
	Depth int    // how many folders a transcript may be below, Root included; 0 means 1
}

// Transcripts yields what found makes of each regular file whose name matches, as
// Source.Transcripts wants it: errors are about one path, and ctx ends the walk. Links
// are not followed, Root excepted. found is given the Info that path and stat tell, with
// the name up to its last dot as the Session and Main as the Lane; Source is left to it.
// It returns nil for what is no transcript, and is called on the caller's goroutine.
func (f Folder) Transcripts(ctx context.Context, found func(Info) Transcript) iter.Seq2[Transcript, error] {
	return func(yield func(Transcript, error) bool) {
		if f.Root == "" {
			return
		}
		root, err := filepath.Abs(f.Root)
		if err == nil {
			_, err = path.Match(f.Name, "")
		}
		if err != nil {
			yield(nil, err)
			return
		}
		named := func(name string) bool {
			ok, _ := path.Match(f.Name, name) // the pattern was looked at
			return ok || f.Name == ""
		}
		t := tree{max(1, f.Depth), named, func(path, name string, s stamp) Transcript {
			in := Info{Path: path, Session: strings.TrimSuffix(name, filepath.Ext(name)), Lane: Main}
			s.put(&in)
			return found(in)
		}}
		t.walk(ctx, root, func(t Transcript, err error) bool { return t == nil && err == nil || yield(t, err) })
	}
}
