package sources

import (
	"io/fs"
	"os"
)

// A folder is one that is being walked. Its files are looked at by name, through
// the open folder: the system then follows no path for each of them.
type folder struct {
	path string // clean
	open openDir
}

// An item is what a folder holds under a name; kind is the type alone.
type item struct {
	name string
	kind fs.FileMode
}

// join is the path of what the folder holds under a name, and the name as a part
// of it: names as they are listed share a string, and would keep all of it.
func (d *folder) join(name string) (path, own string) {
	between := string(os.PathSeparator)
	if os.IsPathSeparator(d.path[len(d.path)-1]) { // the file system's root
		between = ""
	}
	path = d.path + between + name
	return path, path[len(path)-len(name):]
}

// A stamp is what tells whether a file is still what it was.
type stamp struct {
	size, modTime int64  // bytes, Unix nanoseconds
	inode         uint64 // 0 where the system has none
}

func stampOf(st fs.FileInfo) stamp {
	return stamp{st.Size(), st.ModTime().UnixNano(), inodeOf(st)}
}

// put makes the stamp part of what is known of a transcript.
func (s stamp) put(in *Info) { in.Size, in.ModTime, in.Inode = s.size, s.modTime, s.inode }
