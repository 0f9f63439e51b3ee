package presets

import (
	"fmt"
	"strings"
)

// A ConfigError is one thing that is wrong in the config file, in one line.
type ConfigError struct {
	File string
	Line int    // counted from 1; 0: there is no such file, and nothing is wrong in it
	Key  string // path of the key, as in presets.work.since
	What string // what is wrong
	Next string // what to do about it
}

func (e *ConfigError) Error() string { return e.Problem() + "; " + e.Next }

// Problem is the error without what to do about it.
func (e *ConfigError) Problem() string {
	if e.Line == 0 {
		return e.What
	}
	return fmt.Sprintf("%s:%d: %s: %s", e.File, e.Line, e.Key, e.What)
}

// A RootError is a folder of transcripts, named on the command line, that is
// not there or of a kind that nobody knows.
type RootError struct {
	Spec string // as it was typed
	What string
	Next string
}

func (e *RootError) Error() string { return fmt.Sprintf("%s: %s; %s", e.Spec, e.What, e.Next) }

// A place is where something stands in the config file.
type place struct {
	file string
	line int
	key  string
}

func (p place) err(what, next string) error {
	return &ConfigError{File: p.file, Line: p.line, Key: p.key, What: what, Next: next}
}

// String is the beginning of a warning.
func (p place) String() string { return fmt.Sprintf("%s:%d: %s", p.file, p.line, p.key) }

func oneOf(names []string) string { return "use one of " + strings.Join(names, ", ") }
