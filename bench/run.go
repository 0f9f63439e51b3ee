package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/hansard-search/hansard/corpus"
)

// A measurement is one run over one data set, and what it found so far: costs by
// engine, whole runs of the program by what they were for.
type measurement struct {
	o   *options
	d   *dataset
	p   *program
	out io.Writer

	first    map[string]cost
	disk     map[string]int64 // bytes by engine
	parts    []corpus.DiskPart
	floor    cost
	spent    map[string]spent
	answered map[string]cost
	added    map[string]cost
}

// over measures all there is to measure over a data set, and writes tables. A step
// that fails is told of at the end; it may be the last of 20 minutes.
func over(o *options, d *dataset, bin string, out io.Writer) (*measurement, error) {
	m := &measurement{o: o, d: d, p: &program{path: bin, data: d}, out: out,
		first: make(map[string]cost), disk: make(map[string]int64), spent: make(map[string]spent), answered: make(map[string]cost), added: make(map[string]cost)}
	fmt.Fprintf(out, "### %s\n\n%s\n\n", d.title(), d.describe())
	steps := []struct {
		name string
		do   func() error
	}{{"first index", m.firstIndex}, {"disk", m.onDisk}, {"whole runs", m.process}, {"queries", m.inProcess}, {"adding", m.add}}
	if d.Kind == found {
		steps = steps[:2]
	}
	var failed error
	for _, step := range steps {
		say("%s: %s", d.title(), step.name)
		if err := step.do(); err != nil {
			failed = errors.Join(failed, fmt.Errorf("%s: %s: %w", d.title(), step.name, err))
		}
	}
	return m, failed
}

// say tells whoever waits what is being done.
func say(format string, args ...any) {
	fmt.Fprintln(os.Stderr, time.Now().Format(time.TimeOnly), fmt.Sprintf(format, args...))
}

// others are the engines that hansard is measured beside.
var others = []struct{ name, label string }{{"fts5", "FTS5"}, {"bleve", "bleve"}}

// beside is what the other engines have for a row of the summary.
func (m *measurement) beside(cell func(engine string) string) string {
	var cells []string
	for _, e := range others {
		if c := cell(e.name); c != "" {
			cells = append(cells, e.label+" "+c+m.unfinished(e.name))
		}
	}
	return strings.Join(cells, ", ")
}

// unfinished says how far an engine came that did not index all within its budget.
func (m *measurement) unfinished(engine string) string {
	c := m.first[engine]
	if n, ok := c.Found["turns"]; ok && n < m.d.Turns {
		return fmt.Sprintf(" (%s of the turns in %s)", count(n), short(c.Wall))
	}
	return ""
}

// index is where an engine keeps its index of the data set, and note what making
// it took.
func (d *dataset) index(engine string) string { return filepath.Join(d.dir, "index-"+engine) }
func (d *dataset) note(engine string) string  { return d.index(engine) + ".json" }
