package prefetch

import "unsafe"

// Written makes the pages of memory that nobody used yet ready to be written on.
// Where the first that happens to a page is that it is read, the system maps a
// page of zeros, and has all processors forget it when the page is written.
func Written[T any](s []T) []T {
	const page = 4096
	var t T
	b := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), uintptr(len(s))*unsafe.Sizeof(t))
	for i := 0; i < len(b); i += page {
		b[i] = 0
	}
	return s
}
