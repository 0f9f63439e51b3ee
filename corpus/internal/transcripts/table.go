package transcripts

import (
	"errors"
	"iter"
	"slices"
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
	staged  []key // in the order of their first Put or Delete since the last Apply
	late    []key // of the records in ref.Late
	ref     Ref
	live    int    // entries with a row
	dead    int64  // bytes of the file that later records supersede
	compact bool   // the next Plan writes a new file
	walk    uint32 // number of the walk under way

	names [2]names // of sources and parameters
	file  []byte   // mapped; paths of keys, payloads and States lie in it
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

// Ref is what Load was given, or the last Change that was applied.
func (t *Table) Ref() Ref { return t.ref }

// Get returns the row of a transcript; ok is false when there is none. The row
// is the table's own: change a copy and Put it.
func (t *Table) Get(source, path string) (r *Row, ok bool) {
	e := t.entries[key{source, path}]
	if e == nil || e.gone() {
		return nil, false
	}
	return t.read(e), true
}

// read returns the row of an entry that has one.
func (t *Table) read(e *entry) *Row {
	if e.row == nil {
		e.row, _ = rowOf(e.payload, t.file)
		e.payload = nil
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
			if !e.gone() && want(e) && !yield(t.read(e)) {
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

// Compact has the next Plan write a new file, in which nothing is left of rows
// that were deleted or replaced.
func (t *Table) Compact() { t.compact = true }

// Staged is the number of rows put or deleted since the last Apply.
func (t *Table) Staged() int { return len(t.staged) }

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
