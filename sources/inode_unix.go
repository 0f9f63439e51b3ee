//go:build unix

package sources

import (
	"io/fs"
	"syscall"
)

// inodeOf is the file's number on its disk.
func inodeOf(st fs.FileInfo) uint64 {
	if s, ok := st.Sys().(*syscall.Stat_t); ok {
		return uint64(s.Ino)
	}
	return 0
}
