//go:build !linux && !darwin

package sources

import "os"

// stamp looks at what is called name in the folder; links are not followed.
func (d *folder) stamp(name string) (stamp, error) {
	path, _ := d.join(name)
	st, err := os.Lstat(path)
	if err != nil {
		return stamp{}, err
	}
	return stampOf(st), nil
}
