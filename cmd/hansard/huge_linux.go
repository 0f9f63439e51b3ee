package main

import "syscall"

// adviseHuge asks for huge pages where b is. It is advice: a system that does not
// follow it takes small ones.
func adviseHuge(b []byte) { _ = syscall.Madvise(b, syscall.MADV_HUGEPAGE) }
