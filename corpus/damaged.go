package corpus

import (
	"errors"
	"fmt"
	"path/filepath"
	"runtime/debug"
	"slices"
)

// What is damaged is found when it is touched: a page's checksum does not
// match, or the file became shorter and its map faults. The shard is then left
// out, and what was asked is asked again of the others, so that an answer never
// rests on a part that might be wrong, and says what it lacks.

// reading answers from what is published.
func reading[T any](c *Corpus, do func(*snapshot) (T, error)) (v T, err error) {
	for again := true; again; {
		s, err := c.acquire()
		if err != nil {
			return v, err
		}
		err = s.protected(func() (err error) { v, err = do(s); return err })
		again = s.condemn(err)
		s.release()
		if !again {
			return v, err
		}
	}
	return v, err
}

// protected turns a fault in the memory to which a shard is mapped into a
// *DamageError. It is for the goroutine that calls it alone.
func (s *snapshot) protected(do func() error) error { return protect(s.holder, do) }

// protect does so for files of which holder tells what is mapped at an address.
func protect(holder func(addr uintptr) (file string, ok bool), do func() error) (err error) {
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

// holder is the file that is mapped at an address.
func (s *snapshot) holder(addr uintptr) (file string, ok bool) {
	for _, v := range s.views {
		if v.Holds(addr) {
			return v.file(), true
		}
	}
	return "", false
}

// file is the shard's path within the corpus's folder.
func (h *handle) file() string { return filepath.Join(shardsDir, h.name) }

// condemn marks the shard that err says is damaged. It reports whether there is
// one in s: then there is an answer without it.
func (s *snapshot) condemn(err error) bool {
	var d *DamageError
	if !errors.As(err, &d) {
		return false
	}
	for _, v := range s.views {
		if v.file() == d.File {
			v.damaged.CompareAndSwap(nil, d)
			return true
		}
	}
	return false
}

func (v *view) condemned() bool { return v.damaged.Load() != nil }

// sound is s without the condemned shards, retained for the caller; s itself
// where there is none.
func (s *snapshot) sound() *snapshot {
	if !slices.ContainsFunc(s.views, (*view).condemned) {
		return s.retain()
	}
	t := &snapshot{man: s.man, damaged: slices.Clone(s.damaged)}
	t.refs.Store(1)
	for _, v := range s.views {
		if d := v.damaged.Load(); d != nil {
			t.damaged = append(t.damaged, d)
			continue
		}
		t.views = append(t.views, &view{handle: v.handle.retain(), gone: v.gone})
	}
	return t
}

// lacks lists what is damaged and left out, nil when nothing is.
func (s *snapshot) lacks() []string {
	var list []string
	for _, err := range s.damaged {
		list = append(list, err.Error())
	}
	return list
}

// missed is err, or where nothing was found although something is damaged, an
// error that says so: what was asked for may be there.
func (s *snapshot) missed(err error) error {
	if !errors.Is(err, ErrNotFound) || len(s.damaged) == 0 {
		return err
	}
	return fmt.Errorf("%w, but it may be in what is damaged: %w", err, s.damaged[0])
}
