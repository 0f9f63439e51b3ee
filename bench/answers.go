package main

import (
	"fmt"
	"time"
)

// answerers are what is asked for the ten best turns of the data set.
var answerers = []struct{ name, engine, action, label string }{
	{"session", "hansard", "sessions", "hansard, by session"},
	{"turn", "hansard", "query", "hansard, by turn"},
	{"arrays", "arrays", "query", "arrays in memory"},
	{"fts5", "fts5", "query", "SQLite FTS5"},
	{"bleve", "bleve", "query", "bleve"},
	{"linear", "linear", "query", "linear scan"},
}

// inProcess compares the answers to the same queries, asked first and again.
func (m *measurement) inProcess() error {
	var rows [][]string
	for _, a := range answerers {
		if !m.o.has(a.engine) || m.unfinished(a.engine) != "" && m.first[a.engine].Found["turns"] == 0 {
			continue
		}
		c, err := spawn(a.engine, a.action, m.d.dir, m.o.budget)
		if err != nil && a.engine != "hansard" {
			say("%s: asking: %v", a.engine, err)
			continue
		} else if err != nil {
			return err
		}
		m.answered[a.name] = c
		label := a.label + m.unfinished(a.engine)
		if open := c.Times["open"]; len(open) > 0 {
			rows = append(rows, []string{label, "open and first answer", "1", short(open[0]), "", "", "", "", "", "", "", ""})
		}
		for _, class := range classes {
			first, t := c.Times[class], c.Times[again(class)]
			rows = append(rows, []string{label, class, fmt.Sprint(len(t)), short(quantile(first, .5)), short(quantile(first, .99)),
				short(quantile(t, .5)), short(quantile(t, .99)), short(quantile(t, 1)), ratio(quantile(t, .5), m.answer("session", class, .5)),
				fmt.Sprintf("%.1f", float64(c.Found[class])/float64(max(1, len(first)))), size(c.Peak), size(c.Own)})
		}
	}
	table(m.out, []string{"10 best", "words", "queries", "p50, first asked", "p99", "p50, again", "p99", "slowest", "p50 / hansard's by session", "rows", "peak resident", "of its own"}, rows)
	return nil
}

// answer is the time that the part q of an answerer's warm answers did not exceed.
func (m *measurement) answer(name, class string, q float64) time.Duration {
	return quantile(m.answered[name].Times[again(class)], q)
}

// add measures adding turns in one process, at this size.
func (m *measurement) add() error {
	var rows [][]string
	for _, e := range append([]struct{ name, label string }{{"hansard", "hansard"}}, others...) {
		if !m.o.has(e.name) || m.unfinished(e.name) != "" {
			continue
		}
		c, err := spawn(e.name, "add", m.d.dir, m.o.budget)
		if err != nil && e.name != "hansard" {
			say("%s: adding: %v", e.name, err)
			continue
		} else if err != nil {
			return err
		}
		m.added[e.name] = c
		t, last := c.Times["add"], "-"
		if e.name == "hansard" {
			last = short(c.Times["close"][0])
		}
		rows = append(rows, []string{e.label, fmt.Sprint(len(t)), short(quantile(t, .5)), short(quantile(t, .99)), short(quantile(t, 1)), short(mean(t)),
			last, size(c.Peak), size(c.Own), size(c.Written)})
	}
	table(m.out, []string{"adding, a turn at a time", "turns", "p50", "p99", "slowest", "mean", "last flush", "peak resident", "of its own", "written"}, rows)
	return nil
}
