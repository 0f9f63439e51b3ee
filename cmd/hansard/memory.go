package main

import "runtime/debug"

const (
	// memory is from where on garbage is collected more eagerly than by default: an
	// index of any size is made within 250 MB, of which this is the part that Go
	// manages.
	memory = 200 << 20
	// garbage is how much may pile up, in percent of what lives, in commands that
	// answer in milliseconds: they end before the first collection. A first index
	// would save a twentieth of its time so, and take 170 MB where 140 are enough.
	garbage = 200
)

// tuneMemory sets the garbage collector, unless the user did.
func tuneMemory(getenv func(string) string, args []string) {
	if getenv("GOGC") == "" && (len(args) < 2 || args[1] != "index") {
		debug.SetGCPercent(garbage)
	}
	if getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memory)
	}
}
