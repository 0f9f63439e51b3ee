package shard

import (
	"bytes"
	"fmt"

	"github.com/hansard-search/hansard/corpus/internal/files"
)

// A lateFile is made when something is written: a small shard may do without.
type lateFile struct {
	files.File // nil: not yet made
	fs         files.FS
	path       string
}

func (f *lateFile) Write(b []byte) (int, error) {
	if f.File == nil {
		made, err := f.fs.Create(f.path)
		if err != nil {
			return 0, fmt.Errorf("create index file: %w", err)
		}
		f.File = made
	}
	return f.File.Write(b)
}

func (f *lateFile) Sync() error {
	if f.File == nil {
		return nil
	}
	return f.File.Sync()
}

func (f *lateFile) Close() error {
	if f.File == nil {
		return nil
	}
	return f.File.Close()
}

// memoryFile is the file of a shard in memory.
type memoryFile struct{ bytes.Buffer }

func (*memoryFile) Sync() error  { return nil }
func (*memoryFile) Close() error { return nil }
