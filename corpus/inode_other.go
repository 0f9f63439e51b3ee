//go:build !unix

package corpus

import "io/fs"

// inodeOf returns 0: the system has no such number, size and time must do.
func inodeOf(fs.FileInfo) uint64 { return 0 }

// allocated is a file's size: the system does not tell what it takes on disk.
func allocated(info fs.FileInfo) int64 { return info.Size() }
