// Package prefetch brings rows of tables into the processor's cache before they are
// used. A table of words is larger than the cache and is read all over: whoever
// names many rows at once, and does something else until they are there, does not
// wait for each of them. The package does not know what rows hold.
package prefetch

import "unsafe"

// Bytes asks for what is about the bytes. Where the processor cannot be asked, it
// reads them.
func Bytes(at []*byte) {
	if len(at) > 0 {
		fetchBytes(&at[0], len(at))
	}
}

// Rows asks for rows by their indexes, each of which has to be in range. Where the
// processor cannot be asked, it reads them.
func Rows[T any](rows []T, at []uint32) {
	if len(rows) > 0 && len(at) > 0 {
		fetchRows(unsafe.Pointer(unsafe.SliceData(rows)), unsafe.Sizeof(rows[0]), &at[0], len(at))
	}
}

// At asks for the bytes at places, each of which has to be in range. Where the
// processor cannot be asked, it reads them.
func At(bytes []uint8, at []uint16) {
	if len(bytes) > 0 && len(at) > 0 {
		fetchAt(unsafe.SliceData(bytes), &at[0], len(at))
	}
}
