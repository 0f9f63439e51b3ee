package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// run measures what o asks for and writes tables.
func run(o *options, out io.Writer) error {
	if err := os.MkdirAll(o.dir, 0o700); err != nil {
		return err
	}
	bin, err := build(o)
	if err != nil {
		return err
	}
	d, err := set(o)
	if err != nil {
		return err
	}
	m := &measurement{o: o, d: d, p: &program{path: bin, data: d}, out: out}
	fmt.Fprintf(out, "%s: %d turns in %d transcripts, %s, of which %s prompts and answers. %s\n\n",
		name(o), d.Turns, d.Files, size(d.Bytes), size(d.Text), machine())
	steps := []func() error{m.firstIndex, m.onDisk, m.process, m.inProcess, m.add}
	if o.corpus != "" {
		steps = steps[:2]
	}
	if o.keep {
		steps = steps[1:]
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

func name(o *options) string {
	if o.corpus != "" {
		return "transcripts found"
	}
	return o.kind
}

// set is the data set that o names: an invented one, or transcripts that are there.
func set(o *options) (*dataset, error) {
	if o.corpus == "" {
		return made(o)
	}
	d := &dataset{dir: filepath.Join(o.dir, "found")}
	if err := os.MkdirAll(d.dir, 0o700); err != nil {
		return nil, err
	}
	os.Remove(d.claude())
	if err := os.Symlink(o.corpus, d.claude()); err != nil {
		return nil, err
	}
	paths, err := files(&dataset{dir: o.corpus})
	for _, p := range paths {
		if info, err := os.Stat(p); err == nil {
			d.Files++
			d.Bytes += info.Size()
		}
	}
	return d, err
}

// A measurement is one run over one data set.
type measurement struct {
	o   *options
	d   *dataset
	p   *program
	out io.Writer
}

// table writes rows of cells under a head.
func (m *measurement) table(head []string, rows [][]string) {
	line := func(cells []string) { fmt.Fprintf(m.out, "| %s |\n", strings.Join(cells, " | ")) }
	line(head)
	fmt.Fprintf(m.out, "|%s\n", strings.Repeat("---|", len(head)))
	for _, r := range rows {
		line(r)
	}
	fmt.Fprintln(m.out)
}

// firstRounds is how often a first index is made; the fastest counts, since
// what else runs on the machine only adds.
const firstRounds = 3

// manyTurns is above what a first index is made once only: it takes minutes.
const manyTurns = 300_000

// firstIndex compares what a first look at everything takes. wc is warmed by a
// run of its own; engines that cannot read transcripts get turns ready cut.
func (m *measurement) firstIndex() error {
	runs := []struct {
		engine, label string
		rounds        int
		do            func() (cost, error)
	}{
		{"wc", "`wc -l`", firstRounds, m.wc},
		{"wc", "lines counted in Go", firstRounds, func() (cost, error) { return spawn("wc", "read", m.target()) }},
		{"json", "read as JSON, all processors", firstRounds, func() (cost, error) { return spawn("json", "read", m.target()) }},
		{"hansard", "hansard index", firstRounds, m.p.first},
		{"hansard", "hansard, from memory (ready cut)", 1, func() (cost, error) { return spawn("hansard", "memory", m.d.dir) }},
		{"fts5", "SQLite FTS5 (ready cut)", 1, func() (cost, error) { return m.load("fts5") }},
		{"bleve", "bleve (ready cut)", 1, func() (cost, error) { return m.load("bleve") }},
	}
	if m.o.corpus != "" {
		runs = runs[:4]
	}
	var rows [][]string
	var wc cost
	for _, r := range runs {
		if !m.o.has(r.engine) {
			continue
		}
		if m.d.Turns > manyTurns {
			r.rounds = 1
		}
		best, err := fastest(r.rounds, r.do)
		if err != nil {
			return err
		}
		if wc.Wall == 0 {
			wc = best
		}
		text := "-"
		if m.d.Text > 0 {
			text = fmt.Sprintf("%.0f MB/s", float64(m.d.Text)/1e6/best.Wall.Seconds())
		}
		rows = append(rows, []string{r.label, short(best.Wall), short(best.CPU), ratio(best.Wall, wc.Wall), ratio(best.CPU, wc.CPU), text, size(best.Peak), size(best.Written)})
	}
	m.table([]string{"first index", "wall", "CPU", "wall / first row", "CPU / first row", "text", "peak resident", "written"}, rows)
	return nil
}

// target is the folder whose transcripts are counted.
func (m *measurement) target() string {
	if m.o.corpus != "" {
		return m.o.corpus
	}
	return m.d.dir
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
	}
	return best, nil
}

// wc counts the lines of the same files with the program that everybody knows.
func (m *measurement) wc() (cost, error) {
	paths, err := files(&dataset{dir: m.target()})
	if err != nil {
		return cost{}, err
	}
	list := filepath.Join(m.o.dir, "files0")
	if err := os.WriteFile(list, []byte(strings.Join(paths, "\x00")), 0o600); err != nil {
		return cost{}, err
	}
	return measure(exec.Command("wc", "-l", "--files0-from="+list))
}

func (m *measurement) load(engine string) (cost, error) {
	if err := os.RemoveAll(m.d.index(engine)); err != nil {
		return cost{}, err
	}
	return spawn(engine, "load", m.d.dir)
}

// onDisk compares what indexes take on the disk.
func (m *measurement) onDisk() error {
	var rows [][]string
	add := func(label, path string) {
		if n := onDisk(path); n > 0 {
			rows = append(rows, []string{label, size(n), ratio(n, m.d.Text), ratio(n, m.d.Bytes)})
		}
	}
	home := folder(m.d)
	add("hansard, all", home)
	add("- shards (text, postings, dictionaries, tables)", filepath.Join(home, "shards"))
	add("- ledger", filepath.Join(home, "ledger"))
	tables, _ := filepath.Glob(filepath.Join(home, "TRANSCRIPTS*"))
	for _, t := range tables {
		add("- table of transcripts", t)
	}
	add("SQLite FTS5", m.d.index("fts5"))
	add("bleve (text not kept)", m.d.index("bleve"))
	m.table([]string{"on disk", "size", "/ text", "/ transcripts"}, rows)
	return nil
}

// process measures whole runs of the program, as hooks and people start it.
func (m *measurement) process() error {
	if !m.o.has("hansard") {
		return nil
	}
	search := func(class string, flags ...string) func(int) (cost, error) {
		return func(i int) (cost, error) {
			qs := m.d.Queries[class]
			return m.p.run(append(append([]string{"search", "--json"}, flags...), qs[i%len(qs)]...)...)
		}
	}
	steps := []struct {
		label string
		do    func(i int) (cost, error)
	}{
		{"`hansard presets`: starting", func(int) (cost, error) { return m.p.run("presets") }},
		{"index, nothing new", func(int) (cost, error) { return m.p.run("index", "--json") }},
		{"search with refresh, rare words", search("rare")},
		{"search with refresh, common words", search("common")},
		{"search --no-refresh, mixed words: open and first answer", search("mixed", "--no-refresh")},
		{"one new turn, until it is found", m.p.grow},
	}
	var rows [][]string
	for _, s := range steps {
		var wall, cpu []time.Duration
		var last cost
		for i := range m.o.rounds {
			c, err := s.do(i)
			if err != nil {
				return err
			}
			wall, cpu, last = append(wall, c.Wall), append(cpu, c.CPU), c
		}
		rows = append(rows, []string{s.label, short(quantile(wall, 0)), short(quantile(wall, .5)), short(quantile(wall, .99)),
			short(quantile(cpu, .5)), size(last.Peak), size(last.Written)})
	}
	m.table([]string{fmt.Sprintf("whole process, %d transcripts", m.d.Files), "fastest", "median", "p99", "CPU, median", "peak resident", "written"}, rows)
	return nil
}

// inProcess compares the engines' answers to the same queries, warm.
func (m *measurement) inProcess() error {
	var rows [][]string
	var ours map[string][]time.Duration
	for _, engine := range []string{"hansard", "fts5", "bleve", "linear"} {
		if !m.o.has(engine) {
			continue
		}
		c, err := spawn(engine, "query", m.d.dir)
		if err != nil {
			return err
		}
		if ours == nil {
			ours = c.Times
		}
		if open := c.Times["open"]; len(open) > 0 {
			rows = append(rows, []string{engine, "open and first answer", "1", short(open[0]), "", "", "", "", "", ""})
		}
		for _, class := range classes {
			t := c.Times[class]
			rows = append(rows, []string{engine, class, fmt.Sprint(len(t)), short(quantile(t, .5)), short(quantile(t, .99)), short(quantile(t, 1)),
				ratio(quantile(t, .5), quantile(ours[class], .5)), fmt.Sprintf("%.1f", float64(c.Found[class])/float64(max(1, len(t)))), size(c.Peak), size(c.Anon)})
		}
	}
	m.table([]string{"10 best turns, warm", "words", "queries", "p50", "p99", "slowest", "p50 / first row's", "rows", "peak resident", "of its own"}, rows)
	return nil
}

// add measures adding turns in one process, at this size.
func (m *measurement) add() error {
	if !m.o.has("hansard") {
		return nil
	}
	c, err := spawn("hansard", "add", m.d.dir)
	if err != nil {
		return err
	}
	t := c.Times["add"]
	m.table([]string{"Add, a turn at a time", "turns", "p50", "p99", "slowest", "mean", "last flush", "peak resident", "written"},
		[][]string{{"hansard", fmt.Sprint(len(t)), short(quantile(t, .5)), short(quantile(t, .99)), short(quantile(t, 1)), short(mean(t)),
			short(c.Times["close"][0]), size(c.Peak), size(c.Written)}})
	return nil
}

func mean(times []time.Duration) (sum time.Duration) {
	for _, t := range times {
		sum += t
	}
	return sum / time.Duration(max(1, len(times)))
}
