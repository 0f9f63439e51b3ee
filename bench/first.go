package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// firstRounds is how often a first index is made; the fastest counts, since
// what else runs on the machine only adds.
const firstRounds = 3

// manyTurns is above what a first index is made once only, and those of other
// engines are kept: it takes minutes.
const manyTurns = 300_000

// firstIndex compares what a first look at everything takes. wc is warmed by a
// run of its own; engines that cannot read transcripts get turns ready cut.
func (m *measurement) firstIndex() error {
	child := func(engine, action string) func() (cost, error) {
		return func() (cost, error) { return spawn(engine, action, m.d.dir, m.o.budget) }
	}
	runs := []struct {
		engine, label string
		rounds        int
		do            func() (cost, error)
	}{
		{"wc", "`wc -l`", 1 + firstRounds, m.wc},
		{"read", "lines counted in Go", firstRounds, child("read", "lines")},
		{"json", "read as JSON, all processors", firstRounds, child("read", "json")},
		{"hansard", "hansard index", firstRounds, m.kept("hansard", m.o.keep, m.p.first)},
		{"memory", "hansard, from memory (ready cut)", 1, child("hansard", "memory")},
		{"fts5", "SQLite FTS5 (ready cut)", 1, m.kept("fts5", m.o.keep || m.d.Turns > manyTurns, child("fts5", "load"))},
		{"bleve", "bleve (ready cut)", 1, m.kept("bleve", m.o.keep || m.d.Turns > manyTurns, child("bleve", "load"))},
	}
	if m.d.Kind == found {
		runs = runs[:4]
	}
	var rows [][]string
	for _, r := range runs {
		if !m.o.has(r.engine) || r.engine == "memory" && m.d.Turns > manyTurns {
			continue
		}
		if m.d.Turns > manyTurns && r.engine == "hansard" {
			r.rounds = 1
		}
		best, err := fastest(r.rounds, r.do)
		if err != nil {
			return err
		}
		m.first[r.engine] = best
		rows = append(rows, m.firstRow(r.engine, r.label))
	}
	table(m.out, []string{"first index", "wall", "CPU", "wall / wc's", "CPU / wc's", "text", "peak resident", "of its own", "read", "written"}, rows)
	return nil
}

func (m *measurement) firstRow(engine, label string) []string {
	c, wc := m.first[engine], m.first["wc"]
	rate := "-"
	if m.d.Text > 0 {
		rate = m.rate(engine)
	}
	label += m.unfinished(engine)
	if c.Earlier {
		label += ", made earlier"
	}
	return []string{label, short(c.Wall), short(c.CPU), ratio(c.Wall, wc.Wall), ratio(c.CPU, wc.CPU), rate,
		size(c.Peak), size(c.Own), size(c.Read), size(c.Written)}
}

// mbs is how many megabytes of text an engine indexed a second.
func (m *measurement) mbs(engine string) float64 {
	c := m.first[engine]
	text := float64(m.d.Text)
	if n, ok := c.Found["turns"]; ok {
		text *= float64(n) / float64(m.d.Turns)
	}
	return text / 1e6 / max(c.Wall.Seconds(), 1e-9)
}

// rate is empty where nothing was measured, or not in this run: clocks do not
// compare between runs.
func (m *measurement) rate(engine string) string {
	if c := m.first[engine]; c.Wall == 0 || c.Earlier {
		return ""
	}
	return fmt.Sprintf("%.0f MB/s", m.mbs(engine))
}

func fastest(rounds int, do func() (cost, error)) (best cost, err error) {
	for i := range rounds {
		c, err := do()
		if err != nil {
			return c, err
		}
		if i == 0 || c.Wall < best.Wall {
			best = c
		}
		if c.Earlier {
			break
		}
	}
	return best, nil
}

// kept makes an index anew and notes what it took, or takes the one that is there
// with its note, if that is wanted. A child that was killed leaves no note.
func (m *measurement) kept(engine string, keep bool, do func() (cost, error)) func() (cost, error) {
	return func() (c cost, err error) {
		if b, err := os.ReadFile(m.d.note(engine)); keep && err == nil {
			err = json.Unmarshal(b, &c)
			c.Earlier = true
			return c, err
		}
		for _, path := range []string{m.d.note(engine), m.d.index(engine)} {
			if err := os.RemoveAll(path); err != nil {
				return c, err
			}
		}
		if c, err = do(); err != nil && engine != "hansard" {
			say("%s: loading: %v", engine, err)
			c.Found = map[string]int{"turns": 0}
			return c, nil
		} else if err != nil {
			return c, err
		}
		b, err := json.Marshal(c)
		if err != nil {
			return c, err
		}
		return c, os.WriteFile(m.d.note(engine), b, 0o600)
	}
}

// wc counts the lines of the same files with the program that everybody knows.
func (m *measurement) wc() (cost, error) {
	paths, err := files(m.d)
	if err != nil {
		return cost{}, err
	}
	list := filepath.Join(m.o.dir, "files0")
	if err := os.WriteFile(list, []byte(strings.Join(paths, "\x00")), 0o600); err != nil {
		return cost{}, err
	}
	return measure(exec.Command("wc", "-l", "--files0-from="+list))
}
