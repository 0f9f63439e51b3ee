package main

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"time"
)

// table writes rows of cells under a head, if there are any.
func table(out io.Writer, head []string, rows [][]string) {
	if len(rows) == 0 {
		return
	}
	line := func(cells []string) { fmt.Fprintf(out, "| %s |\n", strings.Join(cells, " | ")) }
	line(head)
	fmt.Fprintf(out, "|%s\n", strings.Repeat("---|", len(head)))
	for _, r := range rows {
		line(r)
	}
	fmt.Fprintln(out)
}

// short is a duration with three digits.
func short(d time.Duration) string {
	switch {
	case d < 10*time.Millisecond:
		return fmt.Sprintf("%.2f ms", d.Seconds()*1e3)
	case d < time.Second:
		return fmt.Sprintf("%.0f ms", d.Seconds()*1e3)
	}
	return fmt.Sprintf("%.2f s", d.Seconds())
}

func size(n int64) string {
	switch {
	case n < 1e4:
		return fmt.Sprintf("%d B", n)
	case n < 1e6:
		return fmt.Sprintf("%.0f KB", float64(n)/1e3)
	case n < 1e7:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	case n < 1e9:
		return fmt.Sprintf("%.0f MB", float64(n)/1e6)
	}
	return fmt.Sprintf("%.2f GB", float64(n)/1e9)
}

// count is a number of turns as the flags spell it.
func count(n int) string {
	switch {
	case n >= 1e6 && n%1e5 == 0:
		return fmt.Sprintf("%gM", float64(n)/1e6)
	case n >= 1e3 && n%1e3 == 0:
		return fmt.Sprintf("%dk", n/1e3)
	}
	return fmt.Sprint(n)
}

func ratio[N int64 | time.Duration](a, b N) string {
	if b == 0 {
		return "-"
	}
	return fmt.Sprintf("%.2f", float64(a)/float64(b))
}

// machine names the processor and the system, and says how busy the machine was
// when the run began: numbers from a busy one compare within a run only.
func machine() string {
	model := runtime.GOARCH
	if b, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		if _, rest, ok := strings.Cut(string(b), "model name"); ok {
			line, _, _ := strings.Cut(rest, "\n")
			model = strings.TrimSpace(strings.TrimLeft(line, "\t :"))
		}
	}
	load := ""
	if b, err := os.ReadFile("/proc/loadavg"); err == nil {
		load = ", load " + strings.Fields(string(b))[0] + " before"
	}
	return fmt.Sprintf("%s, %s, %d processors, %s, %s%s.", time.Now().Format(time.DateOnly), model, runtime.NumCPU(), runtime.GOOS, runtime.Version(), load)
}
