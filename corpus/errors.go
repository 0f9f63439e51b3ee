package corpus

import (
	"errors"
	"fmt"
	"time"

	"github.com/hansard-search/hansard/corpus/internal/published"
)

// Errors of opening a corpus.
var (
	// ErrNoCorpus: the folder holds no corpus yet. Index first.
	ErrNoCorpus = published.ErrNoCorpus
	// ErrNewer: the corpus was written by a later version of this program.
	ErrNewer = published.ErrNewer
)

// Errors of asking.
var (
	// ErrNotFound: there is no such turn or session.
	ErrNotFound = errors.New("not found")
	// ErrClosed: the Corpus or Indexer was closed before.
	ErrClosed = errors.New("closed")
)

// An IDError says why an id names no turn or session. It is an ErrNotFound.
type IDError struct {
	ID     string
	Begins []string // ids that begin so, where it is not one alone
}

func (e *IDError) Error() string {
	switch {
	case len(e.Begins) > 0:
		return fmt.Sprintf("%q begins %d ids, such as %s and %s", e.ID, len(e.Begins), e.Begins[0], e.Begins[1])
	case len(e.ID) < MinPrefix:
		return fmt.Sprintf("no id is %q, and it takes %d characters to tell which ones begin so", e.ID, MinPrefix)
	}
	return fmt.Sprintf("no id is %q or begins so", e.ID)
}

func (e *IDError) Unwrap() error { return ErrNotFound }

// Ambiguous reports whether an id was refused because several begin so.
func Ambiguous(err error) bool {
	var e *IDError
	return errors.As(err, &e) && len(e.Begins) > 0
}

// A DamageError says in its File, relative to the corpus's folder, which file of a
// corpus does not hold what was written to it, in Detail how, and in Err, which may be
// nil, what was met. What is undamaged can still be searched.
type DamageError = published.DamageError

// A LockedError says who holds the writer lock: another process, or another
// Indexer of this one, whose PID is then this process's.
type LockedError struct {
	PID     int       // 0 where the holder has not said who it is
	Command string    // its Config.Holder
	Since   time.Time // by its clock
}

func (e *LockedError) Error() string {
	if e.PID == 0 {
		return "another process is indexing"
	}
	who := fmt.Sprintf("pid %d", e.PID)
	if e.Command != "" {
		who += " (" + e.Command + ")"
	}
	return fmt.Sprintf("another process is indexing: %s, since %s", who, e.Since.Format(time.TimeOnly))
}
