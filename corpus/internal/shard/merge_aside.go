package shard

import (
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// A pending batch is ready when the channel is closed.
type pending[B any] struct {
	batch B
	ready chan struct{}
	err   error
}

// inOrder makes batches by fill, which reports whether there is another, works on
// n of them at a time, and takes them in the order in which they were made. A batch
// is filled again when it was taken: there are twice as many as workers.
func inOrder[B any](n int, fill func(*B) (bool, error), work func(worker int, b *B) error, take func(*B) error) (err error) {
	if n == 1 {
		return oneByOne(fill, work, take)
	}
	free, filled, ordered := make(chan *pending[B], 2*n), make(chan *pending[B], 2*n), make(chan *pending[B], 2*n)
	for range cap(free) {
		free <- new(pending[B])
	}
	var stop atomic.Bool
	var others sync.WaitGroup
	side := newAside()
	others.Go(func() {
		defer close(filled)
		defer close(ordered)
		for more := true; more && !stop.Load(); {
			p := <-free
			p.ready = make(chan struct{})
			p.err = side.do(func() (err error) { more, err = fill(&p.batch); return err })
			if more = more && p.err == nil; more {
				filled <- p
			} else {
				close(p.ready)
			}
			if more || p.err != nil {
				ordered <- p
			}
		}
	})
	for worker := range n {
		others.Go(func() {
			for p := range filled {
				p.err = side.do(func() error { return work(worker, &p.batch) })
				close(p.ready)
			}
		})
	}
	for p := range ordered {
		<-p.ready
		if err == nil {
			err = p.err
		}
		if err == nil {
			err = take(&p.batch)
		}
		stop.Store(err != nil)
		free <- p
	}
	others.Wait()
	side.rethrow()
	return err
}

func oneByOne[B any](fill func(*B) (bool, error), work func(worker int, b *B) error, take func(*B) error) error {
	var b B
	for {
		if more, err := fill(&b); err != nil || !more {
			return err
		}
		if err := work(0, &b); err != nil {
			return err
		}
		if err := take(&b); err != nil {
			return err
		}
	}
}

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
