package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// options are what was asked for.
type options struct {
	all    bool // every row, not one data set
	kind   string
	turns  int
	corpus string

	effort
	seed    uint64
	dir     string // of data sets and indexes; kept between runs
	engines []string
	binary  string // of hansard; built when empty
	keep    bool   // indexes that are there
}

// effort is how much is measured: how many turns of which data set, how often.
type effort struct {
	real, small, large, updates int
	queries                     int           // a class, in process
	rounds                      int           // of each whole run
	budget                      time.Duration // of an engine's child
}

// Every row at its size; and the same in three minutes.
var (
	full  = effort{real: 10_000, small: 100_000, large: 1_000_000, updates: 10_000, queries: 300, rounds: 30, budget: 10 * time.Minute}
	quick = effort{real: 1000, small: 10_000, large: 50_000, updates: 1000, queries: 100, rounds: 10, budget: 20 * time.Second}
)

// has reports whether an engine is to be measured.
func (o *options) has(engine string) bool { return slices.Contains(o.engines, engine) }

const everything = "wc,read,json,hansard,memory,fts5,bleve,arrays,linear"

// parse reads flags; errs is told how they are used when they are wrong.
func parse(args []string, errs io.Writer) (*options, error) {
	o := &options{effort: full, turns: 20_000, engines: strings.Split(everything, ",")}
	if slices.Contains(args, "-quick") || slices.Contains(args, "--quick") {
		o.effort = quick // first, so that other flags change it
	}
	fs := flag.NewFlagSet("bench", flag.ContinueOnError)
	fs.SetOutput(errs)
	fs.BoolVar(&o.all, "all", false, "measure every row of the README's table at its size; without it one data set")
	fs.Bool("quick", false, "measure less: smaller sets, fewer queries, engines stopped after 20 s")
	fs.StringVar(&o.kind, "kind", "lean", "`KIND` of transcripts of the one data set: lean (text only) or real (text is 1 % of the bytes)")
	number(fs, &o.turns, "turns", "turns of the one data set")
	number(fs, &o.real, "real", "turns of the real-shaped set of -all")
	number(fs, &o.small, "small", "turns of the smaller lean set of -all")
	number(fs, &o.large, "large", "turns of the larger lean set of -all")
	number(fs, &o.updates, "updates", "one-turn updates of -all")
	fs.StringVar(&o.corpus, "corpus", "", "measure the first index of this `DIR` of Claude's transcripts: in addition to -all, or as the one data set")
	fs.IntVar(&o.queries, "queries", o.queries, "queries a class, in process, of a data set that is made")
	fs.IntVar(&o.rounds, "rounds", o.rounds, "runs of each whole-process measurement")
	fs.DurationVar(&o.budget, "budget", o.budget, "how long an engine may take to load a data set, or to answer")
	fs.Uint64Var(&o.seed, "seed", 1, "of everything invented")
	fs.StringVar(&o.dir, "dir", filepath.Join(os.TempDir(), "hansard-bench"), "folder of data sets and indexes, kept between runs")
	fs.Func("engines", "what to measure, of "+everything, func(s string) error { o.engines = strings.Split(s, ","); return nil })
	fs.BoolVar(&o.keep, "keep", false, "make no index of which an earlier run left one and a note of what it took")
	fs.StringVar(&o.binary, "hansard", "", "the program to measure; built from .. when empty")
	if err := fs.Parse(args); err != nil {
		return nil, err
	}
	if o.kind != "lean" && o.kind != "real" {
		return nil, fmt.Errorf("-kind %s: lean or real", o.kind)
	}
	return o, nil
}

// number makes a flag that reads 3000, 20k or 1M.
func number(fs *flag.FlagSet, to *int, name, usage string) {
	fs.Func(name, fmt.Sprintf("%s; 3000, 20k, 1M (default %s)", usage, count(*to)), func(s string) error {
		digits, unit := s, 1
		if k, ok := strings.CutSuffix(s, "k"); ok {
			digits, unit = k, 1e3
		} else if m, ok := strings.CutSuffix(s, "M"); ok {
			digits, unit = m, 1e6
		}
		n, err := strconv.Atoi(digits)
		if err != nil || n <= 0 {
			return fmt.Errorf("want a number above 0, with k or M behind it")
		}
		*to = n * unit
		return nil
	})
}
