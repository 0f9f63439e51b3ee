package sources

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"

	"github.com/hansard-search/hansard/sources/internal/jsonl"
)

// Notes reads what agents are told to remember, and what they wrote down
// themselves: CLAUDE.md, AGENTS.md, MEMORY.md and memory/*.md in each folder.
//
// Such a file is not a record but a text that is kept up to date. It is read as
// one session, called by its path, with a turn an entry: the heading is asked, the
// text below it is answered, whole. The id of an entry is the path, a # and its
// headings, so that a text that was changed is the same entry with another content,
// and one whose heading is gone leaves the index (Info.Edited). Entries bear no
// time: a file's stamp says nothing about when each of them was written.
//
// Methods may be called concurrently.
type Notes struct {
	Folders []NotesFolder
}

// A NotesFolder is a folder that may hold notes; one that does not exist holds none.
type NotesFolder struct {
	Dir     string // absolute
	Project string // the folder that the notes are about
	All     bool   // every *.md in Dir counts, whatever its name
}

// Name is "notes".
func (Notes) Name() string { return "notes" }

// Transcripts yields each file once, in the order of the folders. A link is
// followed: notes are often kept under several names, of which one remains.
func (n Notes) Transcripts(ctx context.Context) iter.Seq2[Transcript, error] {
	return func(yield func(Transcript, error) bool) {
		seen := map[string]bool{}
		for _, f := range n.Folders {
			if err := ctx.Err(); err != nil {
				yield(nil, err)
				return
			}
			for _, path := range f.files() {
				real, err := filepath.EvalSymlinks(path)
				if errors.Is(err, fs.ErrNotExist) || seen[real] {
					continue
				}
				if err == nil {
					seen[real] = true
					var t notesFile
					if t, err = newNotes(path, f.Project); err == nil && t.info.Path == "" {
						continue
					}
					if err == nil && !yield(t, nil) {
						return
					}
				}
				if err != nil && !yield(nil, err) {
					return
				}
			}
		}
	}
}

// files are the paths that may be notes.
func (f NotesFolder) files() (paths []string) {
	for _, name := range []string{"CLAUDE.md", "CLAUDE.local.md", "AGENTS.md", "MEMORY.md", filepath.Join(".claude", "CLAUDE.md")} {
		paths = append(paths, filepath.Join(f.Dir, name))
	}
	dirs := []string{filepath.Join(f.Dir, "memory")}
	if f.All {
		dirs = append(dirs, f.Dir)
	}
	for _, dir := range dirs {
		entries, _ := os.ReadDir(dir) // most folders have none
		for _, e := range entries {
			if strings.HasSuffix(e.Name(), ".md") {
				paths = append(paths, filepath.Join(dir, e.Name()))
			}
		}
	}
	return paths
}

// notesMost is how large a file of notes may be, in bytes: what is larger was
// not written to be remembered.
const notesMost = 4 << 20

// notesFile is one file.
type notesFile struct {
	File
	project string
}

// newNotes looks at a file. Info.Path is "" when it holds no notes.
func newNotes(path, project string) (t notesFile, err error) {
	st, err := os.Stat(path)
	if err != nil || !st.Mode().IsRegular() || st.Size() > notesMost {
		return t, err
	}
	t = notesFile{File{Info{Source: Notes{}.Name(), Path: path, Session: path, Lane: Main, Edited: true}}, project}
	stampOf(st).put(&t.info)
	return t, nil
}

// Events tells the entries of the file. The whole file is looked at, wherever
// reading goes on: it is small, and what a heading stands below is before it.
func (t notesFile) Events(ctx context.Context, from Position) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		f, err := os.Open(t.info.Path)
		if err != nil {
			yield(Event{}, err)
			return
		}
		defer f.Close()
		if err := errors.Join(ctx.Err(), sameBefore(f, from)); err != nil {
			if errors.Is(err, ErrRewritten) {
				err = ErrRewritten
			}
			yield(Event{}, err)
			return
		}
		in := jsonl.NewReader(f, 0, 0)
		defer in.Close()
		text := make([]byte, t.info.Size)
		n, _ := f.ReadAt(text, 0) // what is there: it may have become shorter since
		for _, e := range notesEntries(string(text[:n])) {
			if int64(e.offset) < from.Offset {
				continue
			}
			for _, ev := range t.events(e, value{in: in, offset: int64(e.offset), line: e.line}) {
				if !yield(ev, nil) {
					return
				}
			}
		}
	}
}

// events are one entry; the first one opens the file.
func (t notesFile) events(e notesEntry, at value) []Event {
	base := Event{Cwd: t.project, Span: Span{int64(e.offset), int64(e.length)}}
	var events []Event
	if e.offset == 0 {
		start, title := base, base
		start.Kind, start.ID = Start, t.info.Session
		title.Kind, title.Rank, title.Text = Title, 1, filepath.Join(filepath.Base(filepath.Dir(t.info.Path)), filepath.Base(t.info.Path))
		events = append(events, start, title)
	}
	if e.body == "" && e.path == "" {
		return events
	}
	ask, say, end := base, base, base
	ask.Kind, ask.Text, ask.ID = Prompt, e.path, t.info.Path+"#"+e.path
	if e.twin > 1 {
		ask.ID += fmt.Sprintf("~%d", e.twin)
	}
	if ask.Text == "" {
		ask.Text = filepath.Base(t.info.Path)
	}
	ask.From = at.position("")
	events = append(events, ask)
	if e.body != "" {
		say.Kind, say.Text, say.Group = AssistantText, e.body, ask.ID
		events = append(events, say)
	}
	end.Kind = TurnEnd
	return append(events, end)
}
