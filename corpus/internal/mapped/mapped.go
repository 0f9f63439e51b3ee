// Package mapped maps files into memory for reading. It knows nothing of what
// they hold, nor when a map may go.
package mapped

import "os"

// File maps the first size bytes, more than none, of a file that is open at its
// beginning. unmap may be called once; nothing of data may be used after it. The
// file itself may be closed before. Where it shrinks under the map, reading data
// faults: see debug.SetPanicOnFault.
func File(f *os.File, size int) (data []byte, unmap func() error, err error) {
	return mapFile(f, size)
}

// Forget tells the system that mapped pages are not needed soon. They stay
// mapped, and what reads them gets them from the page cache again.
func Forget(data []byte) { forget(data) }
