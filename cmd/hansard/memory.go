package main

import "runtime/debug"

const (
	// garbage is how much garbage may pile up, in percent of what lives. At 200 a
	// first index takes a twentieth less time and 25 MB more: 170 where transcripts
	// are tool output for the most part, and it is to stay below 150.
	garbage = 110
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
