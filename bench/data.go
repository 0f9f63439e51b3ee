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

// found is the kind of transcripts that were there before.
const found = "found"

// A dataset is a folder of transcripts and of what they hold.
type dataset struct {
	dir     string
	Kind    string // lean, real or found
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

// title names a data set in a few words.
func (d *dataset) title() string {
	if d.Kind == found {
		return fmt.Sprintf("%s of transcripts", size(d.Bytes))
	}
	if d.Kind == "real" {
		return count(d.Turns) + " real-shaped turns"
	}
	return count(d.Turns) + " lean turns"
}

// what is the title with the size of the transcripts.
func (d *dataset) what() string {
	if d.Kind == found {
		return fmt.Sprintf("%d transcripts, %s", d.Files, size(d.Bytes))
	}
	return fmt.Sprintf("%s, %s", d.title(), size(d.Bytes))
}

func (d *dataset) describe() string {
	if d.Kind == found {
		return fmt.Sprintf("%d transcripts that were there, %s.", d.Files, size(d.Bytes))
	}
	return fmt.Sprintf("%d turns in %d transcripts, %s, of which %s prompts and answers.", d.Turns, d.Files, size(d.Bytes), size(d.Text))
}

// A pair is a turn as engines get it.
type pair struct {
	ID, Prompt, Answer string
}

// made returns a data set, and invents it when it is not there.
func made(o *options, kind string, turns int) (*dataset, error) {
	d := &dataset{dir: filepath.Join(o.dir, fmt.Sprintf("%s-%d-%d", kind, turns, o.seed)), Queries: make(map[string][][]string)}
	about := filepath.Join(d.dir, "about.json")
	b, err := os.ReadFile(about)
	if err == nil {
		err = json.Unmarshal(b, d)
		d.Kind = kind
		return d, err
	}
	if !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	d.Kind = kind
	if err := d.invent(o.seed, turns); err != nil {
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

// there is the data set of Claude's transcripts in o.corpus.
func there(o *options) (*dataset, error) {
	d := &dataset{dir: filepath.Join(o.dir, found), Kind: found}
	if err := os.MkdirAll(d.dir, 0o700); err != nil {
		return nil, err
	}
	os.Remove(d.claude())
	from, err := filepath.Abs(o.corpus)
	if err != nil {
		return nil, err
	}
	if err := os.Symlink(from, d.claude()); err != nil {
		return nil, err
	}
	paths, err := files(d)
	for _, p := range paths {
		if info, err := os.Stat(p); err == nil {
			d.Files++
			d.Bytes += info.Size()
		}
	}
	return d, err
}

func (d *dataset) invent(seed uint64, turns int) error {
	if err := os.MkdirAll(d.dir, 0o700); err != nil {
		return err
	}
	f, err := os.Create(d.pairs())
	if err != nil {
		return err
	}
	defer f.Close()
	out := bufio.NewWriterSize(f, 1<<20)
	w := &writer{words: newWords(seed), pairs: json.NewEncoder(out), real: d.Kind == "real"}
	each := max(10, turns/transcripts)
	if w.real {
		each = realSession
		w.noise = noise(w.words)
	}
	for d.Turns < turns {
		if err := w.session(d, min(each, turns-d.Turns)); err != nil {
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
