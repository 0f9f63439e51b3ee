//go:build linux || darwin

package sources

import (
	"io/fs"

	"golang.org/x/sys/unix"
)

// stamp looks at what is called name in the folder; links are not followed.
func (d *folder) stamp(name string) (stamp, error) {
	var st unix.Stat_t
	for {
		switch err := unix.Fstatat(d.fd(), name, &st, unix.AT_SYMLINK_NOFOLLOW); err {
		case nil:
			return stamp{st.Size, unix.TimespecToNsec(st.Mtim), st.Ino}, nil
		case unix.EINTR: // a network disk was interrupted
		default:
			path, _ := d.join(name)
			return stamp{}, &fs.PathError{Op: "lstat", Path: path, Err: err}
		}
	}
}
