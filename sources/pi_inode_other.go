//go:build !unix

package sources

import "io/fs"

// piInode is 0 where files have no number.
func piInode(fs.FileInfo) uint64 { return 0 }
