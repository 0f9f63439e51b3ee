package published

import (
	"errors"
	"fmt"
)

// Errors of opening a corpus.
var (
	// ErrNoCorpus: the folder holds no corpus yet. Index first.
	ErrNoCorpus = errors.New("no corpus yet")
	// ErrNewer: the corpus was written by a later version of this program.
	ErrNewer = errors.New("corpus was written by a newer version")
)

// A DamageError says which file of a corpus does not hold what was written to
// it. What is undamaged can still be searched.
type DamageError struct {
	File   string // relative to the corpus's folder
	Detail string
	Err    error // may be nil
}

func (e *DamageError) Error() string {
	s := fmt.Sprintf("%s is damaged: %s", e.File, e.Detail)
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	return s
}

func (e *DamageError) Unwrap() error { return e.Err }
