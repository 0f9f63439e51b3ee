package sources

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// A tree finds the transcripts of agents that keep them in folders below
// folders. Links are not followed, a root that is one excepted.
type tree struct {
	depth int                                  // how many folders a transcript may be below, the root included
	named func(name string) bool               // whether a file of that name is a transcript
	found func(string, fs.FileInfo) Transcript // makes it of path and stat
}

// walk yields the transcripts below dir; false means the caller wants no more.
// A folder that is not there holds none.
func (t tree) walk(ctx context.Context, dir string, yield func(Transcript, error) bool) bool {
	if err := ctx.Err(); err != nil {
		yield(nil, err)
		return false
	}
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) && !yield(nil, err) {
		return false
	}
	below := t
	below.depth--
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		switch {
		case e.IsDir():
			if below.depth > 0 && !below.walk(ctx, path, yield) {
				return false
			}
		case e.Type().IsRegular() && t.named(e.Name()):
			if !t.file(path, e, yield) {
				return false
			}
		}
	}
	return true
}

func (t tree) file(path string, e fs.DirEntry, yield func(Transcript, error) bool) bool {
	st, err := e.Info()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return true // gone since the folder was read
	case err != nil:
		return yield(nil, err)
	}
	return yield(t.found(path, st), nil)
}
