package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// all measures every row of the summary at its size, prints the summary, and
// writes what it was taken from to a file.
func all(o *options, bin string, out io.Writer) error {
	path := filepath.Join(o.dir, "details.md")
	details, err := os.Create(path)
	if err != nil {
		return err
	}
	defer details.Close()
	about := machine()
	fmt.Fprintf(details, "%s\n\n", about)
	var rows []row
	var failed error
	for _, s := range o.sets() {
		d, err := s.set()
		if err != nil {
			return err
		}
		m, err := over(o, d, bin, details)
		failed = errors.Join(failed, err)
		rows = append(rows, s.rows(m)...)
	}
	say("one-turn updates")
	grown, err := grow(o, bin)
	failed = errors.Join(failed, err)
	head, cells := updatesTable(grown)
	table(details, head, cells)
	rows = append(rows, updateRows(grown)...)
	fmt.Fprintf(out, "%s\n\n", about)
	head, cells = printRows(rows)
	table(out, head, cells)
	say("the tables by data set are in %s", path)
	return errors.Join(failed, details.Close())
}

// A plan is a data set and the rows of the summary that are measured over it.
type plan struct {
	set  func() (*dataset, error)
	rows func(m *measurement) []row
}

func (o *options) sets() (plans []plan) {
	if o.corpus != "" {
		plans = append(plans, plan{func() (*dataset, error) { return there(o) }, (*measurement).firstRows})
	}
	made := func(kind string, turns int) func() (*dataset, error) {
		return func() (*dataset, error) { return made(o, kind, turns) }
	}
	return append(plans,
		plan{made("real", o.real), func(m *measurement) []row {
			return append(m.firstRows(), m.runRows("rare", "common", "turn")...)
		}},
		plan{made("lean", o.small), func(m *measurement) (rows []row) {
			rows = append(m.leanRow(), m.runRows("nothing", "turn")...)
			rows = append(rows, m.answerRow("session", .99, 2)...)
			return append(rows, m.answerRow("turn", .99, 2)...)
		}},
		plan{made("lean", o.large), func(m *measurement) (rows []row) {
			for _, by := range []string{"session", "turn"} {
				rows = append(rows, m.answerRow(by, .5, 2)...)
				rows = append(rows, m.timesRow(by)...)
				rows = append(rows, m.answerRow(by, .99, 8)...)
			}
			rows = append(rows, m.runRows("cold")...)
			rows = append(rows, m.addRow()...)
			return append(append(rows, m.leanRow()...), m.sizeRows()...)
		}})
}
