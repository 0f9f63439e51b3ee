package files

import (
	"errors"
	"sync"
)

// ErrFault is what a Faulty step returns when no other error is asked for.
var ErrFault = errors.New("injected fault")

// The steps that Faulty counts.
const (
	StepCreate  = "create"
	StepAppend  = "append"
	StepWrite   = "write"
	StepSync    = "sync"
	StepClose   = "close"
	StepRename  = "rename"
	StepRemove  = "remove"
	StepMkdir   = "mkdir"
	StepSyncDir = "syncdir"
)

// Faulty is an FS for tests that breaks at a chosen step. Set the fields
// before its first use. Safe for concurrent use.
type Faulty struct {
	FS   FS     // what does the work; nil means OS
	At   int    // the step that fails, counted from 1; 0 = none
	Only string // count steps of this name only; "" = all
	// Err is the error of the failing step, ErrFault when nil. A failing write
	// writes the first half of its bytes, as a full disk does.
	Err error
	// Kill makes every later step fail too, as nothing runs in a process that was
	// killed.
	Kill bool
	// Power, with Kill, takes from files what was not synced, as a power loss may.
	Power bool

	mu     sync.Mutex
	steps  int
	failed bool
	files  map[string]*extent // by present path
}

// An extent is how much of a file is written, and how much of that is durable.
type extent struct{ size, durable int64 }

// Steps is the number of counted steps so far, so that a test can find out how
// many there are to break.
func (f *Faulty) Steps() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.steps
}

// Failed reports whether the chosen step was reached.
func (f *Faulty) Failed() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.failed
}

func (f *Faulty) inner() FS {
	if f.FS == nil {
		return OS{}
	}
	return f.FS
}

// step counts one step and returns its error. f.mu is held.
func (f *Faulty) step(name string) error {
	if f.failed && f.Kill {
		return f.err()
	}
	if f.Only != "" && f.Only != name {
		return nil
	}
	f.steps++
	if f.steps != f.At {
		return nil
	}
	f.failed = true
	if f.Kill && f.Power {
		f.losePower()
	}
	return f.err()
}

func (f *Faulty) err() error {
	if f.Err != nil {
		return f.Err
	}
	return ErrFault
}

func (f *Faulty) losePower() {
	for path, e := range f.files {
		if e.durable == e.size {
			continue
		}
		if file, err := f.inner().Append(path, e.durable); err == nil {
			file.Close()
		}
		e.size = e.durable
	}
}

func (f *Faulty) open(name, path string, length int64, open func() (File, error)) (File, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.step(name); err != nil {
		return nil, err
	}
	file, err := open()
	if err != nil {
		return nil, err
	}
	if f.files == nil {
		f.files = map[string]*extent{}
	}
	e := &extent{size: length, durable: length}
	if before := f.files[path]; before != nil {
		e.durable = min(length, before.durable)
	}
	f.files[path] = e
	return &faultyFile{fs: f, file: file, extent: e}, nil
}

// Create implements FS.
func (f *Faulty) Create(path string) (File, error) {
	return f.open(StepCreate, path, 0, func() (File, error) { return f.inner().Create(path) })
}

// Append implements FS.
func (f *Faulty) Append(path string, length int64) (File, error) {
	return f.open(StepAppend, path, length, func() (File, error) { return f.inner().Append(path, length) })
}

// Rename implements FS.
func (f *Faulty) Rename(from, to string) error {
	return f.do(StepRename, func() error {
		if err := f.inner().Rename(from, to); err != nil {
			return err
		}
		delete(f.files, to)
		if e := f.files[from]; e != nil {
			f.files[to] = e
			delete(f.files, from)
		}
		return nil
	})
}

// Remove implements FS.
func (f *Faulty) Remove(path string) error {
	return f.do(StepRemove, func() error {
		delete(f.files, path)
		return f.inner().Remove(path)
	})
}

// Mkdir implements FS.
func (f *Faulty) Mkdir(dir string) error {
	return f.do(StepMkdir, func() error { return f.inner().Mkdir(dir) })
}

// SyncDir implements FS.
func (f *Faulty) SyncDir(dir string) error {
	return f.do(StepSyncDir, func() error { return f.inner().SyncDir(dir) })
}

func (f *Faulty) do(name string, work func() error) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.step(name); err != nil {
		return err
	}
	return work()
}

type faultyFile struct {
	fs     *Faulty
	file   File
	extent *extent
}

func (w *faultyFile) Write(b []byte) (int, error) {
	w.fs.mu.Lock()
	defer w.fs.mu.Unlock()
	dead := w.fs.failed && w.fs.Kill
	if err := w.fs.step(StepWrite); err != nil {
		n := 0
		if !dead && !w.fs.Power {
			n, _ = w.file.Write(b[:len(b)/2])
			w.extent.size += int64(n)
		}
		return n, err
	}
	n, err := w.file.Write(b)
	w.extent.size += int64(n)
	return n, err
}

func (w *faultyFile) Sync() error {
	return w.fs.do(StepSync, func() error {
		err := w.file.Sync()
		if err == nil {
			w.extent.durable = w.extent.size
		}
		return err
	})
}

// Close closes the real file whatever the step says, so that tests leak none.
func (w *faultyFile) Close() error {
	err := w.fs.do(StepClose, func() error { return nil })
	if cerr := w.file.Close(); err == nil {
		err = cerr
	}
	return err
}
