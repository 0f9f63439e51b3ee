package main

import (
	"bufio"
	"bytes"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
)

// The limit: what reading the same bytes takes, and what reading them as JSON
// takes, one file after the other as wc does, and on all processors.

// files are the transcripts of a data set.
func files(d *dataset) (paths []string, err error) {
	err = filepath.WalkDir(d.dir, func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() && strings.HasSuffix(path, ".jsonl") && path != d.pairs() {
			paths = append(paths, path)
		}
		return err
	})
	return paths, err
}

func countLines(d *dataset, r *result) error {
	paths, err := files(d)
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

func parseLines(d *dataset, r *result) error {
	paths, err := files(d)
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

// linearQuery reads every pair for every query, and counts those in which most
// of the words stand: what searching costs without any index.
func linearQuery(d *dataset, r *result) error {
	return ask(d, r, 3, func(q []string) (rows int, err error) {
		f, err := os.Open(d.pairs())
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
