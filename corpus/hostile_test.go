//go:build unix

package corpus

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/hansard-search/hansard/sources"
)

// claudeBench is a corpus of files, as Claude Code leaves them.
type claudeBench struct {
	*bench
	root string
}

func newClaudeBench(t *testing.T) claudeBench {
	b := newBench(t)
	root := filepath.Join(t.TempDir(), "projects")
	b.cfg.Sources = []sources.Source{sources.Claude{Root: root}}
	b.cfg.Now = nil
	return claudeBench{b, root}
}

// lines is one turn as a transcript has it.
func turnLines(id, prompt, answer string) string {
	var out strings.Builder
	for _, l := range []map[string]any{
		{"type": "user", "uuid": id, "timestamp": "2026-10-01T09:00:00.000Z", "cwd": "/home/u/x", "message": map[string]any{"role": "user", "content": prompt}},
		{"type": "assistant", "uuid": id + "-a", "parentUuid": id, "timestamp": "2026-10-01T09:00:01.000Z", "cwd": "/home/u/x", "message": map[string]any{
			"id": "m" + id, "role": "assistant", "model": "m", "content": []any{map[string]any{"type": "text", "text": answer}}}},
	} {
		b, _ := json.Marshal(l)
		out.Write(append(b, '\n'))
	}
	return out.String()
}

func (b claudeBench) write(path, text string) string {
	b.t.Helper()
	path = filepath.Join(b.root, path)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		b.t.Fatal(err)
	}
	return path
}

// TestHostileTree: loops, pipes, devices and folders that cannot be read are
// passed over, in no time, and what is beside them is indexed.
func TestHostileTree(t *testing.T) {
	b := newClaudeBench(t)
	b.write("-p/good.jsonl", turnLines("g1", "gopher", "yes"))
	link := func(to, at string) {
		if err := os.Symlink(to, filepath.Join(b.root, at)); err != nil {
			t.Fatal(err)
		}
	}
	link(b.root, "-p/loop")
	link(b.root, "-loop")
	link("self.jsonl", "-p/self.jsonl")
	link("/dev/zero", "-p/zero.jsonl")
	link("nowhere", "-p/dangling.jsonl")
	if err := syscall.Mkfifo(filepath.Join(b.root, "-p/pipe.jsonl"), 0o600); err != nil {
		t.Fatal(err)
	}
	link("pipe.jsonl", "-p/topipe.jsonl")
	b.write("-p/folder.jsonl/x.jsonl", "")
	locked := filepath.Dir(b.write("-locked/l.jsonl", turnLines("l1", "locked", "yes")))
	unreadable := b.write("-p/unreadable.jsonl", turnLines("u1", "unreadable", "yes"))
	os.Chmod(locked, 0)
	os.Chmod(unreadable, 0)
	defer os.Chmod(locked, 0o700)
	rep := b.sync()
	got := b.turns(Filter{})
	if !slices.Contains(got, "g1") {
		t.Errorf("turns: %v, %+v", got, rep)
	}
	if os.Getuid() != 0 && (len(got) != 1 || rep.SkippedTotal < 2) {
		t.Errorf("what could not be read is not told: %v %+v", got, rep)
	}
	// When it can be read it is.
	os.Chmod(locked, 0o700)
	os.Chmod(unreadable, 0o600)
	b.sync()
	if got := b.turns(Filter{}); len(got) != 3 {
		t.Errorf("turns: %v", got)
	}
}

// TestHostileLines: what is no JSON, too deep, or full of odd characters costs
// its own line at most, and never the run.
func TestHostileLines(t *testing.T) {
	b := newClaudeBench(t)
	odd := "nul \x00 bidi \u202e lone \xed\xa0\x80 invalid \xff\xfe bell \x07 " + strings.Repeat("\u0301", 5000)
	bad := []string{
		strings.Repeat("[", 2_000_000),
		strings.Repeat(`{"a":`, 1_000_000) + "1" + strings.Repeat("}", 1_000_000),
		`{"type":"user","message":` + strings.Repeat(`{"content":[`, 100_000),
		"\x00\x00\x00\x00", "\xff\xfe", `{"type":"user"`, `null`, `"text"`, `[]`, `{}`, strings.Repeat("x", 1<<20),
		`{"type":"user","uuid":"` + strings.Repeat("u", 1<<20) + `","message":{"role":"user","content":"long id"}}`,
		`{"type":"user","uuid":"lone","timestamp":"2026-10-01T09:00:00.000Z","message":{"role":"user","content":"lone \ud800 surrogate"}}`,
		`{"type":"user","uuid":"raw","timestamp":"not a time","cwd":"\u0000","message":{"role":"user","content":"` + strings.ReplaceAll(odd, "\x00", "") + `"}}`,
		`{"type":"user","uuid":"deep","message":{"role":"user","content":` + strings.Repeat(`[`, 20_000) + strings.Repeat(`]`, 20_000) + `}}`,
	}
	text := turnLines("first", "first", odd) + strings.Join(bad, "\n") + "\n" + turnLines("last", odd, "last")
	b.write("-p/s.jsonl", text)
	b.sync()
	for _, id := range []string{"first", "last"} {
		if r, err := b.open().Turn(t.Context(), id); err != nil || r.Prompt == "" || r.Summary == "" {
			t.Errorf("%s: %v", id, err)
		}
	}
	if rep := b.sync(); rep.Added+rep.Changed != 0 {
		t.Errorf("a second run: %+v", rep)
	}
	if _, err := b.open().Search(t.Context(), Query{Text: odd}); err != nil {
		t.Errorf("searching for it: %v", err)
	}
}

// TestFilesThatChangeUnderTheReader lets transcripts shrink, grow, vanish and be
// replaced while they are read; when they rest, everything is as in an index
// made then, but for turns that were seen and are no more.
func TestFilesThatChangeUnderTheReader(t *testing.T) {
	b := newClaudeBench(t)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		for i := 0; ctx.Err() == nil; i++ {
			path := filepath.Join(b.root, "-p", fmt.Sprintf("s%d.jsonl", i%4))
			text := ""
			for n := range 1 + i%7 {
				text += turnLines(fmt.Sprintf("s%d-%d", i%4, n), fmt.Sprintf("question %d", n), "answer")
			}
			switch i % 5 {
			case 0:
				os.Remove(path)
			case 1:
				os.Truncate(path, int64(i*37%2000))
			default:
				os.MkdirAll(filepath.Dir(path), 0o755)
				os.WriteFile(path, []byte(text), 0o644)
			}
		}
	}()
	for range 30 {
		b.sync()
	}
	cancel()
	<-done
	for i := range 4 {
		text := ""
		for n := range 8 {
			text += turnLines(fmt.Sprintf("s%d-%d", i, n), fmt.Sprintf("question %d", n), "answer")
		}
		b.write(fmt.Sprintf("-p/s%d.jsonl", i), text)
	}
	b.sync()
	fresh := newBench(t)
	fresh.cfg.Sources, fresh.cfg.Now = b.cfg.Sources, nil
	fresh.sync()
	if got, want := dumpOrNone(t, b.dir), dumpOrNone(t, fresh.dir); got != want {
		t.Errorf("after the storm:\n%s\nwant:\n%s", got, want)
	}
}

// TestOddStats: transcripts from the future, and of one session id in two
// projects, and with names that differ in case alone: nothing is lost.
func TestOddStats(t *testing.T) {
	b := newClaudeBench(t)
	ahead := b.write("-p/ahead.jsonl", turnLines("f1", "from the future", "yes"))
	later := time.Now().AddDate(5, 0, 0)
	if err := os.Chtimes(ahead, later, later); err != nil {
		t.Fatal(err)
	}
	b.write("-p/same.jsonl", turnLines("a1", "in the first project", "yes"))
	b.write("-q/same.jsonl", turnLines("b1", "in the second project", "yes"))
	b.write("-p/Case.jsonl", turnLines("c1", "a large letter", "yes"))
	b.write("-p/case.jsonl", turnLines("c2", "a small letter", "yes"))
	b.sync()
	want := []string{"a1", "b1", "c1", "c2", "f1"}
	if e, _ := os.ReadDir(filepath.Join(b.root, "-p")); len(e) == 3 { // a disk that knows no case
		want = slices.Delete(want, 2, 3)
	}
	if got := b.turns(Filter{}); !slices.Equal(got, want) {
		t.Errorf("turns: %v", got)
	}
	if got := b.turns(Filter{Session: "same"}); !slices.Equal(got, []string{"a1", "b1"}) {
		t.Errorf("turns of the session in two projects: %v", got)
	}
	if err := os.WriteFile(ahead, []byte(turnLines("f1", "from the future", "yes")+turnLines("f2", "and more", "yes")), 0o644); err != nil {
		t.Fatal(err)
	}
	os.Chtimes(ahead, later, later)
	os.Remove(filepath.Join(b.root, "-q/same.jsonl"))
	b.sync()
	if got := b.turns(Filter{}); len(got) != len(want)+1 {
		t.Errorf("turns after growth in the future: %v", got)
	}
	if rep := b.sync(); rep.Added+rep.Changed != 0 {
		t.Errorf("a run more: %+v", rep)
	}
}

// TestNothingIsReadableByOthers makes, grows, prunes, forgets, repairs, backs up and
// restores a corpus with a umask that forbids nothing.
func TestNothingIsReadableByOthers(t *testing.T) {
	old := syscall.Umask(0)
	defer syscall.Umask(old)
	b := damagedBench(t)
	root := t.TempDir()
	b.dir = filepath.Join(root, "data", "hansard", "corpus")
	b.cfg.Dir = b.dir
	b.sync()
	b.src.AppendRecords("s1", pair("more", "more", "yes", 5000))
	b.sync()
	if _, err := b.forget(Forgetting{Sessions: []string{"s2"}}); err != nil {
		t.Fatal(err)
	}
	b.syncWith(SyncOptions{Full: true})
	for _, name := range []string{"folder", "file.tar.gz"} {
		if _, err := b.open().Backup(t.Context(), filepath.Join(root, name)); err != nil {
			t.Fatal(err)
		}
		if _, err := Restore(t.Context(), b.cfg, filepath.Join(root, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Remove(filepath.Join(b.dir, "MANIFEST")); err != nil {
		t.Fatal(err)
	}
	b.repair()
	files := 0
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || path == root {
			return err
		}
		info, err := e.Info()
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %v", path, info.Mode())
		}
		files++
		return err
	})
	if err != nil || files < 8 {
		t.Errorf("%d files: %v", files, err)
	}
}
