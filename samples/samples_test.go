package samples_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/hansard-search/hansard/samples"
	"github.com/hansard-search/hansard/sources"
	"github.com/hansard-search/hansard/sources/sourcetest"
)

func lay(t *testing.T) []sources.Source {
	t.Helper()
	dir := t.TempDir()
	if err := samples.Lay(dir); err != nil {
		t.Fatal(err)
	}
	return []sources.Source{
		sources.Claude{Root: filepath.Join(dir, samples.ClaudeDir)}, sources.Pi{Root: filepath.Join(dir, samples.PiDir)},
	}
}

func TestLayTwiceChangesNothing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	stamps := func() map[string]time.Time {
		if err := samples.Lay(dir); err != nil {
			t.Fatal(err)
		}
		all := map[string]time.Time{}
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			st, err := d.Info()
			if err == nil && !d.IsDir() {
				all[path] = st.ModTime()
				if st.Mode().Perm()&0o077 != 0 {
					t.Errorf("%s is open to others: %v", path, st.Mode())
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	before := stamps()
	for path := range before {
		if err := os.Chtimes(path, time.Time{}, time.Unix(1000, 0)); err != nil {
			t.Fatal(err)
		}
	}
	for path, at := range stamps() {
		if !at.Equal(time.Unix(1000, 0)) {
			t.Errorf("%s was written again", path)
		}
	}
	if len(before) != 7 {
		t.Errorf("%d files, want 7", len(before))
	}
}

func TestSamplesAreSoundTranscripts(t *testing.T) {
	for _, s := range lay(t) {
		sourcetest.Run(t, s, sourcetest.Options{Prompts: 3})
	}
}

// Each session is short, has a name and lies in the autumn that the
// documentation speaks of.
func TestSampleSessions(t *testing.T) {
	from, to := time.Date(2026, 9, 1, 0, 0, 0, 0, time.UTC), time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	count := map[sources.Kind]int{}
	for _, s := range lay(t) {
		for tr, err := range s.Transcripts(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			name, prompts := "", 0
			for e, err := range tr.Events(t.Context(), sources.Position{}) {
				if err != nil {
					t.Fatal(err)
				}
				count[e.Kind]++
				switch e.Kind {
				case sources.Title:
					name = e.Text
				case sources.Prompt:
					prompts++
				}
				if !e.Time.IsZero() && (e.Time.Before(from) || e.Time.After(to)) {
					t.Errorf("%s: something happens at %v", name, e.Time)
				}
			}
			if name == "" || prompts < 3 || prompts > 6 {
				t.Errorf("%s: name %q, %d prompts", tr.Info().Path, name, prompts)
			}
		}
	}
	for kind, n := range map[sources.Kind]int{sources.Prompt: 24, sources.Steering: 1, sources.Interrupt: 1, sources.Summary: 1, sources.Compaction: 1} {
		if count[kind] != n {
			t.Errorf("%d events of kind %d, want %d", count[kind], kind, n)
		}
	}
}

// The question of the first example in the documentation has one answer.
func TestOneSessionAsksAboutTheDeploy(t *testing.T) {
	var asked []string
	dir := t.TempDir()
	if err := samples.Lay(dir); err != nil {
		t.Fatal(err)
	}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		if strings.Contains(string(b), "why did the deploy fail") {
			asked = append(asked, path)
		} else if strings.Contains(strings.ToLower(string(b)), "deploy fail") {
			t.Errorf("%s speaks of it too", path)
		}
		return err
	})
	if err != nil || len(asked) != 1 {
		t.Errorf("asked in %v, error %v", asked, err)
	}
}
