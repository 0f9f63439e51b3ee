package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	"github.com/hansard-search/hansard/corpus"
	"github.com/hansard-search/hansard/segment"
	"github.com/hansard-search/hansard/sources"
)

// A program is hansard as it is typed, with a data directory of its own.
type program struct {
	path string
	data *dataset
}

// build makes the program that is measured.
func build(o *options) (string, error) {
	if o.binary != "" {
		return o.binary, nil
	}
	path := filepath.Join(o.dir, "hansard")
	cmd := exec.Command("go", "build", "-trimpath", "-o", path, "./cmd/hansard")
	cmd.Dir = ".."
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0") // as it is released: static
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building hansard: %w: %s", err, out)
	}
	return path, nil
}

func (p *program) run(args ...string) (cost, error) {
	cmd := exec.Command(p.path, args...)
	home := p.data.index("hansard")
	cmd.Env = []string{"HOME=" + home, "HANSARD_DATA_DIR=" + home, "HANSARD_CONFIG_DIR=" + home, "PATH=" + os.Getenv("PATH")}
	return measure(cmd, 0, 1)
}

// first indexes everything, from nothing.
func (p *program) first() (cost, error) {
	if err := os.RemoveAll(p.data.index("hansard")); err != nil {
		return cost{}, err
	}
	if err := os.MkdirAll(p.data.index("hansard"), 0o700); err != nil {
		return cost{}, err
	}
	args := []string{"index", "--json", "--since", "all", "--source", "claude=" + p.data.claude()}
	if _, err := os.Stat(p.data.pi()); err == nil {
		args = append(args, "--source", "pi="+p.data.pi())
	}
	return p.run(args...)
}

// turns is how many turns a report or a search answer speaks of.
func turns(c cost) (n int) {
	var r struct{ Turns, ResultCount int }
	if json.Unmarshal(c.out, &r) != nil {
		return 0
	}
	return max(r.Turns, r.ResultCount)
}

// grow appends a turn with a word of its own to a transcript, and then finds it.
func (p *program) grow(round int) (cost, error) {
	word := fmt.Sprintf("fresh%dx%d", time.Now().UnixNano(), round)
	w := &writer{words: newWords(uint64(round)), pairs: json.NewEncoder(new(bytes.Buffer)), clock: time.Now().UTC(), cwd: "/home/dev/projects/p00"}
	w.sid = strings.TrimSuffix(filepath.Base(p.data.Append), ".jsonl")
	if err := w.claudeTurn(); err != nil {
		return cost{}, err
	}
	line := bytes.Replace(w.buf, []byte(`"content":"`), []byte(`"content":"`+word+` `), 1)
	f, err := os.OpenFile(p.data.Append, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return cost{}, err
	}
	if _, err := f.Write(line); err != nil {
		return cost{}, err
	}
	if err := f.Close(); err != nil {
		return cost{}, err
	}
	c, err := p.run("search", "--json", word)
	if err == nil && turns(c) != 1 {
		err = fmt.Errorf("the new turn %s was not found: %s", word, c.out)
	}
	return c, err
}

// folder is the corpus that the program made.
func folder(d *dataset) string { return filepath.Join(d.index("hansard"), "sessions") }

// hansardQuery opens the corpus and asks it, in this process.
func hansardQuery(d *dataset, r *result) error {
	began := time.Now()
	c, err := corpus.Open(folder(d))
	if err != nil {
		return err
	}
	defer c.Close()
	search := func(q []string) (int, error) {
		a, err := c.Search(context.Background(), corpus.Query{Text: strings.Join(q, " "), Group: corpus.ByTurn})
		if err != nil {
			return 0, err
		}
		return a.ResultCount, nil
	}
	if _, err := search(d.Queries["mixed"][0]); err != nil {
		return err
	}
	r.Times["open"] = []time.Duration{time.Since(began)}
	return ask(d, r, len(d.Queries["mixed"]), search)
}

// hansardAdd adds turns to the corpus in this process and looks for some of them.
func hansardAdd(d *dataset, r *result) error {
	ix, err := corpus.OpenIndexer(context.Background(), corpus.Config{Dir: folder(d)})
	if err != nil {
		return err
	}
	w := newWords(uint64(time.Now().UnixNano()))
	s := segment.Session{ID: fmt.Sprintf("bench-add-%d", time.Now().UnixNano()), Source: "memory", Path: "memory:add", Lane: sources.Main, Created: time.Now()}
	for i := range 2000 {
		t := segment.Turn{ID: fmt.Sprintf("%s-%d", s.ID, i), Source: s.Source, Session: s.ID, Lane: sources.Main, State: segment.Final,
			Prompt: string(w.text(nil, w.length(25))), Summary: string(w.text(nil, w.length(150))), Created: time.Now(), Updated: time.Now()}
		t.Messages = []segment.Message{{Role: segment.User, Text: t.Prompt}, {Role: segment.Assistant, Text: t.Summary}}
		began := time.Now()
		if err := ix.Add(context.Background(), s, t); err != nil {
			return err
		}
		r.Times["add"] = append(r.Times["add"], time.Since(began))
	}
	began := time.Now()
	if err := ix.Close(); err != nil {
		return err
	}
	r.Times["close"] = []time.Duration{time.Since(began)}
	return nil
}

// hansardMemory indexes the ready-cut turns through sources.Memory, as the other
// engines get them, into an index of its own.
func hansardMemory(d *dataset, r *result) error {
	debug.SetGCPercent(200)         // what the program does too
	debug.SetMemoryLimit(200 << 20) //
	m := &sources.Memory{}
	dir := d.index("memory")
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	ix, err := corpus.OpenIndexer(context.Background(), corpus.Config{Dir: dir, Sources: []sources.Source{m}})
	if err != nil {
		return err
	}
	var batch []sources.Record
	n := 0
	sync := func() error {
		name := fmt.Sprintf("memory-%d", n/memoryBatch)
		m.AppendRecords(name, batch...)
		batch = batch[:0]
		_, err := ix.Sync(context.Background(), corpus.SyncOptions{})
		m.Remove("memory:" + name)
		return err
	}
	err = eachPair(d, func(p pair) error {
		batch = append(batch, sources.Record{ID: p.ID, Prompt: p.Prompt, Answer: p.Answer, Time: time.Unix(int64(1_700_000_000+n), 0)})
		if n++; n%memoryBatch == 0 {
			return sync()
		}
		return nil
	})
	if err == nil && len(batch) > 0 {
		err = sync()
	}
	if err != nil {
		return err
	}
	return ix.Close()
}

const memoryBatch = 5 * batch // turns that are held in memory at once
