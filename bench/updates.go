package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// An update is a series of one-turn updates of an index that was empty.
type updates struct {
	engine  string
	label   string
	times   []time.Duration
	text    int64 // bytes of prompts and answers that were added
	lines   int64 // bytes of the transcripts in which they stand; 0 where there are none
	written int64 // bytes that the file system was made to write
	shards  int   // the most there were; 0 where there are none
	own     int64
}

// median is that of the first or the last twentieth.
func (u updates) median(first bool) time.Duration {
	part := u.times[:max(1, len(u.times)/20)]
	if !first {
		part = u.times[len(u.times)-len(part):]
	}
	return quantile(part, .5)
}

// slow is what an update of the last twentieth takes, measured by one of the first.
func (u updates) slow() float64 { return float64(u.median(false)) / float64(max(1, u.median(true))) }

// amplified is how many bytes are written for one that was added.
func (u updates) amplified() float64 { return float64(u.written) / float64(max(1, u.text)) }

func (u updates) writes() string {
	s := fmt.Sprintf("%.1f", u.amplified())
	if u.lines > 0 {
		s += fmt.Sprintf(" (%.1f for one of transcript)", float64(u.written)/float64(u.lines))
	}
	return s
}

// grow measures updates in one process, turn by turn, and as runs of the program.
func grow(o *options, bin string) (all []updates, err error) {
	for _, engine := range []struct{ name, label string }{{"hansard", "Add and Flush"}, {"fts5", "SQLite FTS5"}} {
		if !o.has(engine.name) {
			continue
		}
		d := &dataset{dir: filepath.Join(o.dir, "updates"), Turns: o.updates}
		if err := fresh(d); err != nil {
			return nil, err
		}
		c, err := spawn(engine.name, "updates", d.dir, o.budget)
		if err != nil {
			return nil, err
		}
		all = append(all, updates{engine: engine.name, label: engine.label, times: c.Times["add"], text: int64(c.Found["bytes"]),
			written: c.Written, shards: c.Found["shards"], own: c.Own})
	}
	if !o.has("hansard") {
		return all, nil
	}
	u, err := growByRuns(o, bin)
	return append(all, u), err
}

// fresh makes an empty folder for a data set and says in it what it is.
func fresh(d *dataset) error {
	if err := os.RemoveAll(d.dir); err != nil {
		return err
	}
	if err := os.MkdirAll(d.dir, 0o700); err != nil {
		return err
	}
	b, err := json.Marshal(d)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(d.dir, "about.json"), b, 0o600)
}

// growByRuns lets some transcripts grow in turn, by one turn before each run.
func growByRuns(o *options, bin string) (updates, error) {
	u := updates{engine: "hansard", label: "a run of `hansard index` each"}
	d := &dataset{dir: filepath.Join(o.dir, "updates")}
	if err := fresh(d); err != nil {
		return u, err
	}
	p := &program{path: bin, data: d}
	words := newWords(o.seed)
	var writers [sessions]*writer
	for i := range max(2*sessions, o.updates/20) {
		w := writers[i%sessions]
		if w == nil {
			w = &writer{words: words, pairs: json.NewEncoder(new(bytes.Buffer)), clock: time.Now().UTC().Add(-time.Hour), cwd: "/home/dev/projects/p00"}
			w.sid = w.uuid()
			writers[i%sessions] = w
		}
		c, err := w.update(p, i == 0)
		if err != nil {
			return u, err
		}
		u.times = append(u.times, c.Wall)
		u.lines += int64(len(w.buf))
		u.written += c.Written
		u.own = max(u.own, c.Own)
		u.shards = max(u.shards, shards(folder(d)))
	}
	for _, w := range writers {
		u.text += w.text
	}
	return u, nil
}

// update writes a turn to the end of the writer's transcript, and indexes it.
func (w *writer) update(p *program, first bool) (cost, error) {
	w.buf = w.buf[:0]
	if err := w.claudeTurn(); err != nil {
		return cost{}, err
	}
	path := filepath.Join(p.data.claude(), "-home-dev-projects-p00", w.sid+".jsonl")
	if err := appendFile(path, w.buf); err != nil {
		return cost{}, err
	}
	if first {
		return p.first()
	}
	return p.run(measure, "index", "--json")
}

func updatesTable(all []updates) (head []string, rows [][]string) {
	for _, u := range all {
		shards := "-"
		if u.shards > 0 {
			shards = fmt.Sprint(u.shards)
		}
		rows = append(rows, []string{u.label, fmt.Sprint(len(u.times)), short(u.median(true)), short(u.median(false)),
			short(mean(u.times)), short(quantile(u.times, .99)), u.writes(), shards, size(u.own)})
	}
	return []string{"one-turn updates", "updates", "median, first 5 %", "median, last 5 %", "mean", "p99", "bytes written for one of text", "shards, at most", "memory of its own"}, rows
}
