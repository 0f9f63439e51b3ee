package main

import "runtime/debug"

// memory is from where on garbage is collected more eagerly than by default: an
// index of any size is made within 250 MB, of which this is the part that Go
// manages. Letting twice as much garbage pile up instead would save a first index
// a twentieth of its time, and take 170 MB where 140 are enough.
const memory = 200 << 20

// tuneMemory sets the garbage collector, unless the user did.
func tuneMemory(getenv func(string) string) {
	if getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memory)
	}
}
