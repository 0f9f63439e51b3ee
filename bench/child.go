package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// A cost is what one process took.
type cost struct {
	Wall, CPU time.Duration
	Peak      int64 // bytes resident at most
	Written   int64 // bytes that it made the file system write
	out       []byte
	result
}

// A result is what a child says on its standard output.
type result struct {
	Times  map[string][]time.Duration // by class of query, or by what was done
	Found  map[string]int             // rows in all, to see that answers are not empty
	Anon   int64                      // bytes of memory of its own, without mapped files, at the end
	Allocs float64                    // a query
}

// measure runs a command and waits for it. Exit codes in ok are no errors.
func measure(cmd *exec.Cmd, ok ...int) (cost, error) {
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	began := time.Now()
	err := cmd.Start()
	peak := make(chan int64, 1)
	if err == nil {
		go watch(cmd.Process.Pid, peak)
		err = cmd.Wait()
	}
	c := cost{Wall: time.Since(began), out: out.Bytes()}
	if err != nil && (cmd.ProcessState == nil || !slices.Contains(ok, cmd.ProcessState.ExitCode())) {
		return c, fmt.Errorf("%s: %w: %s", strings.Join(cmd.Args, " "), err, errs.Bytes())
	}
	if u, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		c.CPU = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
		c.Written = u.Oublock * 512
		if c.Peak = <-peak; runtime.GOOS != "linux" {
			c.Peak = u.Maxrss
		}
	}
	return c, nil
}

// watch looks at a process's peak memory until it is gone. The number that a
// process leaves behind will not do: it begins with its parent's.
func watch(pid int, peak chan<- int64) {
	n := int64(0)
	for {
		now := memory(fmt.Sprintf("/proc/%d/status", pid), "VmHWM:")
		if now == 0 && n > 0 || runtime.GOOS != "linux" {
			peak <- n
			return
		}
		if _, err := os.Stat(fmt.Sprintf("/proc/%d", pid)); err != nil {
			peak <- n
			return
		}
		n = now
		time.Sleep(2 * time.Millisecond)
	}
}

// spawn runs this program as a child: an engine, what it shall do, and the folder
// of a data set.
func spawn(engine, action, dir string) (cost, error) {
	self, err := os.Executable()
	if err != nil {
		return cost{}, err
	}
	c, err := measure(exec.Command(self, "child", engine, action, dir))
	if err != nil {
		return c, err
	}
	return c, json.Unmarshal(c.out, &c.result)
}

// child does what spawn asked for, and prints its result.
func child(args []string) error {
	if len(args) != 3 {
		return fmt.Errorf("child: want an engine, an action and a folder")
	}
	d := &dataset{dir: args[2]}
	if b, err := os.ReadFile(filepath.Join(d.dir, "about.json")); err == nil {
		if err := json.Unmarshal(b, d); err != nil {
			return err
		}
	}
	actions := map[string]func(*dataset, *result) error{
		"wc read": countLines, "json read": parseLines, "linear query": linearQuery,
		"fts5 load": ftsLoad, "fts5 query": ftsQuery, "bleve load": bleveLoad, "bleve query": bleveQuery,
		"hansard query": hansardQuery, "hansard add": hansardAdd, "hansard memory": hansardMemory,
	}
	do := actions[args[0]+" "+args[1]]
	if do == nil {
		return fmt.Errorf("child: nothing known of %s %s", args[0], args[1])
	}
	r := result{Times: map[string][]time.Duration{}, Found: map[string]int{}}
	if err := do(d, &r); err != nil {
		return err
	}
	r.Anon = memory("/proc/self/status", "RssAnon:")
	return json.NewEncoder(os.Stdout).Encode(r)
}

// memory is a line of a process's status in bytes; 0 where the system does not tell.
func memory(status, line string) int64 {
	b, _ := os.ReadFile(status)
	_, rest, ok := strings.Cut(string(b), line)
	if !ok {
		return 0
	}
	n, _ := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
	return n << 10
}

// ask times every query, after each class's first tenth was asked once to warm up.
func ask(d *dataset, r *result, limit int, search func(q []string) (rows int, err error)) error {
	for _, class := range classes {
		qs := d.Queries[class][:min(limit, len(d.Queries[class]))]
		for _, q := range qs[:(len(qs)+9)/10] {
			if _, err := search(q); err != nil {
				return err
			}
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for _, q := range qs {
			began := time.Now()
			n, err := search(q)
			if err != nil {
				return err
			}
			r.Times[class] = append(r.Times[class], time.Since(began))
			r.Found[class] += n
		}
		runtime.ReadMemStats(&after)
		r.Allocs = float64(after.Mallocs-before.Mallocs) / float64(len(qs))
	}
	return nil
}

// eachPair reads the turns of a data set.
func eachPair(d *dataset, f func(p pair) error) error {
	in, err := os.Open(d.pairs())
	if err != nil {
		return err
	}
	defer in.Close()
	dec := json.NewDecoder(in)
	for {
		var p pair
		if err := dec.Decode(&p); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if err := f(p); err != nil {
			return err
		}
	}
}

// quantile is the time that the part q of all did not exceed.
func quantile(times []time.Duration, q float64) time.Duration {
	if len(times) == 0 {
		return 0
	}
	s := slices.Sorted(slices.Values(times))
	return s[min(len(s)-1, int(q*float64(len(s))))]
}

// onDisk is the size of all files below dir.
func onDisk(dir string) (sum int64) {
	filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			if info, err := e.Info(); err == nil {
				sum += info.Size()
			}
		}
		return nil
	})
	return sum
}
