package shard

import (
	"bytes"
	"fmt"

	"github.com/hansard-search/hansard/corpus/internal/files"
)

// Options of what writes files. The zero value works.
type Options struct {
	FS    files.FS // how the file is made; nil means files.OS{}
	Amend bool     // the last turns can be amended
	Late  bool     // whoever publishes the file makes it durable
}

func (o Options) fs() files.FS {
	if o.FS == nil {
		return files.OS{}
	}
	return o.FS
}

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
