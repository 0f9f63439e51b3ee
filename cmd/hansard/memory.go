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
	// A first index ends with some 60 MB that live, and begins with nothing. That
	// garbage of the size of what lives may pile up means a dozen collections before
	// there is anything to speak of. The ballast counts as living, but nobody touches
	// it, so that it is never there: a few collections are left, and the last ones
	// come no later. A tenth of the processors' time of 130 MB of transcripts. It
	// counts from the first collection on, which is at 12 MB: a run that finds
	// nothing new ends before that, and would be made a tenth longer by one.
	ballast        = 96 << 20
	ballastGarbage = 25
	indexGarbage   = 300
)

// held keeps the ballast.
var held atomic.Pointer[[ballast]byte]

// tuneMemory sets the garbage collector, unless the user did.
func tuneMemory(getenv func(string) string, args []string) {
	collect, limit := getenv("GOGC") == "", getenv("GOMEMLIMIT") == ""
	index := len(args) > 1 && args[1] == "index"
	switch {
	case collect && limit && index:
		debug.SetGCPercent(indexGarbage)
		runtime.AddCleanup(new([64]byte), func(int) {
			held.Store(new([ballast]byte))
			debug.SetGCPercent(ballastGarbage)
			debug.SetMemoryLimit(memory + ballast)
		}, 0)
	case collect && !index:
		debug.SetGCPercent(garbage)
	}
	if limit {
		debug.SetMemoryLimit(memory)
	}
}
