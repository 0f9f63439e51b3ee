package corpus

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hansard-search/hansard/corpus/internal/files"
	"github.com/hansard-search/hansard/corpus/internal/lock"
	"github.com/hansard-search/hansard/corpus/internal/published"
	"github.com/hansard-search/hansard/sources"
)

// stages is how a corpus comes to be in these tests: each changes the source,
// and an index run follows. The last ones make merges due.
func stages() []func(*sources.Memory) {
	shared := []sources.Record{pair("t1", "why is the build red", "a flaky test", 0), pair("t2", "fix it", "done", 1)}
	many := func(m *sources.Memory) {
		m.AppendRecords("s1", shared...)
		for i := range 12 {
			m.AppendRecords(fmt.Sprintf("many%d", i%3), pair(fmt.Sprintf("m%d", i), fmt.Sprintf("question %d", i), "answer", i))
		}
	}
	growth := func(m *sources.Memory) {
		m.AppendRecords("fork", append(slices.Clone(shared), pair("t4", "in the fork", "yes", 5))...)
		m.AppendRecords("s1", pair("t3", "in the main line", "yes", 4))
		m.Append(sources.Info{Session: "s1"}, sources.Event{Kind: sources.Title, Rank: 4, Text: "A name"})
	}
	all := []func(*sources.Memory){many, growth}
	for i := range mergeFanout {
		all = append(all, func(m *sources.Memory) {
			m.AppendRecords("s2", pair(fmt.Sprintf("g%d", i), "one more", "yes", 100+i))
		})
	}
	return all
}

// A broken run is one in which the n-th step failed.
type breaking struct {
	name        string
	kill, power bool
}

// TestEveryWritePointFailsOnce breaks each step of each run once, and kills the
// writer there, with and without what was not synced. What was published is
// answered as before, the next run gives what an index from scratch has, and
// nothing is left over.
func TestEveryWritePointFailsOnce(t *testing.T) {
	points := 0
	for _, how := range []breaking{{"fails", false, false}, {"killed", true, false}, {"power lost", true, true}} {
		base, src := t.TempDir(), new(sources.Memory)
		for i, stage := range stages() {
			before := dumpOrNone(t, base)
			stage(src)
			fresh := t.TempDir()
			syncDir(t, fresh, src, files.Unsynced{})
			after := dumpOrNone(t, fresh)
			merging := i >= len(stages())-2
			for n := 1; i < 2 || merging; n++ {
				dir := copyDir(t, base)
				fault := &files.Faulty{FS: files.Unsynced{}, At: n, Kill: how.kill, Power: how.power}
				b := faultBench{t, dir, src, fmt.Sprintf("%s, stage %d, step %d", how.name, i, n)}
				b.breakOnce(fault, before, after)
				os.RemoveAll(dir)
				if !fault.Failed() {
					break
				}
				points++
			}
			syncDir(t, base, src, files.Unsynced{})
		}
	}
	t.Logf("%d points broken", points)
	if points < 200 {
		t.Errorf("only %d points were broken", points)
	}
}

type faultBench struct {
	t    *testing.T
	dir  string
	src  *sources.Memory
	what string
}

func (b faultBench) config() Config {
	return Config{Dir: b.dir, Sources: []sources.Source{b.src}, Now: func() time.Time { return began.AddDate(0, 1, 0) }}
}

// breakOnce runs with the fault, then without.
func (b faultBench) breakOnce(fault *files.Faulty, before, after string) {
	b.t.Helper()
	ix, err := openIndexer(b.t.Context(), b.config(), fault)
	if err == nil {
		_, err = ix.Sync(b.t.Context(), SyncOptions{})
	}
	if err != nil && !errors.Is(err, files.ErrFault) {
		b.t.Fatalf("%s: %v", b.what, err)
	}
	got := dumpOrNone(b.t, b.dir)
	if got != before && got != after {
		b.t.Fatalf("%s: published after the fault:\n%s\nwas:\n%s", b.what, got, before)
	}
	if err == nil && got != after {
		b.t.Fatalf("%s: no error, and published is:\n%s\nnot:\n%s", b.what, got, after)
	}
	if ix != nil && !fault.Kill {
		// The same indexer goes on.
		if _, err := ix.Sync(b.t.Context(), SyncOptions{}); err != nil {
			b.t.Fatalf("%s: the run after: %v", b.what, err)
		}
	}
	if ix != nil {
		ix.Close()
	}
	syncDir(b.t, b.dir, b.src, files.Unsynced{}) // orphans go at the next lock
	if got := dumpOrNone(b.t, b.dir); got != after {
		b.t.Fatalf("%s: after the next run:\n%s\nwant:\n%s", b.what, got, after)
	}
	checkCorpus(b.t, b.dir)
	noOrphans(b.t, b.dir, b.what)
}

func syncDir(t *testing.T, dir string, src *sources.Memory, fsys files.FS) {
	t.Helper()
	ix, err := openIndexer(t.Context(), faultBench{t, dir, src, ""}.config(), fsys)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ix.Sync(t.Context(), SyncOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := ix.Close(); err != nil {
		t.Fatal(err)
	}
}

func dumpOrNone(t *testing.T, dir string) string {
	t.Helper()
	c, err := Open(dir)
	if errors.Is(err, ErrNoCorpus) {
		return ""
	}
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	return dump(t, c)
}

func copyDir(t *testing.T, from string) string {
	t.Helper()
	to, err := os.MkdirTemp(t.TempDir(), "copy")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	return to
}

// noOrphans fails when a file is there that the manifest does not name.
func noOrphans(t *testing.T, dir, what string) {
	t.Helper()
	m, err := published.ReadManifest(dir)
	if err != nil {
		t.Fatal(err)
	}
	named := []string{"MANIFEST", lock.Name, m.Transcripts.Name, tombstonesName, paramsName}
	for _, s := range m.Shards {
		named = append(named, filepath.Join(published.ShardsDir, s.Name))
	}
	err = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(dir, path)
		if err == nil && !e.IsDir() && !strings.HasPrefix(rel, ledgerDir) && !slices.Contains(named, rel) {
			t.Errorf("%s: %s is left over", what, rel)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestFlushFailsAndIsTriedAgain: what Add took stays searchable in the process
// while Flush fails, and the published index stays what it was.
func TestFlushFailsAndIsTriedAgain(t *testing.T) {
	for n := 1; ; n++ {
		b := newBench(t)
		b.src.AppendRecords("s1", pair("t0", "from a transcript", "yes", 0))
		b.sync()
		before := dumpOrNone(t, b.dir)
		fault := &files.Faulty{FS: files.Unsynced{}}
		ix, err := openIndexer(t.Context(), b.cfg, fault)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 20 {
			s, turn := addedTurn(i)
			if err := ix.Add(t.Context(), s, turn); err != nil {
				t.Fatal(err)
			}
		}
		fault.At = fault.Steps() + n
		err = ix.Flush(t.Context())
		if err != nil {
			if got := dumpOrNone(t, b.dir); got != before && strings.Count(got, "added-19") == 0 {
				t.Fatalf("step %d: published after a failed flush:\n%s", n, got)
			}
			c, err := ix.Snapshot()
			if err != nil {
				t.Fatal(err)
			}
			if _, err := c.Turn(t.Context(), "added-7"); err != nil {
				t.Errorf("step %d: an added turn after a failed flush: %v", n, err)
			}
			c.Close()
		}
		if err := ix.Flush(t.Context()); err != nil {
			t.Fatalf("step %d: the second flush: %v", n, err)
		}
		if err := ix.Close(); err != nil {
			t.Fatal(err)
		}
		if got := b.turns(Filter{}); len(got) != 21 {
			t.Fatalf("step %d: %d turns", n, len(got))
		}
		if !fault.Failed() {
			break
		}
	}
}

// faulty breaks step n, none for 0.
func faulty(n int) *files.Faulty { return &files.Faulty{FS: files.Unsynced{}, At: n} }

// TestRepairAndRestoreBreak breaks each write point of both once: the corpus is
// what it was, or whole; and trying again mends it.
func TestRepairAndRestoreBreak(t *testing.T) {
	b := benchOf(t, 60)
	want := dumpOrNone(t, b.dir)
	backup := filepath.Join(t.TempDir(), "backup")
	if _, err := b.open().Backup(t.Context(), backup); err != nil {
		t.Fatal(err)
	}
	breakEach := func(name string, harm func(dir string), do func(cfg Config, fsys files.FS) error) {
		for n := 1; ; n++ {
			c := bench{t: t, dir: copyDir(t, b.dir), src: b.src, cfg: b.cfg}
			c.cfg.Dir = c.dir
			harm(c.dir)
			fault := faulty(n)
			err := do(c.cfg, fault)
			if err != nil && !errors.Is(err, files.ErrFault) {
				t.Fatalf("%s, step %d: %v", name, n, err)
			}
			if err := do(c.cfg, files.Unsynced{}); err != nil {
				t.Fatalf("%s again after step %d: %v", name, n, err)
			}
			syncDir(t, c.dir, c.src, files.Unsynced{})
			if got := dumpOrNone(t, c.dir); got != want {
				t.Fatalf("%s, step %d: %v:\n%s", name, n, err, got)
			}
			checkCorpus(t, c.dir)
			noOrphans(t, c.dir, name)
			os.RemoveAll(c.dir)
			if !fault.Failed() {
				return
			}
		}
	}
	spoil := func(dir string) {
		if err := os.WriteFile(filepath.Join(dir, "MANIFEST"), []byte("nonsense"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	breakEach("repair", spoil, func(cfg Config, fsys files.FS) error { _, err := repair(t.Context(), cfg, fsys); return err })
	for _, harm := range []func(string){spoil, func(string) {}} {
		breakEach("restore", harm, func(cfg Config, fsys files.FS) error { _, err := restore(t.Context(), cfg, backup, fsys); return err })
	}
}
