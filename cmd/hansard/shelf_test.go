package main

import (
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/hansard-search/hansard/corpus"
	"github.com/hansard-search/hansard/presets"
)

// TestShelfAfterLocked: a call that could not bring the index up to date, because
// another process was at it, leaves that to the next one.
func TestShelfAfterLocked(t *testing.T) {
	home, at := t.TempDir(), now
	w := world{
		Env: presets.Env{Home: home, Dir: home, Getenv: func(string) string { return "" }, Now: func() time.Time { return at }},
		out: io.Discard, err: io.Discard,
	}
	p := &program{world: w}
	p.print = p.printer(false)
	s := &shelf{program: p, drawers: map[string]*drawer{}}
	defer s.close()
	folder := filepath.Join(home, ".claude", "projects", "-x")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	say := func(session, id string) {
		line := `{"type":"user","uuid":"` + id + `","sessionId":"` + session + `","timestamp":"` + now.UTC().Format(time.RFC3339) +
			`","cwd":"/x","message":{"role":"user","content":"gopher"}}` + "\n"
		if err := os.WriteFile(filepath.Join(folder, session+".jsonl"), []byte(line), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	open := func(refresh string, turns int) {
		t.Helper()
		r, err := s.Open(t.Context(), "")
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		st, err := r.Corpus.Status(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if r.Refresh != refresh || st.Turns != turns {
			t.Errorf("%s, %d turns; want %s, %d", r.Refresh, st.Turns, refresh, turns)
		}
	}
	say("s1", "q1")
	open(corpus.RefreshDone, 1)
	ix, err := corpus.OpenIndexer(t.Context(), corpus.Config{Dir: filepath.Join(home, ".local/share/hansard/sessions"), Name: "sessions", Holder: "the test"})
	if err != nil {
		t.Fatal(err)
	}
	say("s2", "q2")
	at = at.Add(freshFor)
	open(corpus.RefreshLocked, 1)
	if err := ix.Close(); err != nil {
		t.Fatal(err)
	}
	open(corpus.RefreshDone, 2)
	say("s3", "q3")
	open(corpus.RefreshDone, 2) // as long as that is fresh
}
