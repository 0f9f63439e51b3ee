//go:build !unix

package sources

import "io/fs"

// inodeOf is 0 where files have no number.
func inodeOf(fs.FileInfo) uint64 { return 0 }
