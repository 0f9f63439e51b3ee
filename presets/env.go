package presets

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/hansard-search/hansard/corpus"
)

// An Env is what the world says: all that this package knows of the machine.
// Getenv and Now must be set.
type Env struct {
	Home   string // the user's folder, "" when there is none
	Dir    string // relative paths start here, "" is the working folder
	Getenv func(string) string
	Now    func() time.Time
}

// DataDir is the folder that holds the corpora, a folder each.
func (e Env) DataDir() (string, error) {
	return e.folder("HANSARD_DATA_DIR", "XDG_DATA_HOME", ".local", "share")
}

// ConfigFile is where the config file is, if there is one.
func (e Env) ConfigFile() (string, error) {
	dir, err := e.folder("HANSARD_CONFIG_DIR", "XDG_CONFIG_HOME", ".config")
	return filepath.Join(dir, "config.jsonc"), err
}

func (e Env) folder(own, xdg string, home ...string) (string, error) {
	if d := e.Getenv(own); d != "" {
		return e.Expand(d), nil
	}
	if d := e.Getenv(xdg); filepath.IsAbs(d) { // the standard says: ignore relative ones
		return filepath.Join(d, "hansard"), nil
	}
	if e.Home == "" {
		return "", errors.New("no home folder is known: set " + own)
	}
	return filepath.Join(append(append([]string{e.Home}, home...), "hansard")...), nil
}

// Expand makes a path absolute; ~ is the home folder. One that begins with a
// drive is absolute on the system it comes from, as transcripts may.
func (e Env) Expand(path string) string { return e.expandIn(e.Dir, path) }

// ExpandIfPath is Expand for what can only be a path, see corpus.LocalPath; names of
// projects and files stay as they are.
func (e Env) ExpandIfPath(s string) string {
	if corpus.LocalPath(s) {
		return e.Expand(s)
	}
	return s
}

func (e Env) expandIn(dir, path string) string {
	if path == "~" || strings.HasPrefix(path, "~/") || strings.HasPrefix(path, `~\`) {
		return filepath.Join(e.Home, path[1:])
	}
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	if onDrive(path) {
		return path
	}
	if abs, err := filepath.Abs(filepath.Join(dir, path)); err == nil {
		return abs
	}
	return filepath.Join(dir, path)
}

// onDrive holds for C:\a and C:/a.
func onDrive(path string) bool {
	return len(path) > 2 && path[1] == ':' && (path[2] == '\\' || path[2] == '/') && 'a' <= path[0]|0x20 && path[0]|0x20 <= 'z'
}

func isDir(path string) bool {
	st, err := os.Stat(path)
	return err == nil && st.IsDir()
}
