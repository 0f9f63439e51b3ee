package sources

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNotesEntries(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       []string // path~twin: body
	}{
		{"empty", "", nil},
		{"no heading", "use tabs\n", []string{"~1: use tabs"}},
		{"headings", "# Api\nmake it\n## Build\n\ngo build ./...\n\n## Test ##\ngo test\n# Web\nnpm\n",
			[]string{"Api~1: make it", "Api > Build~1: go build ./...", "Api > Test~1: go test", "Web~1: npm"}},
		{"only other headings below", "intro\n# Api\n## Build\ngo build\n", []string{"~1: intro", "Api > Build~1: go build"}},
		{"the first heading says nothing", "# Api\n## Build\ngo build\n", []string{"~1: ", "Api > Build~1: go build"}},
		{"twins", "# A\none\n# A\ntwo\n", []string{"A~1: one", "A~2: two"}},
		{"code", "# A\n```sh\n# not a heading\n```\n#nor this\n####### nor that\n", []string{"A~1: ```sh\n# not a heading\n```\n#nor this\n####### nor that"}},
		{"front", "---\nname: lamp\ndescription: \"how it turns\"\ntype: project\n---\n\nTwelve seconds.\n## Why\nships\n",
			[]string{"lamp: how it turns~1: Twelve seconds.", "Why~1: ships"}},
		{"a rule", "---\nname: x\n", []string{"~1: ---\nname: x"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			end := 0
			for _, e := range notesEntries(test.text) {
				got = append(got, e.path+"~"+string(rune('0'+e.twin))+": "+e.body)
				if e.offset < end || strings.Count(test.text[:e.offset], "\n") != e.line {
					t.Errorf("place of %q: %+v", e.path, e)
				}
				end = e.offset + e.length
			}
			if d := cmp.Diff(test.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestNotesFiles(t *testing.T) {
	dir := t.TempDir()
	for path, text := range map[string]string{
		"api/CLAUDE.md": "# Build\nmake", "api/memory/lamp.md": "twelve", "api/memory/x.txt": "no", "api/README.md": "no",
		"web/AGENTS.md": "# Web\nnpm", "own/anything.md": "mine", "own/MEMORY.md": "# M\nm",
	} {
		path = filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("AGENTS.md", filepath.Join(dir, "web", "CLAUDE.md")); err != nil {
		t.Skip(err)
	}
	n := Notes{Folders: []NotesFolder{
		{Dir: filepath.Join(dir, "api"), Project: "/w/api"}, {Dir: filepath.Join(dir, "web")}, {Dir: filepath.Join(dir, "gone")},
		{Dir: filepath.Join(dir, "own"), All: true}, {Dir: filepath.Join(dir, "api")},
	}}
	var got []string
	for tr, err := range n.Transcripts(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range piAll(t, tr, Position{}) {
			if e.Kind == Prompt {
				got = append(got, strings.TrimPrefix(e.ID, dir+string(filepath.Separator))+" "+e.Cwd)
			}
		}
	}
	if d := cmp.Diff([]string{"api/CLAUDE.md#Build /w/api", "api/memory/lamp.md# /w/api", "web/CLAUDE.md#Web ", "own/MEMORY.md#M ", "own/anything.md# "}, got); d != "" {
		t.Error(d)
	}
}
