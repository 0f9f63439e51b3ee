// Package samples holds a few invented sessions, so that a newcomer sees what
// searching is like before owning a transcript, and examples have something to
// find.
//
// They are written as the agents write theirs: claude/projects is a folder of
// Claude Code, pi/sessions one of pi. All of it is made up. The package reads no
// formats itself; the usual sources do, once the files are on a disk.
package samples

import (
	"bytes"
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

//go:embed claude pi
var files embed.FS

// The folders in which Lay puts the transcripts of each agent.
var (
	ClaudeDir = filepath.Join("claude", "projects")
	PiDir     = filepath.Join("pi", "sessions")
)

// Lay writes the samples to dir, which is made when it is missing: folders
// for their owner only (0700), files too (0600). What is there already and the
// same is left alone, so that laying twice changes nothing.
func Lay(dir string) error {
	err := fs.WalkDir(files, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		to := filepath.Join(dir, filepath.FromSlash(path))
		if d.IsDir() {
			return os.MkdirAll(to, 0o700)
		}
		want, err := files.ReadFile(path)
		if err != nil {
			return err
		}
		if got, err := os.ReadFile(to); err == nil && bytes.Equal(got, want) {
			return nil
		}
		return os.WriteFile(to, want, 0o600)
	})
	if err != nil {
		return fmt.Errorf("laying out the samples: %w", err)
	}
	return nil
}
