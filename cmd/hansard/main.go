// Command hansard finds what was asked and answered in the transcripts of
// coding agents.
//
// It only says things: what it says comes from the packages it is made of. It
// knows no transcript format, no index, and is the one package that exits, looks
// at the environment and at the clock.
package main

// For who reads the code: each command is a file of its name, with its help on top, and
// makes pages, which a printer shows to people or to programs. Beside them are
//
//	main run order flags failure       a command line, from the shell to the exit code
//	world desk collector huge umask    what the program sees, where it works, its memory
//	reading early samples shelf        a corpus that is open to be asked, brought up to date
//	printer screen fields progress     how pages are shown
//	answer mark                        the page of search
//	clean escape wrap                  text that may reach a terminal, and fits it
//	synopsis                           what maintain has written about sessions

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"
)

func main() {
	tuneCollector(os.Getenv, os.Args)
	os.Exit(run(interruptible(), process(), os.Args[1:]))
}

// unheard is how long the program does not listen for signals: listening takes three
// threads, which most runs end without.
const unheard = 50 * time.Millisecond

// interruptible is done when the program is asked to end. A signal that comes before
// it listens ends the process itself.
func interruptible() context.Context {
	ctx, stop := context.WithCancel(context.Background())
	go func() {
		time.Sleep(unheard)
		asked := make(chan os.Signal, 1)
		signal.Notify(asked, os.Interrupt, syscall.SIGTERM)
		<-asked
		stop()
	}()
	return ctx
}
