//go:build !linux

package sources

import "os"

type openDir = *os.File

func openFolder(path string) (*folder, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	return &folder{path, f}, nil
}

// list is what the folder holds, in the order of the file system.
func (d *folder) list() (items []item, err error) {
	entries, err := d.open.ReadDir(-1)
	for _, e := range entries {
		items = append(items, item{e.Name(), e.Type()})
	}
	return items, err
}

func (d *folder) fd() int { return int(d.open.Fd()) }

func (d *folder) close() { _ = d.open.Close() } // it was only read
