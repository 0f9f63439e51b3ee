package sources

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io/fs"
	"slices"
	"sync"

	"golang.org/x/sys/unix"
)

// An openDir is a descriptor. Walking is most of a run that finds nothing new, and
// package os makes an object of each folder and of each entry.
type openDir int

func openFolder(path string) (*folder, error) {
	for {
		fd, err := unix.Open(path, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
		switch err {
		case nil:
			return &folder{path, openDir(fd)}, nil
		case unix.EINTR: // a network disk was interrupted
		default:
			return nil, &fs.PathError{Op: "open", Path: path, Err: err}
		}
	}
}

func (d *folder) fd() int { return int(d.open) }

func (d *folder) close() { _ = unix.Close(d.fd()) } // it was only read

var direntRooms = sync.Pool{New: func() any { return new([8192]byte) }}

// list is what the folder holds, in the order of the file system.
func (d *folder) list() (items []item, err error) {
	room := direntRooms.Get().(*[8192]byte)
	defer direntRooms.Put(room)
	for {
		n, err := unix.ReadDirent(d.fd(), room[:])
		switch {
		case errors.Is(err, unix.EINTR):
		case err != nil:
			return items, &fs.PathError{Op: "readdirent", Path: d.path, Err: err}
		case n <= 0:
			return items, nil
		default:
			items = d.items(items, room[:n])
		}
	}
}

// Where a directory entry has its fields; the name ends with a zero.
const (
	direntLength = 16
	direntType   = 18
	direntName   = 19
	direntUsual  = 64 // bytes of an entry that is named by a UUID
)

// items adds the entries in b. Their names share one string.
func (d *folder) items(items []item, b []byte) []item {
	text := string(b)
	items = slices.Grow(items, len(b)/direntUsual)
	for at := 0; at+direntName <= len(b); {
		e := b[at:]
		size := int(binary.NativeEndian.Uint16(e[direntLength:]))
		if size < direntName || size > len(e) {
			return items // no system says so
		}
		end := bytes.IndexByte(e[direntName:size], 0)
		name := text[at+direntName:][:max(end, 0)]
		if binary.NativeEndian.Uint64(e) != 0 && name != "" && name != "." && name != ".." {
			if kind, ok := d.kind(name, e[direntType]); ok {
				items = append(items, item{name, kind})
			}
		}
		at += size
	}
	return items
}

// kind is the type of an entry, which some file systems do not tell; ok is false
// for one that went away.
func (d *folder) kind(name string, told byte) (kind fs.FileMode, ok bool) {
	if told == unix.DT_UNKNOWN {
		var st unix.Stat_t
		if unix.Fstatat(d.fd(), name, &st, unix.AT_SYMLINK_NOFOLLOW) != nil {
			return 0, false
		}
		told = byte(st.Mode & unix.S_IFMT >> 12)
	}
	switch told {
	case unix.DT_REG:
		return 0, true
	case unix.DT_DIR:
		return fs.ModeDir, true
	case unix.DT_LNK:
		return fs.ModeSymlink, true
	}
	return fs.ModeIrregular, true
}
