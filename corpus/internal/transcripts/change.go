package transcripts

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"path/filepath"

	"github.com/hansard-search/hansard/corpus/internal/files"
	"github.com/hansard-search/hansard/corpus/internal/signal"
)

// A Change says where staged rows are to stand. The table stays what it was until
// the change is applied. After an error of writing the rows stay staged, and what was
// published can still be loaded.
type Change struct {
	Ref   Ref // what the next manifest has to name
	write func(fsys files.FS, dir string) error
	apply func()
}

// Write makes the rows durable in the folder dir. Nothing is published by this.
func (c *Change) Write(fsys files.FS, dir string) error {
	if c.write == nil {
		return nil
	}
	return c.write(fsys, dir)
}

// Apply settles the rows, which are written.
func (c *Change) Apply() {
	if c.apply != nil {
		c.apply()
	}
}

// Plan settles where staged rows are to stand. Together with those that are late
// already they stay late, as long as they take no more than room bytes. Else they
// are added to the file or, when there is none or more than half of it is
// superseded, a new one with the number next is written (then the Ref's Name is
// another than before, and the old file may go once the manifest no longer names
// it). Without staged rows the Ref is as it was.
func (t *Table) Plan(next uint64, room int) *Change {
	if len(t.staged) == 0 && !t.compact {
		return &Change{Ref: t.ref}
	}
	keys := t.unwritten()
	b, sizes, dead := t.encode(keys)
	length := t.ref.Length + int64(len(b))
	switch {
	case t.ref.Name == "" || t.compact:
		return t.rewritten(next)
	case len(b) <= room:
		return t.heldBack(keys, b)
	case length > compactAbove && dead > length/2:
		return t.rewritten(next)
	}
	c := &Change{Ref: Ref{Name: t.ref.Name, Length: length, Rows: t.live}}
	from := t.ref.Length
	c.write = func(fsys files.FS, dir string) error {
		if err := appendTo(fsys, filepath.Join(dir, c.Ref.Name), from, b); err != nil {
			return fmt.Errorf("append to the table of transcripts: %w", err)
		}
		return nil
	}
	c.apply = func() {
		for i, k := range keys {
			t.settle(k, sizes[i])
		}
		t.staged, t.late, t.dead, t.ref = nil, nil, dead, c.Ref
	}
	return c
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

// heldBack makes the records b, of keys, the late ones.
func (t *Table) heldBack(keys []key, b []byte) *Change {
	c := &Change{Ref: t.ref}
	c.Ref.Late = string(b)
	c.apply = func() {
		t.staged, t.late, t.ref = nil, t.late[:0], c.Ref
		for _, k := range keys {
			e := t.entries[k]
			if e.staged, e.late = false, true; e.gone() && e.size == 0 {
				delete(t.entries, k)
				continue
			}
			t.late = append(t.late, k)
		}
	}
	return c
}

// encodeAll returns the bytes of a file with every row, and the size of each. States
// come first.
func (t *Table) encodeAll() (b []byte, sizes map[key]int64) {
	b = append(make([]byte, len(header)+frame), kindStates)
	var rows []byte
	sizes = make(map[key]int64, t.live)
	for k, e := range t.entries {
		if e.gone() {
			continue
		}
		r, start := e.row, len(rows)
		if r == nil {
			r, _ = rowOf(e.payload, t.file)
		}
		if uint64(len(b)+len(r.State)) > math.MaxUint32 {
			rows = appendRow(rows, r)
			sizes[k] = int64(len(rows) - start)
			continue
		}
		rows = appendApart(rows, r, len(b))
		b = append(b, r.State...)
		sizes[k] = int64(len(rows) - start + len(r.State))
	}
	copy(b, header)
	length := b[len(header):][:4]
	binary.LittleEndian.PutUint32(length, uint32(len(b)-len(header)-frame))
	binary.LittleEndian.PutUint32(b[len(header)+4:], uint32(signal.Sum64(length)))
	return append(b, rows...), sizes
}

// rewritten puts every row into a file of their own.
func (t *Table) rewritten(next uint64) *Change {
	b, sizes := t.encodeAll()
	c := &Change{Ref: Ref{Name: fmt.Sprintf("%s%d", Prefix, next), Length: int64(len(b)), Rows: t.live}}
	c.write = func(fsys files.FS, dir string) error {
		if err := files.WriteAtomic(fsys, filepath.Join(dir, c.Ref.Name), b); err != nil {
			return fmt.Errorf("write the table of transcripts: %w", err)
		}
		return nil
	}
	c.apply = func() {
		for k := range t.entries {
			t.settle(k, sizes[k])
		}
		t.staged, t.late, t.dead, t.compact, t.ref = nil, nil, 0, false, c.Ref
	}
	return c
}
