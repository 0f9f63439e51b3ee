package ledger

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/hansard-search/hansard/corpus/internal/files"
	"github.com/hansard-search/hansard/corpus/internal/lock"
	"github.com/hansard-search/hansard/corpus/internal/signal"
)

// Badger meets some damage with a panic in a goroutine of its own, which ends
// the process, and would at every start. So it is only ever shown a folder
// that is, byte for byte, as a Close left it. Close writes the file SEAL last:
// the size and checksum of every other file, as JSON. Open checks it, and
// removes it before Badger may write. A folder without its seal (somebody was
// killed with the ledger open, the power failed, a file was damaged) is made
// anew from the shards, which costs seconds for a million turns.
const (
	sealName  = "SEAL"
	ownerName = "OWNER" // locked by whoever has the ledger open
)

// A sum is what the seal says of a file.
type sum struct {
	Size int64  `json:"size"`
	Sum  string `json:"sum"` // Sum64 in hexadecimal
}

// A seal holds the sums of files by name.
type seal map[string]sum

// reseal computes the sums of the folder. Tables never change under a name,
// so those in known need not be read again.
func reseal(dir string, known seal) (seal, error) {
	s := seal{}
	err := eachFile(dir, func(name string) error {
		old, ok := known[name]
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			return err
		}
		if ok && filepath.Ext(name) == ".sst" && info.Size() == old.Size {
			s[name] = old
			return nil
		}
		s[name], err = sumFile(filepath.Join(dir, name))
		return err
	})
	return s, err
}

func sumFile(path string) (sum, error) {
	b, err := os.ReadFile(path) // at most a table, some MB
	if err != nil {
		return sum{}, err
	}
	return sum{int64(len(b)), fmt.Sprintf("%016x", signal.Sum64(b))}, nil
}

// eachFile calls do for every file that the seal speaks of.
func eachFile(dir string, do func(name string) error) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.Name() == sealName || e.Name() == ownerName {
			continue
		}
		if err := do(e.Name()); err != nil {
			return err
		}
	}
	return nil
}

// The states of a folder.
type state int

const (
	empty  state = iota // nothing in it
	sound               // as a Close left it
	broken              // anything else
)

// inspect tells the state of a folder, and the sums of a sound one.
func inspect(dir string) (state, seal, error) {
	count := 0
	if err := eachFile(dir, func(string) error { count++; return nil }); err != nil {
		return broken, nil, err
	}
	b, err := os.ReadFile(filepath.Join(dir, sealName))
	if errors.Is(err, fs.ErrNotExist) && count == 0 {
		return empty, nil, nil
	}
	var want seal
	if err != nil || json.Unmarshal(b, &want) != nil || len(want) != count {
		return broken, nil, nil
	}
	got, err := reseal(dir, nil)
	if err != nil {
		return broken, nil, nil
	}
	for name, s := range want {
		if got[name] != s {
			return broken, nil, nil
		}
	}
	return sound, got, nil
}

func writeSeal(dir string, s seal) error {
	b, err := json.Marshal(s)
	if err != nil {
		return err
	}
	return files.WriteAtomic(files.OS{}, filepath.Join(dir, sealName), b)
}

// wipe removes everything in the folder but the lock on it, the seal first.
func wipe(dir string) error {
	if err := os.Remove(filepath.Join(dir, sealName)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return eachFile(dir, func(name string) error { return os.RemoveAll(filepath.Join(dir, name)) })
}

// private makes the folder, and sets the modes of it and of what is inside:
// Badger maps files that it makes with mode 0666 less the umask.
func private(dir string) error {
	if err := (files.OS{}).Mkdir(dir); err != nil {
		return err
	}
	return eachFile(dir, func(name string) error {
		err := os.Chmod(filepath.Join(dir, name), 0o600)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	})
}

// busy is the error of a folder that somebody has open.
func busy(err error) error {
	var held *lock.HeldError
	if errors.As(err, &held) {
		return ErrInUse
	}
	return err
}
