//go:build !amd64

package prefetch

import "unsafe"

// fetchBytes reads the bytes. What it returns is for nothing but that the compiler
// keeps the reads.
//
//go:noinline
func fetchBytes(at **byte, n int) (sum byte) {
	for _, b := range unsafe.Slice(at, n) {
		sum |= *b
	}
	return sum
}

// fetchAt reads the bytes.
//
//go:noinline
func fetchAt(bytes *uint8, at *uint16, n int) (sum byte) {
	for _, i := range unsafe.Slice(at, n) {
		sum |= *(*byte)(unsafe.Add(unsafe.Pointer(bytes), i))
	}
	return sum
}

// fetchRows reads the first byte of each row.
//
//go:noinline
func fetchRows(rows unsafe.Pointer, size uintptr, at *uint32, n int) (sum byte) {
	for _, i := range unsafe.Slice(at, n) {
		sum |= *(*byte)(unsafe.Add(rows, uintptr(i)*size))
	}
	return sum
}
