package main

import (
	"fmt"
	"os/exec"
	"time"
)

// spent is what some whole runs of a program took; last is one more, of which memory
// was measured as well.
type spent struct {
	wall, cpu []time.Duration
	last      cost
}

func (s spent) median() time.Duration { return quantile(s.wall, .5) }

func repeat(rounds int, do func(i int, by measuring) (cost, error)) (s spent, err error) {
	for i := range rounds {
		c, err := do(i, clock)
		if err != nil {
			return s, err
		}
		s.wall, s.cpu = append(s.wall, c.Wall), append(s.cpu, c.CPU)
	}
	s.last, err = do(rounds, measure)
	return s, err
}

// process measures whole runs of the program, as hooks and people start it,
// after what no run can do without.
func (m *measurement) process() (err error) {
	if !m.o.has("hansard") {
		return nil
	}
	if m.floor, err = spawn("limit", "floor", m.d.dir, m.o.budget); err != nil {
		return err
	}
	search := func(class string, flags ...string) func(int, measuring) (cost, error) {
		return func(i int, by measuring) (cost, error) {
			qs := m.d.Queries[class]
			return m.p.run(by, append(append([]string{"search", "--json"}, flags...), qs[i%len(qs)]...)...)
		}
	}
	steps := []struct {
		name, label string
		do          func(i int, by measuring) (cost, error)
	}{
		{"true", "`true`: starting any process", func(_ int, by measuring) (cost, error) { return by(exec.Command("true")) }},
		{"start", "`hansard presets`: starting", func(_ int, by measuring) (cost, error) { return m.p.run(by, "presets") }},
		{"nothing", "index, nothing new", func(_ int, by measuring) (cost, error) { return m.p.run(by, "index", "--json") }},
		{"rare", "search with refresh, rare words", search("rare")},
		{"common", "search with refresh, common words", search("common")},
		{"cold", "search --no-refresh, mixed words: open and first answer", search("mixed", "--no-refresh")},
		{"turn", "one new turn, until it is found", m.p.grow},
	}
	rows := m.floorRows()
	for _, step := range steps {
		s, err := repeat(m.o.rounds, step.do)
		if err != nil {
			return err
		}
		m.spent[step.name] = s
		rows = append(rows, []string{step.label, short(quantile(s.wall, 0)), short(s.median()), short(quantile(s.wall, .99)),
			short(quantile(s.cpu, .5)), size(s.last.Peak), size(s.last.Own), size(s.last.Read), size(s.last.Written)})
	}
	table(m.out, []string{fmt.Sprintf("whole process, %d transcripts", m.d.Files), "fastest", "median", "p99", "CPU, median",
		"peak resident", "of its own", "read", "written"}, rows)
	return nil
}

func (m *measurement) floorRows() (rows [][]string) {
	for _, f := range []struct{ name, label string }{{"stat", "(in process) stat of every transcript"}, {"sync", "(in process) one small file on the disk"}} {
		t := m.floor.Times[f.name]
		rows = append(rows, []string{f.label, short(quantile(t, 0)), short(quantile(t, .5)), short(quantile(t, .99)), "", "", "", "", ""})
	}
	return rows
}
