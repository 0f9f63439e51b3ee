//go:build !amd64

package prefetch

import "unsafe"

// fetch reads the first byte of each row. What it returns is for nothing but that the
// compiler keeps the reads.
//
//go:noinline
func fetch(rows unsafe.Pointer, size uintptr, at *uint32, n int) (sum byte) {
	for _, i := range unsafe.Slice(at, n) {
		sum |= *(*byte)(unsafe.Add(rows, uintptr(i)*size))
	}
	return sum
}
