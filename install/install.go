// Package install tells agents of hansard: it puts a server, a skill and hooks
// into their configuration, keeping every byte that is not ours, and takes them
// out again.
//
// It knows how each agent is configured, and nothing of corpora. It sees the
// machine only through a Place, and changes nothing unless Install or Uninstall
// is called.
package install

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A Place says where things are. All fields are required.
type Place struct {
	ClaudeDir  string // holds settings.json and skills
	ClaudeFile string // holds the servers that all projects know
	PiDir      string // holds extensions and skills
	CodexDir   string // holds config.toml and skills
	State      string // folder for records of what was changed, and for backups
	Command    string // how the program is called: its name, or its path
}

// A Change is what becomes of one file.
type Change struct {
	Path   string
	About  string // what for, in a few words
	Before []byte // nil: there was no file
	After  []byte // nil: there is none any more
}

// A FileError is a file that could not be changed. Nothing else was changed
// either, unless it names the disk as its cause.
type FileError struct {
	Path string
	Err  error
}

func (e *FileError) Error() string { return e.Path + ": " + e.Err.Error() }

func (e *FileError) Unwrap() error { return e.Err }

// ErrAgent: there is no agent of that name; Agents lists them.
var ErrAgent = errors.New("unknown agent")

// A record remembers what Install did to an agent's files.
type record struct {
	Files []recordFile `json:"files"`
	Dirs  []string     `json:"dirs"` // made for them, outermost first
}

type recordFile struct {
	Path   string `json:"path"`
	Backup string `json:"backup,omitempty"` // name beside the record; "": there was no file
	After  string `json:"after"`            // hash of what was written
}

func sum(b []byte) string {
	h := sha256.Sum256(b)
	return hex.EncodeToString(h[:])
}

// Plan says what Install would change; nothing where all is in place.
func (p Place) Plan(agent string) ([]Change, error) {
	return p.changes(agent, func(f file, text []byte) (_ []byte, err error) {
		for _, e := range f.edits {
			if text, err = e.add(text); err != nil {
				return nil, &FileError{f.path, err}
			}
		}
		return text, nil
	})
}

// changes are what becomes of an agent's files; after makes the new text of one, nil
// being no file.
func (p Place) changes(agent string, after func(f file, text []byte) ([]byte, error)) ([]Change, error) {
	files, err := p.files(agent)
	if err != nil {
		return nil, err
	}
	var list []Change
	for _, f := range files {
		c := Change{Path: f.path, About: f.about}
		if c.Before, err = readFile(f.path); err != nil {
			return nil, err
		}
		if c.After, err = after(f, c.Before); err != nil {
			return nil, err
		}
		if !bytes.Equal(c.Before, c.After) || (c.Before == nil) != (c.After == nil) {
			list = append(list, c)
		}
	}
	return list, nil
}

// Install makes the changes of Plan and returns them. Before the first of them
// it keeps a copy of each file in Place.State.
func (p Place) Install(agent string) ([]Change, error) {
	changes, err := p.Plan(agent)
	if err != nil || len(changes) == 0 {
		return changes, err
	}
	rec, err := p.load(agent)
	if err != nil {
		return nil, err
	}
	files, _ := p.files(agent)
	for _, c := range changes {
		if err := p.remember(agent, rec, c, files); err != nil {
			return nil, err
		}
	}
	if err := p.save(agent, rec); err != nil {
		return nil, err
	}
	for _, c := range changes {
		if err := c.write(); err != nil {
			return nil, err
		}
	}
	return changes, nil
}

// remember notes a change before it is made: a backup of what the file is
// without us, and the folders that will be made.
func (p Place) remember(agent string, rec *record, c Change, files []file) error {
	before := c.Before
	i := slices.IndexFunc(files, func(f file) bool { return f.path == c.Path })
	for _, e := range slices.Backward(files[i].edits) {
		var err error
		if before, err = e.remove(before); err != nil {
			return &FileError{c.Path, err}
		}
	}
	known := slices.IndexFunc(rec.Files, func(f recordFile) bool { return f.Path == c.Path })
	if known >= 0 && files[i].ours() {
		rec.Files[known].After = sum(c.After) // a newer version of our own file
		return nil
	}
	f := recordFile{Path: c.Path, After: sum(c.After)}
	if before != nil {
		f.Backup = fmt.Sprintf("%s-%s-%s", agent, sum(before)[:8], filepath.Base(c.Path))
		if err := writeFile(filepath.Join(p.State, f.Backup), before, 0o600); err != nil {
			return err
		}
	}
	if known >= 0 {
		rec.Files[known] = f
	} else {
		rec.Files = append(rec.Files, f)
	}
	var dirs []string
	for dir := filepath.Dir(c.Path); !exists(dir); dir = filepath.Dir(dir) {
		dirs = append([]string{dir}, dirs...)
	}
	for _, dir := range dirs {
		if !slices.Contains(rec.Dirs, dir) {
			rec.Dirs = append(rec.Dirs, dir)
		}
	}
	return nil
}

// Undo says what Uninstall would change.
func (p Place) Undo(agent string) ([]Change, error) {
	rec, err := p.load(agent)
	if err != nil {
		return nil, err
	}
	return p.changes(agent, func(f file, text []byte) ([]byte, error) { return p.without(f, rec, text) })
}

// without is the text of a file without us: what it was where nobody has
// changed it since, and else what is left when ours is taken out.
func (p Place) without(f file, rec *record, text []byte) ([]byte, error) {
	i := slices.IndexFunc(rec.Files, func(r recordFile) bool { return r.Path == f.path })
	if i >= 0 && text != nil && sum(text) == rec.Files[i].After {
		if rec.Files[i].Backup == "" {
			return nil, nil
		}
		old, err := os.ReadFile(filepath.Join(p.State, rec.Files[i].Backup))
		if err == nil {
			return old, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return nil, &FileError{f.path, err}
		}
	}
	var err error
	for _, e := range slices.Backward(f.edits) {
		if text == nil {
			return nil, nil
		}
		if text, err = e.remove(text); err != nil {
			return nil, &FileError{f.path, err}
		}
	}
	if i >= 0 && rec.Files[i].Backup == "" && strings.TrimSpace(string(text)) == "{}" {
		return nil, nil // made by us, and nobody put anything into it
	}
	return text, nil
}

// Uninstall makes the changes of Undo and returns them. Folders that Install
// made go when they are empty.
func (p Place) Uninstall(agent string) ([]Change, error) {
	changes, err := p.Undo(agent)
	if err != nil {
		return nil, err
	}
	rec, err := p.load(agent)
	if err != nil {
		return nil, err
	}
	for _, c := range changes {
		if err := c.write(); err != nil {
			return nil, err
		}
	}
	for _, dir := range slices.Backward(rec.Dirs) {
		_ = os.Remove(dir) // not empty: somebody else's by now
	}
	return changes, p.forget(agent, rec)
}

func (p Place) recordPath(agent string) string { return filepath.Join(p.State, agent+".json") }

func (p Place) load(agent string) (*record, error) {
	rec := &record{Files: []recordFile{}, Dirs: []string{}}
	b, err := readFile(p.recordPath(agent))
	if err != nil || b == nil {
		return rec, err
	}
	if err := json.Unmarshal(b, rec); err != nil {
		return nil, &FileError{p.recordPath(agent), err}
	}
	return rec, nil
}

func (p Place) save(agent string, rec *record) error {
	b, err := json.MarshalIndent(rec, "", "  ")
	if err != nil {
		return fmt.Errorf("record: %w", err)
	}
	return writeFile(p.recordPath(agent), append(b, '\n'), 0o600)
}

func (p Place) forget(agent string, rec *record) error {
	for _, f := range rec.Files {
		if f.Backup != "" {
			_ = os.Remove(filepath.Join(p.State, f.Backup)) // it is in its place again
		}
	}
	if err := os.Remove(p.recordPath(agent)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return &FileError{p.recordPath(agent), err}
	}
	_ = os.Remove(p.State) // when no other agent has a record there
	return nil
}
