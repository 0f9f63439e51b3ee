package prefetch

import "unsafe"

// fetch asks for the rows, of a size in bytes, that n indexes name. n is 1 at least.
//
//go:noescape
func fetch(rows unsafe.Pointer, size uintptr, at *uint32, n int)
