package published

import (
	"errors"
	"path/filepath"
	"runtime/debug"
	"slices"
)

// What is damaged is found when it is touched: a page's checksum does not
// match, or the file became shorter and its map faults. The shard is then left
// out, and what was asked is asked again of the others, so that an answer never
// rests on a part that might be wrong, and says what it lacks.

// Protected turns a fault in the memory to which a shard is mapped into a
// *DamageError. It is for the goroutine that calls it alone.
func (s *Snapshot) Protected(do func() error) error { return Protect(s.Holder, do) }

// Protect is Protected for files of which holder tells what is mapped at an address.
func Protect(holder func(addr uintptr) (file string, ok bool), do func() error) (err error) {
	before := debug.SetPanicOnFault(true)
	defer debug.SetPanicOnFault(before)
	defer func() {
		p := recover()
		if p == nil {
			return
		}
		fault, ok := p.(interface {
			error
			Addr() uintptr
		})
		if !ok {
			panic(p) // a mistake of the program, not damage
		}
		file, ok := holder(fault.Addr())
		if !ok {
			panic(p) // likewise
		}
		err = &DamageError{File: file, Detail: "became shorter while it was read", Err: fault}
	}()
	return do()
}

// Holder is the file that is mapped at an address.
func (s *Snapshot) Holder(addr uintptr) (file string, ok bool) {
	for _, v := range s.Views {
		if v.Holds(addr) {
			return v.File(), true
		}
	}
	return "", false
}

// File is the shard's path within the corpus's folder.
func (h *Handle) File() string { return filepath.Join(ShardsDir, h.Name) }

// Condemn marks the shard that err says is damaged. It reports whether there is
// one in s: then there is an answer without it.
func (s *Snapshot) Condemn(err error) bool {
	var d *DamageError
	if !errors.As(err, &d) {
		return false
	}
	for _, v := range s.Views {
		if v.File() == d.File {
			v.damaged.CompareAndSwap(nil, d)
			return true
		}
	}
	return false
}

func (v *View) condemned() bool { return v.damaged.Load() != nil }

// Sound is s without the condemned shards, retained for the caller; s itself
// where there is none.
func (s *Snapshot) Sound() *Snapshot {
	if !slices.ContainsFunc(s.Views, (*View).condemned) {
		return s.Retain()
	}
	t := NewSnapshot(s.Manifest)
	t.Damaged = slices.Clone(s.Damaged)
	for _, v := range s.Views {
		if d := v.damaged.Load(); d != nil {
			t.Damaged = append(t.Damaged, d)
			continue
		}
		t.Views = append(t.Views, &View{Handle: v.Handle.Retain(), Gone: v.Gone})
	}
	return t
}

// Lacks lists what is damaged and left out, nil when nothing is.
func (s *Snapshot) Lacks() []string {
	var list []string
	for _, err := range s.Damaged {
		list = append(list, err.Error())
	}
	return list
}

// Damage makes an error of a shard's reader one that names the file.
func Damage(name string, err error) error {
	if err == nil {
		return nil
	}
	var d *DamageError
	if errors.As(err, &d) {
		return err
	}
	return &DamageError{File: filepath.Join(ShardsDir, name), Detail: "cannot be read", Err: err}
}
