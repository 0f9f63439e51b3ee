package transcripts

import (
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"slices"

	"github.com/hansard-search/hansard/corpus/internal/files"
)

// compactAbove is the size in bytes below which superseded records are left
// alone: reading this much costs less than making a new file durable.
const compactAbove = 64 << 10

// The reasons inside a DamageError, besides those of the system.
var (
	errHeader   = errors.New("not a table of transcripts of this version")
	errChecksum = errors.New("checksum differs")
	errRecord   = errors.New("record is malformed")
	errRows     = errors.New("number of rows differs")
)

// A Table is the rows as published, and rows staged on top of them. The zero
// value is an empty table that was never published. One goroutine at a time.
type Table struct {
	entries map[key]*entry
	staged  []key // in the order of their first Put or Delete since the last Append
	late    []key // of the records in ref.Late
	ref     Ref
	live    int    // entries with a row
	dead    int64  // bytes of the file that later records supersede
	compact bool   // the next Append writes a new file
	walk    uint32 // number of the walk under way

	names map[string]string // of sources and parameters, each once
	file  []byte            // mapped; paths of keys and payloads lie in it
	unmap func() error
}

type key struct{ source, path string }

// An entry is the present state of one key. Its row is made of its payload when
// somebody asks for it: of most rows nobody does.
type entry struct {
	row     *Row   // as put, or as read; nil: see payload
	stamp   Stamp  // of the row that there is
	payload []byte // of its record, in the file or late; nil where row counts, or nothing does
	size    int64  // bytes of its record in the file, 0 when it has none
	staged  bool
	late    bool
	walk    uint32 // the last one in which it was looked up
}

// gone reports whether the entry is deleted, and its file does not say so yet.
func (e *entry) gone() bool { return e.row == nil && e.payload == nil }

// Len is the number of rows, staged ones included.
func (t *Table) Len() int { return t.live }

// Ref is what Load was given or Append returned last.
func (t *Table) Ref() Ref { return t.ref }

// Get returns the row of a transcript; ok is false when there is none. The row
// is the table's own: change a copy and Put it.
func (t *Table) Get(source, path string) (r *Row, ok bool) {
	e := t.entries[key{source, path}]
	if e == nil || e.gone() {
		return nil, false
	}
	return e.read(), true
}

// read returns the row of an entry that has one.
func (e *entry) read() *Row {
	if e.row == nil {
		e.row, e.payload = rowOf(e.payload), nil
	}
	return e.row
}

// All yields every row, in no order. The table must not change meanwhile,
// except that a row may be Put in the place of one that is there.
func (t *Table) All() iter.Seq[*Row] {
	return t.those(func(*entry) bool { return true })
}

// those yields the rows of some entries.
func (t *Table) those(want func(*entry) bool) iter.Seq[*Row] {
	return func(yield func(*Row) bool) {
		for _, e := range t.entries {
			if !e.gone() && want(e) && !yield(e.read()) {
				return
			}
		}
	}
}

// Put stages a row in place of the one with the same Source and Path. The
// table keeps it: do not change it, its State or its Links afterwards.
func (t *Table) Put(r *Row) {
	e := t.stage(key{r.Source, r.Path})
	if e.gone() {
		t.live++
	}
	e.row, e.payload, e.stamp = r, nil, stampOf(r)
}

// Delete stages the removal of a row; nothing happens when there is none.
func (t *Table) Delete(source, path string) {
	k := key{source, path}
	e := t.entries[k]
	if e == nil || e.gone() {
		return
	}
	t.stage(k)
	e.row, e.payload = nil, nil
	t.live--
}

func (t *Table) stage(k key) *entry {
	if t.entries == nil {
		t.entries = map[key]*entry{}
	}
	e := t.entries[k]
	if e == nil {
		e = &entry{}
		t.entries[k] = e
	}
	if !e.staged {
		e.staged = true
		t.staged = append(t.staged, k)
	}
	return e
}

// Compact has the next Append write a new file, in which nothing is left of rows
// that were deleted or replaced.
func (t *Table) Compact() { t.compact = true }

// Staged is the number of rows put or deleted since the last Append.
func (t *Table) Staged() int { return len(t.staged) }

// Append settles where staged rows are to stand and returns what the next
// manifest has to name. Together with those that are late already they stay late,
// as long as they take no more than room bytes. Else it makes them durable in the
// folder dir: it adds to the file, or, when there is none or more than half of it
// is superseded, writes a new one with the number next (then the Ref's Name is
// another than before, and the old file may go once the manifest no longer names
// it). Nothing is published by this. After an error rows stay staged, and what was
// published can still be loaded. Without staged rows it returns the Ref as it was.
func (t *Table) Append(fsys files.FS, dir string, next uint64, room int) (Ref, error) {
	if len(t.staged) == 0 && !t.compact {
		return t.ref, nil
	}
	keys := t.unwritten()
	b, sizes, dead := t.encode(keys)
	length := t.ref.Length + int64(len(b))
	switch {
	case t.ref.Name == "" || t.compact:
		return t.rewrite(fsys, dir, next)
	case len(b) <= room:
		return t.hold(keys, b), nil
	case length > compactAbove && dead > length/2:
		return t.rewrite(fsys, dir, next)
	}
	if err := appendTo(fsys, filepath.Join(dir, t.ref.Name), t.ref.Length, b); err != nil {
		return t.ref, fmt.Errorf("append to the table of transcripts: %w", err)
	}
	for i, k := range keys {
		t.settle(k, sizes[i])
	}
	t.staged, t.late, t.dead = nil, nil, dead
	t.ref = Ref{Name: t.ref.Name, Length: length, Rows: t.live}
	return t.ref, nil
}

// unwritten are the keys of which the file does not tell the present state.
func (t *Table) unwritten() []key {
	keys := slices.Clone(t.late)
	for _, k := range t.staged {
		if !t.entries[k].late {
			keys = append(keys, k)
		}
	}
	return keys
}

// hold makes the records b, of keys, the late ones.
func (t *Table) hold(keys []key, b []byte) Ref {
	t.staged, t.late = nil, t.late[:0]
	for _, k := range keys {
		e := t.entries[k]
		if e.staged, e.late = false, true; e.gone() && e.size == 0 {
			delete(t.entries, k)
			continue
		}
		t.late = append(t.late, k)
	}
	t.ref.Late = string(b)
	return t.ref
}

// encode returns the records of keys, the size of each, and what is dead in the
// file with them at its end.
func (t *Table) encode(keys []key) (b []byte, sizes []int64, dead int64) {
	dead = t.dead
	for _, k := range keys {
		e := t.entries[k]
		start := len(b)
		dead += e.size
		switch {
		case !e.gone():
			b = e.append(b)
		case e.size > 0: // else it is in no file
			b = appendDelete(b, k)
			dead += int64(len(b) - start)
		}
		sizes = append(sizes, int64(len(b)-start))
	}
	return b, sizes, dead
}

// append appends the record of an entry that has a row.
func (e *entry) append(b []byte) []byte {
	if e.payload != nil {
		return appendRecord(b, func(b []byte) []byte { return append(b, e.payload...) })
	}
	return appendRow(b, e.row)
}

// settle notes that the present state of k is in the file, in size bytes.
func (t *Table) settle(k key, size int64) {
	e := t.entries[k]
	if e.gone() {
		delete(t.entries, k)
		return
	}
	e.size, e.staged, e.late = size, false, false
}

func appendTo(fsys files.FS, path string, length int64, b []byte) error {
	f, err := fsys.Append(path, length)
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// rewrite writes every row into a new file.
func (t *Table) rewrite(fsys files.FS, dir string, next uint64) (Ref, error) {
	b := []byte(header)
	sizes := make(map[key]int64, t.live)
	for k, e := range t.entries {
		if e.gone() {
			continue
		}
		start := len(b)
		b = e.append(b)
		sizes[k] = int64(len(b) - start)
	}
	name := fmt.Sprintf("%s%d", Prefix, next)
	if err := files.WriteAtomic(fsys, filepath.Join(dir, name), b); err != nil {
		return t.ref, fmt.Errorf("write the table of transcripts: %w", err)
	}
	for k := range t.entries {
		t.settle(k, sizes[k])
	}
	t.staged, t.late, t.dead, t.compact = nil, nil, 0, false
	t.ref = Ref{Name: name, Length: int64(len(b)), Rows: t.live}
	return t.ref, nil
}
