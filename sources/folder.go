package sources

import (
	"io/fs"
	"os"
)

// A folder is one that is being walked. Its files are looked at by name, through
// the open folder: the system then follows no path for each of them.
type folder struct {
	path string // clean
	open *os.File
}

func openFolder(path string) (*folder, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	return &folder{path, f}, nil
}

// list is what the folder holds, in the order of the file system.
func (d *folder) list() ([]fs.DirEntry, error) { return d.open.ReadDir(-1) }

// join is the path of what the folder holds under a name.
func (d *folder) join(name string) string {
	if os.IsPathSeparator(d.path[len(d.path)-1]) { // the file system's root
		return d.path + name
	}
	return d.path + string(os.PathSeparator) + name
}

func (d *folder) close() { _ = d.open.Close() } // it was only read

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
