package main

import (
	"runtime"
	"runtime/debug"
	"sync/atomic"
)

const (
	// memory is from where on garbage is collected more eagerly than by default: an
	// index of any size is made within 250 MB, of which this is the part that Go
	// manages.
	memory = 200 << 20
	// garbage is how much may pile up, in percent of what lives, in commands that
	// answer in milliseconds: they end before the first collection.
	garbage = 200
	// A run that finds nothing new ends before its first collection, at 12 MB.
	indexGarbage = 300
	// much is how many bytes there must be to read for the setting of a first index.
	// It ends with some 60 MB that live, and begins with nothing. That garbage of the
	// size of what lives may pile up means a dozen collections before there is
	// anything to speak of. The ballast counts as living, but nobody touches it, so
	// that it is never there: the first collection comes at 64 MB, and few follow.
	// After the first, as much may pile up as what the heap of an index of any size
	// has room for.
	much           = 16 << 20
	ballast        = 96 << 20
	earlyGarbage   = 60
	ballastGarbage = 25
	// hugeRoom is how much of the heap is asked for in huge pages. Taken in pages of
	// 4 KB, memory that is used for the first time is a tenth of the processors' time.
	hugeRoom = 64 << 20
)

var (
	held    atomic.Pointer[[ballast]byte]
	mayTune atomic.Bool // this process indexes, and the user did not set the collector
)

// tuneMemory sets the garbage collector, unless the user did.
func tuneMemory(getenv func(string) string, args []string) {
	collect, limit := getenv("GOGC") == "", getenv("GOMEMLIMIT") == ""
	index := len(args) > 1 && args[1] == "index"
	switch {
	case collect && index:
		debug.SetGCPercent(indexGarbage)
		mayTune.Store(limit)
	case collect:
		debug.SetGCPercent(garbage)
	}
	if limit {
		debug.SetMemoryLimit(memory)
	}
}

// expect prepares the heap for so many bytes of transcripts, once, beside what
// reads them.
func expect(toRead int64) {
	if toRead >= much && mayTune.CompareAndSwap(true, false) {
		go makeRoom()
	}
}

// makeRoom has the heap grow by what is free after a collection, while it is so
// small that one costs nothing.
func makeRoom() {
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(memory + ballast)
	held.Store(new([ballast]byte))
	adviseHuge(make([]byte, hugeRoom))
	runtime.GC()
	debug.SetGCPercent(earlyGarbage)
	runtime.AddCleanup(new([64]byte), func(int) { debug.SetGCPercent(ballastGarbage) }, 0)
}
