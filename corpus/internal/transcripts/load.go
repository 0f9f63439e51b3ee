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
	if err := guarded(func() *DamageError { return t.replay(t.file) }); err != nil {
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
		s, err := skim(payload)
		if err != nil {
			return err
		}
		k := s.key
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
		if s.kind != kindDelete {
			e.payload, e.stamp = payload, s.Stamp
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

// guarded is do, where the file may shrink meanwhile: that is damage.
func guarded(do func() *DamageError) (damage *DamageError) {
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
	return do()
}

// replay applies the records of a file to an empty table, which keeps b.
func (t *Table) replay(b []byte) *DamageError {
	if len(b) < len(header) || string(b[:len(header)]) != header && string(b[:len(header)]) != header1 {
		return &DamageError{Err: errHeader}
	}
	// Each row has a record, so the manifest cannot make this ask for much.
	n := max(0, min(t.ref.Rows, len(b)/minRecord))
	t.entries = make(map[key]*entry, n)
	entries := make([]entry, n)
	for at := len(header); at < len(b); {
		payload, err := record(b[at:])
		if err == nil && !(at == len(header) && isStates(payload)) {
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
	s, err := skim(payload)
	if err != nil {
		return spare, err
	}
	k := key{t.names[0].own(s.source), s.path}
	s.Params = t.names[1].own(s.Params)
	size := int64(frame+len(payload)) + int64(s.apart)
	var e *entry
	if s.kind != kindApart { // those are the first of their keys
		e = t.entries[k]
	}
	if e != nil {
		t.dead += e.size
	}
	if s.kind == kindDelete {
		t.dead += size
		delete(t.entries, k)
		return spare, nil
	}
	if e == nil {
		if len(spare) == 0 {
			spare = make([]entry, 64)
		}
		e, spare = &spare[0], spare[1:]
		n := len(t.entries)
		if t.entries[k] = e; len(t.entries) == n {
			return spare, errRecord
		}
	}
	e.stamp, e.payload, e.size = s.Stamp, payload, size
	return spare, nil
}

// Check loads a table and verifies what Load leaves to whoever asks for a row.
func Check(dir string, ref Ref) error {
	t, err := Load(dir, ref)
	if err != nil {
		return err
	}
	defer t.Close()
	if damage := guarded(t.verify); damage != nil {
		damage.Path = filepath.Join(dir, ref.Name)
		return damage
	}
	return nil
}

func (t *Table) verify() *DamageError {
	for _, e := range t.entries {
		if e.payload == nil {
			continue
		}
		if r, ok := rowOf(e.payload, t.file); !ok {
			return &DamageError{Err: fmt.Errorf("%w: state of %s", errChecksum, r.Path)}
		}
	}
	return nil
}

// names are strings that rows share, and that do not lie in the file.
type names struct {
	last string
	all  map[string]string
}

// own is a string that lies in the file as one that does not.
func (n *names) own(s string) string {
	if s == n.last { // mostly
		return n.last
	}
	own, ok := n.all[s]
	if !ok {
		if n.all == nil {
			n.all = make(map[string]string)
		}
		own = strings.Clone(s)
		n.all[own] = own
	}
	n.last = own
	return own
}
