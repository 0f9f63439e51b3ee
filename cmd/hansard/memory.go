package main

import "runtime/debug"

const (
	// garbage is how much garbage may pile up, in percent of what lives: more than
	// by default, since little lives and a first index makes much. It takes a tenth
	// less time so.
	garbage = 200
	// memory is from where on garbage is collected more eagerly instead: an index
	// of any size is made within 250 MB, of which this is the part that Go manages.
	memory = 200 << 20
)

// tuneMemory sets the garbage collector, unless the user did.
func tuneMemory(getenv func(string) string) {
	if getenv("GOGC") == "" {
		debug.SetGCPercent(garbage)
	}
	if getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memory)
	}
}
