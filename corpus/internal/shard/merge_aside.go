package shard

import (
	"runtime/debug"
	"sync/atomic"
)

// An aside runs parts of a call on other goroutines as if they ran on its own: a
// fault in mapped memory, or any other panic there, is one of the caller's.
type aside struct {
	faults   bool // whether the caller's panic
	panicked atomic.Pointer[any]
}

func newAside() *aside {
	a := &aside{faults: debug.SetPanicOnFault(false)}
	debug.SetPanicOnFault(a.faults)
	return a
}

// do is for the other goroutines.
func (a *aside) do(part func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(a.faults))
	defer func() {
		if p := recover(); p != nil {
			a.panicked.CompareAndSwap(nil, &p)
			err = ErrClosed // for those who wait: the caller panics
		}
	}()
	return part()
}

// rethrow is for the caller, when the others are done.
func (a *aside) rethrow() {
	if p := a.panicked.Load(); p != nil {
		panic(*p)
	}
}
