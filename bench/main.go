// Command bench measures hansard beside the machine's limit and beside other
// engines: in the same run, over the same invented transcripts, each in a
// process of its own. See README.md.
//
// It is a module of its own, so that what it measures against is no dependency
// of hansard. It does not know how any engine works inside.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
)

func main() {
	if len(os.Args) > 1 && os.Args[1] == "child" {
		if err := child(os.Args[2:]); err != nil {
			fmt.Fprintln(os.Stderr, "bench child:", err)
			os.Exit(1)
		}
		return
	}
	o, err := parse(os.Args[1:], os.Stderr)
	if err == nil {
		err = run(o, os.Stdout)
	}
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(o *options, out io.Writer) error {
	if err := os.MkdirAll(o.dir, 0o700); err != nil {
		return err
	}
	bin, err := build(o)
	if err != nil {
		return err
	}
	if o.all {
		return all(o, bin, out)
	}
	d, err := one(o)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s\n\n", machine())
	_, err = over(o, d, bin, out)
	return err
}

// one is the data set that is named.
func one(o *options) (*dataset, error) {
	if o.corpus != "" {
		return there(o)
	}
	return made(o, o.kind, o.turns)
}
