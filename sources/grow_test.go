package sources_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/hansard-search/hansard/sources"
	"github.com/hansard-search/hansard/sources/sourcetest"
)

// Transcripts of each format may grow, be cut back, be written over, vanish and return.
func TestSourcesOfGrowingTranscripts(t *testing.T) {
	for _, tt := range []struct {
		root, files string
		of          func(root string) sources.Source
	}{
		{"../samples/claude/projects", "*/*.jsonl", func(root string) sources.Source { return sources.Claude{Root: root} }},
		{"../testdata/pi", "*/*.jsonl", func(root string) sources.Source { return sources.Pi{Root: root} }},
		{"../testdata/codex/sessions", "*/*/*/*.jsonl", func(root string) sources.Source { return sources.Codex{Root: root} }},
		{"../testdata/history", "history.jsonl", func(root string) sources.Source { return sources.History{Dir: root} }},
	} {
		paths, err := filepath.Glob(filepath.Join(tt.root, filepath.FromSlash(tt.files)))
		if err != nil || len(paths) == 0 {
			t.Fatal("no transcripts in ", tt.root, err)
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			below, err := filepath.Rel(tt.root, path)
			if err != nil {
				t.Fatal(err)
			}
			t.Run(filepath.Base(path), func(t *testing.T) {
				sourcetest.Grow(t, sourcetest.Growing{Source: tt.of, Path: filepath.ToSlash(below), States: []string{string(text)}, Cuts: 24})
			})
		}
	}
}

// Notes are written anew as their author likes.
func TestNotesAreEdited(t *testing.T) {
	sourcetest.Grow(t, sourcetest.Growing{
		Path:   "CLAUDE.md",
		States: []string{"# Build\n\nmake all\n", "# Build\n\nmake all\n\n# Test\n\nmake test\n", "# Intro\n\nhello\n\n# Build\n\nmake it all\n\n# Test\n\nmake test", "# Test\n\nnothing\n"},
		Source: func(root string) sources.Source {
			return sources.Notes{Folders: []sources.NotesFolder{{Dir: root, Project: "/p"}}}
		},
	})
}

func TestNovaGrows(t *testing.T) {
	sourcetest.Grow(t, sourcetest.Growing{
		Path: "60b4b528.jsonl", States: []string{novaSession},
		Source: func(root string) sources.Source { return nova{root: root} },
	})
}
