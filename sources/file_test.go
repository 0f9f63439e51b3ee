package sources

import (
	"context"
	"errors"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// foundIn lists what a folder's files are called below root.
func foundIn(t *testing.T, f Folder, root string) (names []string, errs []error) {
	t.Helper()
	for tr, err := range f.Transcripts(t.Context(), func(in Info) Transcript {
		if strings.HasPrefix(in.Session, "no") {
			return nil
		}
		return found{FileOf(in)}
	}) {
		if err != nil {
			errs = append(errs, err)
			continue
		}
		name, err := filepath.Rel(root, tr.Info().Path)
		in := tr.Info()
		if err != nil || in.Size != 3 || in.ModTime == 0 || in.Lane != Main || in.Session+filepath.Ext(name) != filepath.Base(name) {
			t.Errorf("%s: %+v", name, in)
		}
		names = append(names, filepath.ToSlash(name))
	}
	slices.Sort(names)
	return names, errs
}

type found struct{ File }

func (found) Events(context.Context, Position) iter.Seq2[Event, error] { return nil }

func TestFolder(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{"a.jsonl", "b.txt", "no.jsonl", "d/c.jsonl", "d/e/f.jsonl"} {
		p := filepath.Join(root, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(p), 0o700), os.WriteFile(p, []byte("x\ny"), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		folder Folder
		want   string
	}{
		{Folder{}, ""},
		{Folder{Root: filepath.Join(root, "none")}, ""},
		{Folder{Root: root}, "a.jsonl b.txt"},
		{Folder{Root: root, Name: "*.jsonl"}, "a.jsonl"},
		{Folder{Root: root, Name: "*.jsonl", Depth: 2}, "a.jsonl d/c.jsonl"},
		{Folder{Root: root, Name: "?.jsonl", Depth: 9}, "a.jsonl d/c.jsonl d/e/f.jsonl"},
	} {
		got, errs := foundIn(t, tt.folder, root)
		if strings.Join(got, " ") != tt.want || len(errs) > 0 {
			t.Errorf("%+v: %v %v, want %s", tt.folder, got, errs, tt.want)
		}
	}
	if _, errs := foundIn(t, Folder{Root: root, Name: "["}, root); len(errs) != 1 {
		t.Errorf("a bad pattern: %v", errs)
	}
}

// linesOf reads a file's lines on from a position.
func linesOf(f File, from Position) (texts []string, at []Position, err error) {
	for l, e := range f.Lines(context.Background(), from) {
		if e != nil {
			err = e
			continue
		}
		text := string(l.Bytes)
		if !l.Ended {
			text += "..."
		}
		texts, at = append(texts, text), append(at, l.Position("carried"))
	}
	return texts, at, err
}

// Lines are the text, and read on from the position of each they are the rest.
func TestFileLines(t *testing.T) {
	p := filepath.Join(t.TempDir(), "f")
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`([a-z]{0,5}\r?\n){0,5}[a-z]{0,3}`).Draw(t, "text")
		if err := os.WriteFile(p, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		f := FileOf(Info{Path: p})
		got, at, err := linesOf(f, Position{})
		want := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
		if want[len(want)-1] += "..."; want[len(want)-1] == "..." {
			want = want[:len(want)-1]
		}
		if !slices.Equal(got, want) || err != nil {
			t.Fatalf("%q %v, want %q", got, err, want)
		}
		for i, from := range at {
			if rest, _, err := linesOf(f, from); !slices.Equal(rest, want[i:]) || err != nil || from.Carry != "carried" || from.Line != i {
				t.Fatalf("on from %+v: %q %v, want %q", from, rest, err, want[i:])
			}
		}
	})
}

func TestFileLinesErrors(t *testing.T) {
	p := filepath.Join(t.TempDir(), "f")
	f := FileOf(Info{Path: p})
	if _, _, err := linesOf(f, Position{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	if err := os.WriteFile(p, []byte("one\ntwo\nthree\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, at, _ := linesOf(f, Position{})
	for text, rewritten := range map[string]bool{"one\ntwo\nthree\nfour": false, "one\ntwo\n": false, "one\ntwo": true, "one\ntoo\nthree\n": true, "": true} {
		if err := os.WriteFile(p, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		got, _, err := linesOf(f, at[2])
		if errors.Is(err, ErrRewritten) != rewritten || rewritten && len(got) > 0 {
			t.Errorf("%q: %q %v", text, got, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := os.WriteFile(p, []byte("one\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for l, err := range f.Lines(ctx, Position{}) {
		if l.Bytes != nil || !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled: %+v %v", l, err)
		}
	}
}

func TestLineJSON(t *testing.T) {
	for _, tt := range []struct {
		text    string
		ended   bool
		ok      bool
		skipped bool
	}{
		{`{"a":1}`, true, true, false},
		{`{"a":1}`, false, true, false},
		{`{"a":`, true, false, true},
		{`{"a":`, false, false, false},
		{`{"a":"x"}`, false, false, true},
		{" \t", true, false, false},
		{"", false, false, false},
		{`{"a":1}{"a":2}`, true, false, true},
	} {
		var v struct{ A int }
		ok, err := Line{Bytes: []byte(tt.text), Ended: tt.ended, Number: 6, path: "/p"}.JSON(&v)
		var skipped *Skipped
		if ok != tt.ok || (err != nil) != tt.skipped || err != nil && (!errors.As(err, &skipped) || skipped.Line != 7 || skipped.Path != "/p") {
			t.Errorf("%q, ended %v: %v %v", tt.text, tt.ended, ok, err)
		}
	}
	if text := (Line{Bytes: []byte("a\xff\xfeb\xe2\x82")}).Text(); text != "a\uFFFDb\uFFFD" {
		t.Errorf("%q is not UTF-8 any more, or not yet", text)
	}
	if at := (Line{}).Position(""); at != (Position{}) {
		t.Errorf("the zero Line is at %+v", at)
	}
}

// Replay is what Memory says of the same events.
func TestReplay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		events := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Event {
			return Event{Kind: rapid.SampledFrom([]Kind{Prompt, AssistantText}).Draw(t, "kind"), Text: rapid.SampledFrom([]string{"a", "b"}).Draw(t, "text"), ID: "1"}
		}), 0, 6).Draw(t, "events")
		m := &Memory{}
		m.Append(Info{Session: "s"}, events...)
		var of Transcript
		for tr := range m.Transcripts(context.Background()) {
			of = tr
		}
		n := rapid.Int64Range(-1, int64(len(events)+1)).Draw(t, "offset")
		from := Position{Offset: n, Tail: rapid.Uint64Range(0, 1).Draw(t, "tail")}
		if n > 0 && n <= int64(len(events)) {
			from.Tail += m.transcripts["memory:s"].sumAt(n)
		}
		want, wantErr := collect(of.Events(context.Background(), from))
		got, err := collect(Replay(context.Background(), from, func() ([]Event, error) { return slices.Clone(events), nil }))
		if !slices.EqualFunc(got, want, func(a, b Event) bool { return a.Text == b.Text && a.Span == b.Span && a.From == b.From }) || !errors.Is(err, wantErr) {
			t.Fatalf("from %+v: %v %v, want %v %v", from, got, err, want, wantErr)
		}
	})
	failed := errors.New("failed")
	if got, err := collect(Replay(t.Context(), Position{}, func() ([]Event, error) { return []Event{{}}, failed })); err != failed || len(got) > 0 {
		t.Errorf("%v %v", got, err)
	}
}

func collect(seq func(func(Event, error) bool)) (all []Event, last error) {
	for e, err := range seq {
		if last = err; err == nil {
			all = append(all, e)
		}
	}
	return all, last
}
