package search

import (
	"sync"
	"sync/atomic"
)

// A beside is work that another processor does, if one is free before all is done
// without it: nobody waits for the end of what was never begun.
type beside struct {
	begun atomic.Bool
	done  sync.WaitGroup
}

func (b *beside) start(work func()) {
	b.done.Go(func() {
		if b.begun.CompareAndSwap(false, true) {
			work()
		}
	})
	go func() {}() // another processor sleeps for 50 us before it takes what was started last: this, which nobody waits for
}

// end waits for the work, unless it was not begun, and never will be.
func (b *beside) end() {
	if !b.begun.CompareAndSwap(false, true) {
		b.done.Wait()
	}
}
