package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/hansard-search/hansard/corpus"
	"github.com/hansard-search/hansard/presets"
)

// TestProgress: nothing on a pipe, nothing in the first moment, and nothing
// left behind.
func TestProgress(t *testing.T) {
	for _, test := range []struct {
		name  string
		width int
		after time.Duration
		want  string
	}{
		{"pipe", 0, time.Minute, ""},
		{"quick", 80, 100 * time.Millisecond, ""},
		{"terminal", 80, time.Second, "\r\x1b[Kreading transcripts " + strings.Repeat("█", 15) + strings.Repeat("░", 15) + " 1.0 KB of 2.0 KB\r\x1b[K"},
		{"narrow", 12, time.Second, "\r\x1b[Kreading tr…\r\x1b[K"},
	} {
		var out bytes.Buffer
		clock := now
		w := world{Env: presets.Env{Now: func() time.Time { return clock }}, err: &out, errWidth: test.width}
		b := w.progress()
		clock = clock.Add(test.after)
		b.move(corpus.Progress{BytesDone: 1000, BytesTotal: 2000})
		b.move(corpus.Progress{BytesDone: 1001, BytesTotal: 2000}) // too soon
		b.done()
		if out.String() != test.want {
			t.Errorf("%s: %q, want %q", test.name, out.String(), test.want)
		}
	}
	if s := barText(corpus.Progress{Done: 3, Total: 3}, 99); !strings.HasSuffix(string(s), "█ 3 of 3 transcripts") {
		t.Error(s)
	}
	if s := barText(corpus.Progress{}, 99); !strings.Contains(string(s), "░ 0 of 0 transcripts") {
		t.Error(s)
	}
}
