// Command hansard finds what was asked and answered in the transcripts of
// coding agents.
//
// It only says things: what it says comes from the packages it is made of. It
// knows no transcript format, no index, and is the one package that exits, looks
// at the environment and at the clock.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	tuneMemory(os.Getenv, os.Args)
	os.Exit(run(interruptible(), process(), os.Args[1:]))
}

// interruptible is done when the program is asked to end. It begins to listen
// beside what comes next, as that starts a thread and waits for it twice; a signal
// that comes before ends the process itself.
func interruptible() context.Context {
	ctx, stop := context.WithCancel(context.Background())
	go func() {
		asked := make(chan os.Signal, 1)
		signal.Notify(asked, os.Interrupt, syscall.SIGTERM)
		<-asked
		stop()
	}()
	return ctx
}
