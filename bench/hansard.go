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
	"slices"
	"strings"
	"time"

	"github.com/hansard-search/hansard/corpus"
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
	cmd := exec.Command("go", "build", "-trimpath", "-tags", "urfave_cli_no_docs", "-o", path, "./cmd/hansard")
	cmd.Dir = ".."
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0") // as the README installs it: static
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building hansard: %w: %s", err, out)
	}
	return path, nil
}

func (p *program) run(by measuring, args ...string) (cost, error) {
	cmd := exec.Command(p.path, args...)
	home := p.data.index("hansard")
	cmd.Env = []string{"HOME=" + home, "HANSARD_DATA_DIR=" + home, "HANSARD_CONFIG_DIR=" + home, "PATH=" + os.Getenv("PATH")}
	return by(cmd, 0, 1)
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
	return p.run(measure, args...)
}

// grow appends a turn with a word of its own to a transcript, and then finds it.
func (p *program) grow(round int, by measuring) (cost, error) {
	word := fmt.Sprintf("fresh%dx%d", time.Now().UnixNano(), round)
	w := &writer{words: newWords(uint64(round)), pairs: json.NewEncoder(new(bytes.Buffer)), clock: time.Now().UTC(), cwd: "/home/dev/projects/p00"}
	w.sid = strings.TrimSuffix(filepath.Base(p.data.Append), ".jsonl")
	if err := w.claudeTurn(); err != nil {
		return cost{}, err
	}
	line := bytes.Replace(w.buf, []byte(`"content":"`), []byte(`"content":"`+word+` `), 1)
	if err := appendFile(p.data.Append, line); err != nil {
		return cost{}, err
	}
	c, err := p.run(by, "search", "--json", word)
	var answer struct{ ResultCount int }
	if err == nil {
		err = json.Unmarshal(c.out, &answer)
	}
	if err == nil && answer.ResultCount != 1 {
		err = fmt.Errorf("the new turn %s was not found: %s", word, c.out)
	}
	return c, err
}

func appendFile(path string, b []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = f.Write(b)
	return err
}

// folder is the corpus that the program made.
func folder(d *dataset) string { return filepath.Join(d.index("hansard"), "sessions") }

func hansardTurns(j *job, r *result) error    { return hansardQuery(j, r, corpus.ByTurn) }
func hansardSessions(j *job, r *result) error { return hansardQuery(j, r, corpus.BySession) }

// hansardQuery opens the corpus and asks it, in this process.
func hansardQuery(j *job, r *result, by corpus.Group) error {
	began := time.Now()
	c, err := corpus.Open(folder(j.dataset))
	if err != nil {
		return err
	}
	defer c.Close()
	search := func(q []string) (int, error) {
		a, err := c.Search(context.Background(), corpus.Query{Text: strings.Join(q, " "), Group: by})
		if err != nil {
			return 0, err
		}
		return a.ResultCount, nil
	}
	if _, err := search(j.Queries["mixed"][0]); err != nil {
		return err
	}
	r.Times["open"] = []time.Duration{time.Since(began)}
	return j.ask(r, len(j.Queries["mixed"]), search)
}

const (
	memoryBatch   = 5 * batch // turns that are held in memory at once
	memorySession = 50        // turns of a session: a transcript is read by one worker
)

// hansardMemory indexes the ready-cut turns through sources.Memory, as the other
// engines get them, into an index of its own.
func hansardMemory(j *job, r *result) error {
	debug.SetMemoryLimit(200 << 20) // what the program does too
	m := &sources.Memory{}
	dir := j.index("memory")
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	ix, err := corpus.OpenIndexer(context.Background(), corpus.Config{Dir: dir, Sources: []sources.Source{m}})
	if err != nil {
		return err
	}
	var records []sources.Record
	sync := func() error {
		var names []string
		for session := range slices.Chunk(records, memorySession) {
			names = append(names, fmt.Sprintf("memory-%d-%d", r.Found["turns"], len(names)))
			m.AppendRecords(names[len(names)-1], session...)
		}
		records = records[:0]
		_, err := ix.Sync(context.Background(), corpus.SyncOptions{})
		for _, name := range names {
			m.Remove("memory:" + name)
		}
		return err
	}
	err = j.load(r, func(p pair) error {
		at := time.Unix(int64(1_700_000_000+r.Found["turns"]), 0)
		records = append(records, sources.Record{ID: p.ID, Prompt: p.Prompt, Answer: p.Answer, Time: at})
		if len(records) == memoryBatch {
			return sync()
		}
		return nil
	})
	if err == nil && len(records) > 0 {
		err = sync()
	}
	if err != nil {
		return err
	}
	return ix.Close()
}
