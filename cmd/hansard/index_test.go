package main

import (
	"strings"
	"testing"

	"github.com/hansard-search/hansard/corpus"
)

// TestSkippedFile: a file that could not be read is named, however many lines of
// others could not be used.
func TestSkippedFile(t *testing.T) {
	r := &corpus.Report{SkippedTotal: 30}
	for i := range 29 {
		r.Skipped = append(r.Skipped, corpus.SkippedLine{Path: "/t/lines.jsonl", Line: i + 1, Reason: "not JSON"})
	}
	r.Skipped = append(r.Skipped, corpus.SkippedLine{Path: "/t/closed.jsonl", Reason: "open: permission denied"})
	s := &screen{width: 80}
	reportPage{r}.text(s)
	if text := s.buf.String(); strings.Count(text, "lines.jsonl:") != 9 || !strings.Contains(text, "/t/closed.jsonl open: permission denied") ||
		!strings.Contains(text, "and 20 more; --json names 30") || !strings.Contains(text, "1 path and 29 lines could not be used:") {
		t.Error(text)
	}
}
