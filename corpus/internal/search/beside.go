package search

import (
	"sync"
	"sync/atomic"
)

// A beside is work that another processor does, if one is free before all is done
// without it: nobody waits for the end of what was never begun.
type beside struct {
	begun atomic.Bool
	ended atomic.Bool
	done  sync.WaitGroup
}

func (b *beside) start(work func()) {
	b.done.Go(func() {
		if b.begun.CompareAndSwap(false, true) {
			work()
			b.ended.Store(true)
		}
	})
	go func() {}() // another processor sleeps for 50 us before it takes what was started last: this, which nobody waits for
}

// awake is how often one looks whether the work has ended before it sleeps, for 10 us
// about: what is begun mostly ends sooner than a sleeper is woken, in a few blocks or
// a text.
const awake = 1 << 14

// end waits for the work, unless it was not begun, and never will be.
func (b *beside) end() {
	if b.begun.CompareAndSwap(false, true) {
		return
	}
	for range awake {
		if b.ended.Load() {
			return
		}
	}
	b.done.Wait()
}

// together does work on some processors, and returns when all have done theirs.
func together(workers int, work func(n int)) {
	others := make([]beside, workers-1)
	for n := range others {
		others[n].start(func() { work(n + 1) })
	}
	work(0)
	for n := range others {
		others[n].end()
	}
}
