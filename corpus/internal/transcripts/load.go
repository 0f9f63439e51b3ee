package transcripts

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"unsafe"

	"github.com/hansard-search/hansard/corpus/internal/mapped"
)

// Load maps the table that ref names in the folder dir; the zero Ref gives an
// empty table. It fails with a *DamageError only. Close the table.
func Load(dir string, ref Ref) (*Table, error) {
	t := &Table{ref: ref}
	if ref.Name == "" {
		return t, nil
	}
	path := filepath.Join(dir, ref.Name)
	if err := t.open(path); err != nil {
		return nil, &DamageError{Path: path, Err: err}
	}
	if err := t.replay(t.file); err != nil {
		err.Path = path
		t.Close()
		return nil, err
	}
	if err := t.recall([]byte(ref.Late)); err != nil {
		t.Close()
		return nil, &DamageError{Path: path, Offset: ref.Length, Err: err}
	}
	return t, nil
}

// recall applies records that came after those of the file. The table keeps b.
func (t *Table) recall(b []byte) error {
	for len(b) > 0 {
		payload, err := record(b)
		if err != nil {
			return err
		}
		k, stamp, deleted, err := skim(payload)
		if err != nil {
			return err
		}
		e := t.entries[k]
		if e == nil {
			e = new(entry)
			t.entries[k] = e
		}
		if !e.gone() {
			t.live--
		}
		if !e.late {
			t.late = append(t.late, k)
		}
		e.row, e.payload, e.stamp, e.late = nil, nil, Stamp{}, true
		if !deleted {
			e.payload, e.stamp = payload, stamp
			t.live++
		}
		b = b[frame+len(payload):]
	}
	return nil
}

// open maps as much of the file as is published.
func (t *Table) open(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if t.ref.Length <= 0 || info.Size() < t.ref.Length || t.ref.Length != int64(int(t.ref.Length)) {
		return io.ErrUnexpectedEOF
	}
	t.file, t.unmap, err = mapped.File(f, int(t.ref.Length))
	return err
}

// Close releases the file. The rows that were given out stay valid; the table
// cannot be used any more.
func (t *Table) Close() error {
	if t.unmap == nil {
		return nil
	}
	unmap := t.unmap
	*t = Table{}
	return unmap()
}

// Holds reports whether addr is in the memory to which the file is mapped.
func (t *Table) Holds(addr uintptr) bool {
	start := uintptr(unsafe.Pointer(unsafe.SliceData(t.file)))
	return addr >= start && addr < start+uintptr(len(t.file))
}

// replay applies the records of a file to an empty table, which keeps b. Where
// the file shrinks meanwhile, that is damage.
func (t *Table) replay(b []byte) (damage *DamageError) {
	before := debug.SetPanicOnFault(true)
	defer debug.SetPanicOnFault(before)
	defer func() {
		if fault, ok := recover().(interface {
			error
			Addr() uintptr
		}); ok {
			damage = &DamageError{Err: fault}
		}
	}()
	if len(b) < len(header) || string(b[:len(header)]) != header {
		return &DamageError{Err: errHeader}
	}
	// Each row has a record, so the manifest cannot make this ask for much.
	n := max(0, min(t.ref.Rows, len(b)/minRecord))
	t.entries = make(map[key]*entry, n)
	entries := make([]entry, n)
	for at := len(header); at < len(b); {
		payload, err := record(b[at:])
		if err == nil {
			entries, err = t.apply(payload, entries)
		}
		if err != nil {
			return &DamageError{Offset: int64(at), Err: err}
		}
		at += frame + len(payload)
	}
	if t.live = len(t.entries); t.live != t.ref.Rows {
		return &DamageError{Offset: int64(len(b)), Err: fmt.Errorf("%w: %d, not %d", errRows, t.live, t.ref.Rows)}
	}
	return nil
}

// apply makes a record's payload the state of its key, in one of the entries
// to spare, of which it returns the others.
func (t *Table) apply(payload []byte, spare []entry) ([]entry, error) {
	k, stamp, deleted, err := skim(payload)
	if err != nil {
		return spare, err
	}
	k.source, stamp.Params = t.name(k.source), t.name(stamp.Params)
	size := int64(frame + len(payload))
	e := t.entries[k]
	if e != nil {
		t.dead += e.size
	}
	if deleted {
		t.dead += size
		delete(t.entries, k)
		return spare, nil
	}
	if e == nil {
		if len(spare) == 0 {
			spare = make([]entry, 64)
		}
		e, spare = &spare[0], spare[1:]
		t.entries[k] = e
	}
	e.stamp, e.payload, e.size = stamp, payload, size
	return spare, nil
}

// name is a string that lies in the file as one that does not, and that all
// rows with it share.
func (t *Table) name(s string) string {
	if own, ok := t.names[s]; ok {
		return own
	}
	if t.names == nil {
		t.names = make(map[string]string)
	}
	own := strings.Clone(s)
	t.names[own] = own
	return own
}
