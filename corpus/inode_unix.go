//go:build unix

package corpus

import (
	"io/fs"
	"syscall"
)

// inodeOf returns the number by which the system knows a file.
func inodeOf(info fs.FileInfo) uint64 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return st.Ino
	}
	return 0
}

// allocated is the room a file takes on disk: sparse files take less than
// their size.
func allocated(info fs.FileInfo) int64 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return st.Blocks * 512
	}
	return info.Size()
}
