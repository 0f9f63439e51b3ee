package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"time"
)

// A job is what a child is told to do.
type job struct {
	*dataset
	ends time.Time // the budget is spent then
}

// errBudget ends what takes an engine longer than it was given.
var errBudget = errors.New("the budget is spent")

// spawn runs this program as a child: an engine, what it shall do, the folder of
// a data set, and how long it may take.
func spawn(engine, action, dir string, budget time.Duration) (cost, error) {
	self, err := os.Executable()
	if err != nil {
		return cost{}, err
	}
	ctx, done := within(budget)
	defer done()
	c, err := measure(exec.CommandContext(ctx, self, "child", engine, action, dir, budget.String()))
	if ctx.Err() != nil {
		return c, errBudget
	}
	if err != nil {
		return c, err
	}
	return c, json.Unmarshal(c.out, &c.result)
}

var actions = map[string]func(*job, *result) error{
	"read lines": countLines, "read json": parseLines, "limit floor": floor,
	"linear query": linearQuery, "arrays query": arraysQuery,
	"fts5 load": ftsLoad, "fts5 query": ftsQuery, "fts5 add": ftsAdd, "fts5 updates": ftsUpdates,
	"bleve load": bleveLoad, "bleve query": bleveQuery, "bleve add": bleveAdd,
	"hansard query": hansardTurns, "hansard sessions": hansardSessions,
	"hansard add": hansardAdd, "hansard updates": hansardUpdates, "hansard memory": hansardMemory,
}

// child does what spawn asked for, and prints its result.
func child(args []string) error {
	if len(args) != 4 {
		return fmt.Errorf("child: want an engine, an action, a folder and a budget")
	}
	budget, err := time.ParseDuration(args[3])
	if err != nil {
		return err
	}
	debug.SetGCPercent(200) // as hansard's program does, for all engines
	j := &job{dataset: &dataset{dir: args[2]}, ends: time.Now().Add(budget)}
	if b, err := os.ReadFile(filepath.Join(j.dir, "about.json")); err == nil {
		if err := json.Unmarshal(b, j.dataset); err != nil {
			return err
		}
	}
	do := actions[args[0]+" "+args[1]]
	if do == nil {
		return fmt.Errorf("child: nothing known of %s %s", args[0], args[1])
	}
	r := result{Times: map[string][]time.Duration{}, Found: map[string]int{}}
	if err := do(j, &r); err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(r)
}

// again is the class of queries that were asked before.
func again(class string) string { return class + ", again" }

// ask times every query of a class, and then every one again: the pages that it
// reads are mapped by then, and other queries came between. Each class has a third
// of the budget, and three queries whatever it is.
func (j *job) ask(r *result, limit int, search func(q []string) (rows int, err error)) error {
	share := time.Until(j.ends) / time.Duration(len(classes))
	for _, class := range classes {
		qs := j.Queries[class][:min(limit, len(j.Queries[class]))]
		ends := time.Now().Add(share / 2)
		for _, round := range []string{class, again(class)} {
			for i, q := range qs {
				began := time.Now()
				if i >= 3 && began.After(ends) {
					qs = qs[:i]
					break
				}
				n, err := search(q)
				if err != nil {
					return err
				}
				r.Times[round] = append(r.Times[round], time.Since(began))
				r.Found[round] += n
			}
			ends = ends.Add(share / 2)
		}
	}
	return nil
}

// load gives the turns of the data set to an engine until the budget is spent,
// and notes how many it took. Every batch it asks whether to end.
func (j *job) load(r *result, take func(p pair) error) error {
	err := eachPair(j.dataset, func(p pair) error {
		if r.Found["turns"]%batch == 0 && time.Now().After(j.ends) {
			return errBudget
		}
		r.Found["turns"]++
		return take(p)
	})
	if errors.Is(err, errBudget) {
		return nil
	}
	return err
}

// eachPair reads the turns of a data set.
func eachPair(d *dataset, f func(p pair) error) error {
	in, err := os.Open(d.pairs())
	if err != nil {
		return err
	}
	defer in.Close()
	dec := json.NewDecoder(in)
	for {
		var p pair
		if err := dec.Decode(&p); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if err := f(p); err != nil {
			return err
		}
	}
}
