// Package lock is the writer lock of a corpus: the file LOCK, held by at most
// one process, released by the system when that process dies. It is the only
// door to flock, and does not know what the lock protects.
package lock

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/gofrs/flock"
)

// Name is the name of the file in a corpus's folder.
const Name = "LOCK"

// retry is the pause between two attempts: short beside the 10 s that index
// waits, long beside the few microseconds an attempt costs.
const retry = 20 * time.Millisecond

// settle is how long a holder may take between locking the file and having
// written who it is, before an attempt reports a holder without a name.
const settle = 5 * time.Millisecond

// A Lock is a lock that this process holds. Release it once.
type Lock struct{ f *flock.Flock }

// A HeldError says that another process, or another Lock of this one, holds
// the lock. PID is 0 when the holder did not say who it is.
type HeldError struct {
	Path    string
	PID     int
	Command string    // as the holder spelled it
	Since   time.Time // when it took the lock, by its own clock
}

func (e *HeldError) Error() string {
	if e.PID == 0 {
		return e.Path + " is held by another process"
	}
	return fmt.Sprintf("%s is held by process %d (%s) since %s", e.Path, e.PID, e.Command, e.Since.Format(time.RFC3339))
}

// A note is what the file says: one line of JSON, blank when nobody holds it.
// The file is never cut: a file system would make that durable at once, at a
// cost that most runs, which find nothing new, would notice.
type note struct {
	PID     int       `json:"pid"`
	Command string    `json:"command"`
	Since   time.Time `json:"since"`
}

// Acquire takes the lock at path, whose folder must exist, and writes into it
// who holds it: the process id, the command as the caller spells it, and now.
// It tries for as long as wait says (0 or less: once) or until ctx is done, and
// fails with a *HeldError, ctx's error, or one of the system.
func Acquire(ctx context.Context, path string, wait time.Duration, command string, now time.Time) (*Lock, error) {
	f := flock.New(path, flock.SetFlag(os.O_CREATE|os.O_RDWR), flock.SetPermissions(0o600))
	if err := take(ctx, f, wait); err != nil {
		f.Close()
		return nil, err
	}
	if err := sign(path, note{os.Getpid(), command, now.UTC()}); err != nil {
		f.Close()
		return nil, fmt.Errorf("lock: %w", err)
	}
	return &Lock{f}, nil
}

// Try is Acquire without waiting.
func Try(path, command string, now time.Time) (*Lock, error) {
	return Acquire(context.Background(), path, 0, command, now)
}

func take(ctx context.Context, f *flock.Flock, wait time.Duration) error {
	limit, cancel := context.WithTimeout(ctx, max(wait, 0))
	defer cancel()
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		ok, err := f.TryLock()
		if err != nil {
			return fmt.Errorf("lock %s: %w", f.Path(), err)
		}
		if ok && current(f) {
			return nil
		}
		if ok { // of a file that is no longer there: lock the one that is
			if err := f.Close(); err != nil {
				return fmt.Errorf("lock %s: %w", f.Path(), err)
			}
			continue
		}
		select {
		case <-limit.Done():
			if err := ctx.Err(); err != nil {
				return err
			}
			return held(f.Path())
		case <-time.After(retry):
		}
	}
}

// current reports whether the locked file still has its name, which somebody
// may have removed together with the folder.
func current(f *flock.Flock) bool {
	locked, err := f.Stat()
	if err != nil {
		return false
	}
	named, err := os.Stat(f.Path())
	return err == nil && os.SameFile(locked, named)
}

// sign writes through a second handle: closing it does not release a flock.
func sign(path string, n note) error {
	line, err := json.Marshal(n)
	if err != nil {
		return err
	}
	return fill(path, line)
}

// fill makes line, followed by blanks, all that the file says.
func fill(path string, line []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err == nil && info.Mode().Perm() != 0o600 {
		err = f.Chmod(0o600) // whatever the umask
	}
	if err == nil {
		b := bytes.Repeat([]byte{' '}, max(int(info.Size()), len(line)+1))
		copy(b, line)
		b[len(b)-1] = '\n'
		_, err = f.WriteAt(b, 0)
	}
	return errors.Join(err, f.Close())
}

// held tells who holds the file, which may just be about to say so.
func held(path string) *HeldError {
	e := &HeldError{Path: path}
	for range 2 {
		var n note
		if b, err := os.ReadFile(path); err == nil && json.Unmarshal(b, &n) == nil && n.PID != 0 {
			e.PID, e.Command, e.Since = n.PID, n.Command, n.Since
			break
		}
		time.Sleep(settle)
	}
	return e
}

// Holder tells who holds the lock at path, nil when nobody does. It looks
// without taking the lock for longer than a moment, and creates no file.
func Holder(path string) (*HeldError, error) {
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	f := flock.New(path, flock.SetFlag(os.O_RDONLY))
	defer f.Close()
	ok, err := f.TryRLock()
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	if ok {
		return nil, nil
	}
	return held(path), nil
}

// Release gives the lock back. The file stays, blank: removing it would let
// two processes lock two files of one name. A nil Lock is released already.
func (l *Lock) Release() error {
	if l == nil {
		return nil
	}
	if current(l.f) {
		if err := fill(l.f.Path(), nil); err != nil {
			l.f.Close()
			return fmt.Errorf("unlock: %w", err)
		}
	}
	return l.f.Close()
}
