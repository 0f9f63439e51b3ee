package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"github.com/hansard-search/hansard/corpus"
	"github.com/hansard-search/hansard/presets"
)

// The exit codes. Each command's help names those it can end with.
const (
	exitFound   = 0
	exitNothing = 1
	exitUsage   = 2
	exitLocked  = 3
	exitNone    = 4
	exitDamaged = 5
	exitFailed  = 6   // the disk is full, a right is missing, a bug
	exitStopped = 130 // interrupted, as a shell reports it
)

// A failure is why a command ends otherwise than well: one line for people,
// one object for programs.
type failure struct {
	exit    int
	Code    string `json:"code"`
	Message string `json:"message"`
	Next    string `json:"next"`
}

func (f *failure) Error() string {
	if f.Next == "" {
		return f.Message
	}
	return f.Message + "; " + f.Next
}

// errNothing ends a command with exit code 1 and no further word: the answer
// itself has said that nothing was found.
var errNothing = errors.New("nothing found")

func usage(next, format string, args ...any) error {
	return &failure{exitUsage, "usage", fmt.Sprintf(format, args...), next}
}

// explain turns any error into a failure. command is the one that ran.
func explain(err error, command string) *failure {
	var (
		f      *failure
		config *presets.ConfigError
		root   *presets.RootError
		query  *corpus.QueryError
		locked *corpus.LockedError
		damage *corpus.DamageError
		path   *fs.PathError
	)
	switch {
	case errors.As(err, &f):
		return f
	case errors.As(err, &config):
		return &failure{exitUsage, "config", config.Problem(), config.Next}
	case errors.As(err, &root):
		return &failure{exitUsage, "source", root.Spec + ": " + root.What, root.Next}
	case errors.As(err, &query):
		return &failure{exitUsage, "usage", err.Error(), "hansard search --help explains queries"}
	case errors.As(err, &locked):
		return &failure{exitLocked, "locked", err.Error(), "try again when it is done"}
	case errors.Is(err, corpus.ErrNoCorpus):
		return &failure{exitNone, "no-corpus", "there is no index yet", "run: hansard index"}
	case errors.As(err, &damage) && errors.Is(err, fs.ErrPermission):
		return &failure{exitDamaged, "damaged", err.Error(), "it may be whole: give back the right to read it"}
	case errors.As(err, &damage):
		return &failure{exitDamaged, "damaged", err.Error(), "look closer: hansard check; repair: hansard repair"}
	case errors.Is(err, corpus.ErrNewer):
		return &failure{exitDamaged, "damaged", "the index was written by a newer hansard", "install that one, or use another HANSARD_DATA_DIR"}
	case errors.Is(err, corpus.ErrNotFound):
		return &failure{exitNothing, "not-found", err.Error(), "hansard search and hansard sessions print ids"}
	case errors.As(err, &path) && errors.Is(err, syscall.ENOSPC): // whatever was to be written
		return &failure{exitFailed, "internal", path.Error(), "make room; what was published stays. HANSARD_DATA_DIR says where indexes are kept"}
	case errors.As(err, &path):
		return &failure{exitFailed, "internal", err.Error(), "see whether it is there, may be read and written, and has room; HANSARD_DATA_DIR says where indexes are kept"}
	case errors.Is(err, context.Canceled):
		return &failure{exitStopped, "internal", command + " was interrupted", "what was published stays; run it again"}
	}
	return &failure{exitFailed, "internal", err.Error(), "if the message does not help, please report it"}
}
