package shard

import (
	"io"
	"sync/atomic"
)

// behindBuffers is how many buffers wait to be written, or are.
const behindBuffers = 4

// A behind writes what an output gathered on a goroutine of its own: of a merge,
// which uses all processors but where it writes, a fifth of the time is spent in
// the system's copying.
type behind struct {
	full, free chan []byte
	failed     atomic.Bool
	ended      chan struct{}
	sums       []byte // until ended closes, the goroutine's
	err        error  // likewise
}

// writeBehind has the body written aside until endBehind, which has to be called.
func (o *output) writeBehind() {
	h := &behind{full: make(chan []byte, behindBuffers), free: make(chan []byte, behindBuffers), ended: make(chan struct{})}
	for range behindBuffers {
		h.free <- make([]byte, 0, outputBuffer)
	}
	o.behind = h
	go h.write(o.w)
}

func (h *behind) write(w io.Writer) {
	defer close(h.ended)
	for b := range h.full {
		h.sums = appendSums(h.sums, b)
		if h.err == nil {
			_, h.err = w.Write(b)
			h.failed.Store(h.err != nil)
		}
		h.free <- b[:0]
	}
}

// later takes the output's buffer to be written, and gives it another.
func (h *behind) later(o *output) {
	if len(o.buf) == 0 {
		return
	}
	o.done += int64(len(o.buf))
	h.full <- o.buf
	if o.buf = <-h.free; h.failed.Load() {
		o.endBehind()
	}
}

// endBehind waits until everything is written.
func (o *output) endBehind() {
	h := o.behind
	if h == nil {
		return
	}
	o.behind = nil
	close(h.full)
	<-h.ended
	o.sums, o.err = append(o.sums, h.sums...), h.err
}
