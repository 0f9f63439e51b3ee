//go:build unix

package shard

import (
	"os"

	"golang.org/x/sys/unix"
)

// mapFile maps a file of size bytes, more than none. unmap may be called once.
func mapFile(f *os.File, size int) (data []byte, unmap func() error, err error) {
	data, err = unix.Mmap(int(f.Fd()), 0, size, unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil, nil, os.NewSyscallError("mmap", err)
	}
	return data, func() error { return unix.Munmap(data) }, nil
}

// forgetPages tells the system that mapped pages are not needed soon. They stay
// mapped, and what reads them gets them from the page cache again.
func forgetPages(data []byte) {
	_ = unix.Madvise(data, unix.MADV_DONTNEED) // advice
}
