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
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, process(), os.Args[1:]))
}
