package sources

import (
	"context"
	"errors"
	"io/fs"
)

// A tree finds the transcripts of agents that keep them in folders below
// folders. Links are not followed, a root that is one excepted.
type tree struct {
	depth int                                         // how many folders a transcript may be below, the root included
	named func(name string) bool                      // whether a file of that name is a transcript
	found func(path, name string, s stamp) Transcript // makes it
}

// walk yields the transcripts below dir; false means the caller wants no more.
// A folder that is not there holds none.
func (t tree) walk(ctx context.Context, dir string, yield func(Transcript, error) bool) bool {
	if err := ctx.Err(); err != nil {
		yield(nil, err)
		return false
	}
	d, err := openFolder(dir)
	if err != nil {
		return errors.Is(err, fs.ErrNotExist) || yield(nil, err)
	}
	defer d.close()
	entries, err := d.list()
	if err != nil && !errors.Is(err, fs.ErrNotExist) && !yield(nil, err) {
		return false
	}
	below := t
	below.depth--
	for _, e := range entries {
		switch {
		case e.kind.IsDir():
			if path, _ := d.join(e.name); below.depth > 0 && !below.walk(ctx, path, yield) {
				return false
			}
		case e.kind.IsRegular() && t.named(e.name):
			if !t.file(d, e.name, yield) {
				return false
			}
		}
	}
	return true
}

func (t tree) file(d *folder, name string, yield func(Transcript, error) bool) bool {
	s, err := d.stamp(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return true // gone since the folder was read
	case err != nil:
		return yield(nil, err)
	}
	path, name := d.join(name)
	return yield(t.found(path, name, s), nil)
}
