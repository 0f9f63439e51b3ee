package shard

import (
	"errors"
	"fmt"
)

// What goes wrong with a file.
var (
	// ErrDamaged is wrapped by every DamageError.
	ErrDamaged = errors.New("damaged index file")
	// ErrVersion says that a file is of a version that this program cannot read.
	ErrVersion = errors.New("index file of another version")
	// ErrClosed is returned by a reader that was closed.
	ErrClosed = errors.New("index file is closed")
)

// What goes wrong with what is asked or given.
var (
	// ErrDocument says that a document cannot be added: a key that is there
	// already, a surface that is unknown or of the other kind, a term without
	// letters.
	ErrDocument = errors.New("document cannot be indexed")
	// ErrRange says that there is no document or session with that number.
	ErrRange = errors.New("no such document in the index file")
	// ErrPattern says that a pattern or distance cannot be used to look for terms.
	ErrPattern = errors.New("pattern not supported")
)

// A DamageError says that stored bytes are not what was written: a checksum
// that does not match, a file that is too short, an impossible number.
type DamageError struct {
	File   string // path, "" for a shard in memory
	Part   string // "trailer", "dictionary user_prompt", ...
	Detail string
}

// Error says what is damaged and how.
func (e *DamageError) Error() string {
	file := e.File
	if file == "" {
		file = "in memory"
	}
	return fmt.Sprintf("%v: %s: %s: %s", ErrDamaged, file, e.Part, e.Detail)
}

// Unwrap returns ErrDamaged.
func (e *DamageError) Unwrap() error { return ErrDamaged }
