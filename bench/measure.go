package main

import (
	"bytes"
	"context"
	"fmt"
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
	Wall, CPU     time.Duration
	Peak, Own     int64 // bytes resident at most, and of those what is no mapped file
	Read, Written int64 // bytes that it asked files for, and that it made the file system write
	Earlier       bool  // measured by an earlier run
	out           []byte
	result
}

// A result is what a child says on its standard output.
type result struct {
	Times map[string][]time.Duration // by class of query, or by what was done
	Found map[string]int             // rows in all, to see that answers are not empty; other counts
}

// A measuring runs a command and waits for it. Exit codes in ok are no errors.
type measuring func(cmd *exec.Cmd, ok ...int) (cost, error)

// clock measures without a look at the command's memory, which takes a run of some
// milliseconds a twentieth more.
func clock(cmd *exec.Cmd, ok ...int) (cost, error) {
	return measured(cmd, func(_ int, seen chan<- usage) { seen <- usage{} }, ok)
}

// measure measures all that a cost tells.
func measure(cmd *exec.Cmd, ok ...int) (cost, error) { return measured(cmd, watch, ok) }

func measured(cmd *exec.Cmd, look func(pid int, seen chan<- usage), ok []int) (cost, error) {
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	began := time.Now()
	var c cost
	err := cmd.Start()
	if err == nil {
		peak := make(chan usage, 1)
		go look(cmd.Process.Pid, peak)
		c.Read = ended(cmd.Process.Pid)
		err = cmd.Wait()
		c.Wall = time.Since(began)
		u := <-peak
		c.Peak, c.Own = u.peak, u.own
	}
	c.out = out.Bytes()
	if err != nil && (cmd.ProcessState == nil || !slices.Contains(ok, cmd.ProcessState.ExitCode())) {
		return c, fmt.Errorf("%s: %w: %s", strings.Join(cmd.Args, " "), err, errs.Bytes())
	}
	c.CPU = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	if u, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		c.Written = u.Oublock * 512
		if runtime.GOOS != "linux" {
			c.Peak = u.Maxrss
		}
	}
	return c, nil
}

// usage is the most memory that a process was seen with.
type usage struct{ peak, own int64 }

// watch looks at a process's memory until it is gone. The peak that a process
// leaves behind will not do: it begins with its parent's.
func watch(pid int, seen chan<- usage) {
	var u usage
	for began := time.Now(); ; {
		b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		peak := memory(b, "VmHWM:")
		if err != nil || peak == 0 && u.peak > 0 {
			seen <- u
			return
		}
		u.peak, u.own = max(u.peak, peak), max(u.own, memory(b, "RssAnon:"))
		time.Sleep(min(max(time.Since(began)/100, 2*time.Millisecond), 50*time.Millisecond))
	}
}

// memory is a line of a process's status in bytes; 0 where it is not there.
func memory(status []byte, line string) int64 {
	_, rest, ok := strings.Cut(string(status), line)
	if !ok {
		return 0
	}
	n, _ := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
	return n << 10
}

// quantile is the time that the part q of all did not exceed.
func quantile(times []time.Duration, q float64) time.Duration {
	if len(times) == 0 {
		return 0
	}
	s := slices.Sorted(slices.Values(times))
	return s[min(len(s)-1, int(q*float64(len(s))))]
}

func mean(times []time.Duration) (sum time.Duration) {
	for _, t := range times {
		sum += t
	}
	return sum / time.Duration(max(1, len(times)))
}

// under is the size of all files below dir.
func under(dir string) (sum int64) {
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

// within is a context for a child with a budget: one that does not end by itself,
// nor writes within half as much time what it has, is killed.
func within(budget time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.Background(), budget+budget/2+time.Minute)
}
