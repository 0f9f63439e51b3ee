package main

import (
	"runtime"
	"runtime/debug"
	"sync/atomic"
)

const (
	// memoryLimit is from where on garbage is collected more eagerly than by default: an
	// index of any size is made within 250 MB, of which this is the part that Go
	// manages.
	memoryLimit = 200 << 20
	// answerGarbage is how much may pile up, in percent of what lives, in commands that
	// answer in milliseconds: they end before the first collection.
	answerGarbage = 200
	// indexGarbage is the same for index: a run that finds nothing new ends before its
	// first collection, at 12 MB.
	indexGarbage = 300
	// firstIndex is how many bytes there must be to read for the setting of a first index.
	firstIndex = 16 << 20
	// A first index begins with nothing and ends with 15 MB that live, or with some
	// 60. That garbage of the size of what lives may pile up means a dozen collections
	// before there is anything to speak of; that much more may, means memory that is
	// used for the first time, which costs more than a collection of few megabytes.
	// The ballast counts as living, but nobody touches it, so that it is never there:
	// with it 14 MB may pile up at first, and 37 beside 60.
	ballast        = 32 << 20
	ballastGarbage = 40
	// hugeRoom is how much of the heap is asked for in huge pages. Taken in pages of
	// 4 KB, memory that is used for the first time is a tenth of the processors' time.
	hugeRoom = 64 << 20
)

var (
	held    atomic.Pointer[[ballast]byte]
	mayTune atomic.Bool // this process may make a first index, and the user did not set the collector
)

// tuneCollector sets the garbage collector for the command of a command line, unless
// the user did.
func tuneCollector(getenv func(string) string, args []string) {
	collect, limit := getenv("GOGC") == "", getenv("GOMEMLIMIT") == ""
	command := ""
	if len(args) > 1 {
		command = args[1]
	}
	switch {
	case collect && command == "index":
		debug.SetGCPercent(indexGarbage)
	case collect:
		debug.SetGCPercent(answerGarbage)
	}
	if command == "index" || command == "search" { // servers keep what they have
		mayTune.Store(collect && limit)
		goOnHuge()
	}
	if limit {
		debug.SetMemoryLimit(memoryLimit)
	}
}

// expect prepares the heap for so many bytes of transcripts, once, before most of
// them are read: what is taken of it until then is not in huge pages.
func expect(toRead int64) {
	if toRead >= firstIndex && mayTune.CompareAndSwap(true, false) {
		makeRoom()
	}
}

// expectAll is expect for a first index, before anybody knows how much there is to read:
// the collection takes as long as finding transcripts, and is done beside that.
func expectAll() {
	if mayTune.CompareAndSwap(true, false) {
		go makeRoom()
	}
}

// makeRoom has the heap grow by what is free after a collection, while it is so
// small that one costs nothing. The room comes first: it begins where the heap ends.
func makeRoom() {
	debug.SetGCPercent(-1)
	debug.SetMemoryLimit(memoryLimit + ballast)
	adviseHuge(make([]byte, hugeRoom))
	held.Store(new([ballast]byte))
	runtime.GC()
	debug.SetGCPercent(ballastGarbage)
}
