package main

import (
	"runtime"
	"syscall"
	"unsafe"
)

// adviseHuge asks for huge pages where b is. It is advice: a system that does not
// follow it takes small ones.
func adviseHuge(b []byte) { _ = syscall.Madvise(b, syscall.MADV_HUGEPAGE) }

// hugePage is the usual size of one.
const hugePage = 2 << 20

// goOnHuge has the heap go on in a huge page: a few hundred small ones that are used for
// the first time are a twentieth of a run of milliseconds. What it leaves out before
// that nobody touches, and the first collection gives it back.
func goOnHuge() {
	last := make([]byte, 64<<10) // so large that it lies where the heap ends
	end := uintptr(unsafe.Pointer(unsafe.SliceData(last))) + uintptr(len(last))
	at := (end + hugePage - 1) &^ (hugePage - 1)
	left := make([]byte, at-end)
	_, _, _ = syscall.RawSyscall(syscall.SYS_MADVISE, at, hugePage, syscall.MADV_HUGEPAGE)
	runtime.KeepAlive(left)
}
