package install

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// errChanged: an agent wrote its file at the same moment.
var errChanged = errors.New("was changed meanwhile: run it again")

// errDangling: a file in the place of such a link would part the user's files
// from where they are kept.
var errDangling = errors.New("is a link to a file that is not there: make that file, or remove the link")

// readFile is nil where there is no file.
func readFile(path string) ([]byte, error) {
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		if exists(path) {
			return nil, &FileError{path, errDangling}
		}
		return nil, nil
	}
	if err != nil {
		return nil, &FileError{path, err}
	}
	return append([]byte{}, b...), nil // empty is not nil
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// write makes a change, if the file still is what the change began with.
func (c Change) write() error {
	now, err := readFile(c.Path)
	if err != nil {
		return err
	}
	if !bytes.Equal(now, c.Before) {
		return &FileError{c.Path, errChanged}
	}
	if c.After == nil {
		if err := os.Remove(c.Path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return &FileError{c.Path, err}
		}
		return nil
	}
	return writeFile(c.Path, c.After, 0o600) // agents' settings hold what others need not read
}

// writeFile replaces a file in one step and keeps its rights; mode is that of a
// new one. A link stays a link.
func writeFile(path string, text []byte, mode fs.FileMode) error {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return &FileError{path, err}
	}
	if info, err := os.Stat(path); err == nil {
		mode = info.Mode().Perm()
	}
	if err := replace(path, text, mode); err != nil {
		return &FileError{path, fmt.Errorf("writing: %w", err)}
	}
	return nil
}

func replace(path string, text []byte, mode fs.FileMode) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".hansard-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // gone already when all went well
	_, err = f.Write(text)
	if err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
