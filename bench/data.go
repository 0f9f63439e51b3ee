package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// transcripts is into how many files lean turns are divided, at least ten turns
// each: the size at which the cost of finding nothing new is asked for.
const transcripts = 2000

// realSession is how many turns a real-shaped transcript has: 200 KB each.
const realSession = 25

// A dataset is a folder of invented transcripts and of what they hold.
type dataset struct {
	dir     string
	Files   int
	Bytes   int64 // of all transcripts
	Turns   int
	Text    int64 // bytes of prompts and answers
	Queries map[string][][]string
	Append  string // a transcript that may grow
}

func (d *dataset) claude() string { return filepath.Join(d.dir, "claude") }
func (d *dataset) pi() string     { return filepath.Join(d.dir, "pi") }

// pairs is a file with the turns ready cut, an object a line: what engines that
// cannot read transcripts are given.
func (d *dataset) pairs() string { return filepath.Join(d.dir, "pairs.jsonl") }

func (d *dataset) index(engine string) string { return filepath.Join(d.dir, "index-"+engine) }

// A pair is a turn as engines get it.
type pair struct {
	ID, Prompt, Answer string
}

// made returns the data set that o asks for, and invents it when it is not there.
func made(o *options) (*dataset, error) {
	d := &dataset{dir: filepath.Join(o.dir, fmt.Sprintf("%s-%d-%d", o.kind, o.turns, o.seed)), Queries: make(map[string][][]string)}
	about := filepath.Join(d.dir, "about.json")
	b, err := os.ReadFile(about)
	if err == nil {
		return d, json.Unmarshal(b, d)
	}
	if !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	if err := d.invent(o); err != nil {
		return nil, err
	}
	w := newWords(o.seed + 1e6)
	w.list = newWords(o.seed).list
	for _, c := range classes {
		for range o.queries {
			d.Queries[c] = append(d.Queries[c], w.query(c))
		}
	}
	if b, err = json.Marshal(d); err != nil {
		return nil, err
	}
	return d, os.WriteFile(about, b, 0o600)
}

func (d *dataset) invent(o *options) error {
	if err := os.MkdirAll(d.dir, 0o700); err != nil {
		return err
	}
	f, err := os.Create(d.pairs())
	if err != nil {
		return err
	}
	defer f.Close()
	out := bufio.NewWriterSize(f, 1<<20)
	w := &writer{words: newWords(o.seed), pairs: json.NewEncoder(out), real: o.kind == "real"}
	each := max(10, o.turns/transcripts)
	if w.real {
		each = realSession
		w.noise = noise(w.words)
	}
	for d.Turns < o.turns {
		if err := w.session(d, min(each, o.turns-d.Turns)); err != nil {
			return err
		}
	}
	d.Text = w.text
	return out.Flush()
}

// session writes one transcript; every fifth is pi's.
func (w *writer) session(d *dataset, turns int) error {
	n := d.Files
	// Sessions are spread over the last two months, so that the usual bounds hold them.
	w.clock = w.began().Add(time.Duration(n%1000) * time.Hour)
	w.cwd = fmt.Sprintf("/home/dev/projects/p%02d", n%40)
	id := w.uuid()
	path := filepath.Join(d.claude(), fmt.Sprintf("-home-dev-projects-p%02d", n%40), id+".jsonl")
	write := w.claudeTurn
	w.buf = w.buf[:0]
	if n%5 == 4 {
		path = filepath.Join(d.pi(), fmt.Sprintf("--home-dev-projects-p%02d--", n%40), "2026_"+id+".jsonl")
		write = w.piTurn
		w.piHead(id)
	} else if n == 0 {
		d.Append = path
	}
	w.sid, w.parent = id, ""
	for range turns {
		if err := write(); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	d.Files++
	d.Turns += turns
	d.Bytes += int64(len(w.buf))
	return os.WriteFile(path, w.buf, 0o600)
}

// began is when the oldest session began.
func (w *writer) began() time.Time {
	if w.start.IsZero() {
		w.start = time.Now().UTC().Truncate(time.Hour).AddDate(0, 0, -60)
	}
	return w.start
}
