package main

import (
	"io"
	"os"
	"time"

	"golang.org/x/term"

	"github.com/hansard-search/hansard/presets"
)

// A world is all that the program sees and can speak to.
type world struct {
	presets.Env
	in       io.Reader // nil: nobody speaks to it
	out, err io.Writer
	outWidth int // columns of the terminal that out is; 0: out is none
	errWidth int // the same of err
}

// process is the world of the running process. What it writes is for the
// user's eyes only, whatever the umask was.
func process() world {
	private()
	home, _ := os.UserHomeDir() // "" is a case of its own in presets.Env
	dir, _ := os.Getwd()        // only relative paths on the command line need it
	return world{
		Env: presets.Env{Home: home, Dir: dir, Getenv: os.Getenv, Now: time.Now},
		in:  os.Stdin, out: os.Stdout, err: os.Stderr,
		outWidth: columns(os.Stdout), errWidth: columns(os.Stderr),
	}
}

func columns(f *os.File) int {
	fd := int(f.Fd())
	if !term.IsTerminal(fd) {
		return 0
	}
	if w, _, err := term.GetSize(fd); err == nil && w > 0 {
		return w
	}
	return 80 // a terminal that does not know its size
}

// color says whether a writer with so many columns gets colours.
func (w world) color(columns int) bool {
	return columns > 0 && w.Getenv("NO_COLOR") == "" && w.Getenv("TERM") != "dumb"
}
