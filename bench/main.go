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
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// options are what was asked for.
type options struct {
	kind    string
	turns   int
	seed    uint64
	dir     string // of data sets and indexes; kept between runs
	engines []string
	queries int
	rounds  int // of each whole-process measurement
	corpus  string
	binary  string // of hansard; built when empty
	keep    bool   // indexes that are there
}

func (o *options) has(engine string) bool { return slices.Contains(o.engines, engine) }

func main() {
	if len(os.Args) > 1 && os.Args[1] == "child" {
		if err := child(os.Args[2:]); err != nil {
			fmt.Fprintln(os.Stderr, "bench child:", err)
			os.Exit(1)
		}
		return
	}
	o, err := parse(os.Args[1:])
	if err == nil {
		err = run(o, os.Stdout)
	}
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func parse(args []string) (*options, error) {
	o := &options{}
	fs := flag.NewFlagSet("bench", flag.ContinueOnError)
	fs.StringVar(&o.kind, "kind", "lean", "`KIND` of transcripts: lean (text only) or real (text is 1 % of the bytes)")
	turns := fs.String("turns", "20k", "how many turn pairs: 3000, 20k, 1M")
	fs.Uint64Var(&o.seed, "seed", 1, "of everything invented")
	fs.StringVar(&o.dir, "dir", filepath.Join(os.TempDir(), "hansard-bench"), "folder of data sets and indexes, kept between runs")
	engines := fs.String("engines", "wc,json,hansard,fts5,bleve,linear", "what to measure")
	fs.IntVar(&o.queries, "queries", 300, "queries a class, in process")
	fs.IntVar(&o.rounds, "rounds", 30, "runs of each whole-process measurement")
	fs.StringVar(&o.corpus, "corpus", "", "measure wc, json and the first index over this `DIR` of Claude transcripts instead of invented ones")
	fs.BoolVar(&o.keep, "keep", false, "make no first index: measure over the indexes of an earlier run")
	fs.StringVar(&o.binary, "hansard", "", "the program to measure; built from .. when empty")
	if err := fs.Parse(args); err != nil {
		return nil, err
	}
	o.engines = strings.Split(*engines, ",")
	var err error
	if o.turns, err = number(*turns); err != nil {
		return nil, err
	}
	if o.kind != "lean" && o.kind != "real" {
		return nil, fmt.Errorf("-kind %s: lean or real", o.kind)
	}
	return o, nil
}

// number reads 3000, 20k or 1M.
func number(s string) (int, error) {
	unit := 1
	switch {
	case strings.HasSuffix(s, "k"):
		unit = 1e3
	case strings.HasSuffix(s, "M"):
		unit = 1e6
	}
	n, err := strconv.Atoi(strings.TrimRight(s, "kM"))
	if err != nil || n <= 0 {
		return 0, fmt.Errorf("-turns %s: a number above 0, with k or M behind it", s)
	}
	return n * unit, nil
}
