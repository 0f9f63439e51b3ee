package prefetch

import "unsafe"

// fetchBytes asks for what is about n bytes, one at least.
//
//go:noescape
func fetchBytes(at **byte, n int)

// fetchAt asks for the bytes at n places, one at least.
//
//go:noescape
func fetchAt(bytes *uint8, at *uint16, n int)

// fetchRows asks for the rows, of a size in bytes, that n indexes name, one at least.
//
//go:noescape
func fetchRows(rows unsafe.Pointer, size uintptr, at *uint32, n int)
