package main

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// The limit: what the machine takes for what cannot be left out.

// files are the transcripts of a data set.
func files(d *dataset) (paths []string, err error) {
	for _, root := range []string{d.claude(), d.pi()} {
		if root, err = filepath.EvalSymlinks(root); errors.Is(err, fs.ErrNotExist) {
			continue
		} else if err != nil {
			return nil, err
		}
		err = filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
			if err == nil && e.Type().IsRegular() && strings.HasSuffix(path, ".jsonl") {
				paths = append(paths, path)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return paths, nil
}

// countLines reads the transcripts one after the other, as wc does.
func countLines(j *job, r *result) error {
	paths, err := files(j.dataset)
	if err != nil {
		return err
	}
	buf := make([]byte, 256<<10)
	for _, path := range paths {
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		for {
			n, err := f.Read(buf)
			r.Found["lines"] += bytes.Count(buf[:n], []byte{'\n'})
			if err == io.EOF {
				break
			}
			if err != nil {
				return err
			}
		}
		f.Close()
	}
	return nil
}

// parseLines reads them as JSON on all processors, and makes nothing of it.
func parseLines(j *job, r *result) error {
	paths, err := files(j.dataset)
	if err != nil {
		return err
	}
	work := make(chan string)
	var workers sync.WaitGroup
	var mu sync.Mutex
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for path := range work {
				n := parseFile(path)
				mu.Lock()
				r.Found["values"] += n
				mu.Unlock()
			}
		})
	}
	for _, path := range paths {
		work <- path
	}
	close(work)
	workers.Wait()
	return nil
}

func parseFile(path string) (values int) {
	f, err := os.Open(path)
	if err != nil {
		return 0
	}
	defer f.Close()
	dec := jsontext.NewDecoder(bufio.NewReaderSize(f, 256<<10), jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
	for {
		if _, err := dec.ReadValue(); err != nil {
			return values
		}
		values++
	}
}

// floor times what an update cannot do without: a look at the stat of every
// transcript, and one small file that is on the disk.
func floor(j *job, r *result) error {
	for range 10 {
		began := time.Now()
		n := under(j.claude()) + under(j.pi())
		r.Times["stat"] = append(r.Times["stat"], time.Since(began))
		r.Found["bytes"] = int(n)
	}
	name := filepath.Join(j.dir, "synced")
	defer os.Remove(name)
	for range 20 {
		began := time.Now()
		f, err := os.Create(name)
		if err != nil {
			return err
		}
		_, err = f.Write(make([]byte, 4096))
		if err == nil {
			err = f.Sync()
		}
		f.Close()
		if err != nil {
			return err
		}
		r.Times["sync"] = append(r.Times["sync"], time.Since(began))
	}
	return nil
}

// linearQuery reads every pair for every query, and counts those in which most
// of the words stand: what searching costs without any index.
func linearQuery(j *job, r *result) error {
	return j.ask(r, 3, func(q []string) (rows int, err error) {
		f, err := os.Open(j.pairs())
		if err != nil {
			return 0, err
		}
		defer f.Close()
		in := bufio.NewReaderSize(f, 1<<20)
		for {
			line, err := in.ReadSlice('\n')
			if err == io.EOF {
				return min(rows, 10), nil
			}
			if err != nil {
				return rows, err
			}
			n := 0
			for _, w := range q {
				if bytes.Contains(line, []byte(w)) {
					n++
				}
			}
			if 2*n > len(q) {
				rows++
			}
		}
	})
}
