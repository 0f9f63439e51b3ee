// Package files is the one way in which this module writes files: whole, in
// private folders, through a seam that tests can break at any step.
//
// It knows nothing of what the files hold. Reading needs no seam (a test
// damages the file instead) and goes through package os.
package files

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
)

// The modes of everything that is written, whatever the umask: transcripts
// hold what people told their agents, and so does what is made of them.
const (
	fileMode   = 0o600
	folderMode = 0o700
)

// TempSuffix ends the name of a file that is being written. A file with it,
// found by the holder of the writer lock, is left over from a killed writer.
const TempSuffix = ".tmp"

// An FS changes files. Implementations are safe for concurrent use.
type FS interface {
	// Create makes a file for writing and empties the one that is there.
	Create(path string) (File, error)
	// Append opens an existing file for writing, cut to length bytes. It is an
	// error when the file is shorter.
	Append(path string, length int64) (File, error)
	// Rename gives a file its name, in place of the file that had it.
	Rename(from, to string) error
	// Remove removes a file or an empty folder; fs.ErrNotExist when absent.
	Remove(path string) error
	// Mkdir makes a folder and those above it, and is content when they exist.
	// Only the last one's mode is set.
	Mkdir(dir string) error
	// SyncDir makes the names in a folder durable.
	SyncDir(dir string) error
}

// A File is a file being written, from its beginning or from where Append cut it.
type File interface {
	io.Writer
	// Sync makes what was written durable.
	Sync() error
	Close() error
}

var _ FS = OS{}

// OS changes files on the disk. Files get mode 0600, folders 0700.
type OS struct{}

// Create implements FS.
func (OS) Create(path string) (File, error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, fileMode)
	if err != nil {
		return nil, err
	}
	if err := f.Chmod(fileMode); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// Append implements FS.
func (OS) Append(path string, length int64) (File, error) {
	f, err := os.OpenFile(path, os.O_WRONLY, fileMode)
	if err != nil {
		return nil, err
	}
	if err := cut(f, length); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

func cut(f *os.File, length int64) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if info.Size() < length {
		return &fs.PathError{Op: "append", Path: f.Name(), Err: io.ErrUnexpectedEOF}
	}
	if info.Size() > length {
		if err := f.Truncate(length); err != nil {
			return err
		}
	}
	_, err = f.Seek(length, io.SeekStart)
	return err
}

// Rename implements FS.
func (OS) Rename(from, to string) error { return os.Rename(from, to) }

// Remove implements FS.
func (OS) Remove(path string) error { return os.Remove(path) }

// Mkdir implements FS.
func (OS) Mkdir(dir string) error {
	if err := os.MkdirAll(dir, folderMode); err != nil {
		return err
	}
	return os.Chmod(dir, folderMode)
}

// SyncDir implements FS. Windows cannot sync a folder, and some file systems
// say EINVAL or ENOTSUP; there is nothing better to do on them than to go on.
func (OS) SyncDir(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	err = d.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		return nil
	}
	return err
}

// A Pending is a file that gets its name only when it is whole. Use it from
// one goroutine, and end it with Commit or Abort.
type Pending struct {
	fs      FS
	f       File
	path    string
	settled bool
	done    bool
}

// Create begins a file that Commit will name path.
func Create(fsys FS, path string) (*Pending, error) {
	f, err := fsys.Create(path + TempSuffix)
	if err != nil {
		return nil, err
	}
	return &Pending{fs: fsys, f: f, path: path}, nil
}

// Write implements io.Writer.
func (p *Pending) Write(b []byte) (int, error) { return p.f.Write(b) }

// Settle makes the file durable before it has its name: the disk can do that
// together with what has to be there before. After an error the file is gone.
func (p *Pending) Settle() error {
	if err := p.f.Sync(); err != nil {
		p.Abort()
		return err
	}
	if err := p.f.Close(); err != nil {
		p.remove()
		return err
	}
	p.settled = true
	return nil
}

// Commit makes the file durable under its name: sync, unless it is settled, rename,
// sync of the folder. After an error the file may or may not have its name, and
// what was there before is whole or replaced by what is whole.
func (p *Pending) Commit() error {
	if !p.settled {
		if err := p.Settle(); err != nil {
			return err
		}
	}
	if err := p.fs.Rename(p.path+TempSuffix, p.path); err != nil {
		p.remove()
		return err
	}
	p.done = true
	return p.fs.SyncDir(filepath.Dir(p.path))
}

// Abort gives the file up. It does nothing after Commit, so it can be deferred.
func (p *Pending) Abort() {
	if p.done {
		return
	}
	if !p.settled {
		p.f.Close()
	}
	p.remove()
}

func (p *Pending) remove() {
	p.done = true
	p.fs.Remove(p.path + TempSuffix) // what stays is an orphan that the next writer removes
}

// Sync makes the file path durable, which has size bytes.
func Sync(fsys FS, path string, size int64) error {
	f, err := fsys.Append(path, size)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// WriteAtomic makes b the content of the file path, durably: a reader sees
// the old content or the new, never a part.
func WriteAtomic(fsys FS, path string, b []byte) error {
	p, err := Create(fsys, path)
	if err != nil {
		return err
	}
	defer p.Abort()
	if _, err := p.Write(b); err != nil {
		return err
	}
	return p.Commit()
}
