package corpus

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hansard-search/hansard/sources"
)

// realCorpus is the folder of published transcripts that some tests read.
func realCorpus(t *testing.T) string {
	dir := os.Getenv("HANSARD_REAL_CORPUS")
	if dir == "" {
		t.Skip("HANSARD_REAL_CORPUS is not set")
	}
	return dir
}

// onDisk is a corpus under test that is fed by Claude transcripts in a folder.
func onDisk(t *testing.T, root string) *bench {
	b := newBench(t)
	b.cfg.Sources = []sources.Source{sources.Claude{Root: root}}
	b.cfg.Now = nil
	return b
}

func TestRealCorpusIndexesOnce(t *testing.T) {
	dir := realCorpus(t)
	b := newBench(t)
	b.cfg.Sources = []sources.Source{
		sources.Claude{Root: filepath.Join(dir, "claude", "projects")}, sources.Pi{Root: filepath.Join(dir, "sessions")},
	}
	rep := b.sync()
	pi := len(b.turns(Filter{Source: "pi"}))
	if pi != 143 || rep.SkippedTotal != 0 {
		t.Errorf("%d turns of pi, %d lines skipped: %v", pi, rep.SkippedTotal, rep.Skipped)
	}
	rep = b.sync()
	if rep.Added+rep.Changed+rep.Removed+rep.RecordsChanged != 0 || rep.Transcripts.Opened != 0 || rep.LedgerOpened {
		t.Errorf("a second run: %+v", rep)
	}
}

// TestRealGrowth lays the snapshots of growing sessions over one another and
// indexes after each. The result is that of one index of the last snapshots, and
// a step reads no more than what was added and the last turn.
func TestRealGrowth(t *testing.T) {
	sessions, err := filepath.Glob(filepath.Join(realCorpus(t), "growth", "claude", "*", "*"))
	if err != nil || len(sessions) == 0 {
		t.Fatal("no growing sessions:", err)
	}
	root := t.TempDir()
	grown := onDisk(t, root)
	for _, dir := range sessions {
		growReal(t, grown, root, dir)
	}
	once := onDisk(t, root)
	once.sync()
	if a, b := readDump(t, grown.dir), readDump(t, once.dir); a != b {
		t.Errorf("grown and built at once differ: %s", firstDifference(a, b))
	}
}

// stepSlack is what a step may read beyond the added bytes and the last turn.
const stepSlack = 64 << 10

func growReal(t *testing.T, b *bench, root, dir string) {
	t.Helper()
	snapshots, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if err != nil || len(snapshots) == 0 {
		t.Fatal(dir, err)
	}
	project := filepath.Join(root, filepath.Base(filepath.Dir(dir)))
	path := filepath.Join(project, filepath.Base(dir)+".jsonl")
	if err := os.MkdirAll(project, 0o700); err != nil {
		t.Fatal(err)
	}
	var size, lastTurn int64
	var before []string
	for i, name := range snapshots {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		rep := b.sync()
		added := int64(len(text)) - size
		if rep.BytesRead > added+lastTurn+stepSlack {
			t.Errorf("%s: read %d bytes for %d added, the last turn has %d", name, rep.BytesRead, added, lastTurn)
		}
		after := b.turns(Filter{Session: filepath.Base(dir)})
		if fresh := len(after) - len(before); rep.Added != fresh || i > 0 && rep.Changed > 1 {
			t.Errorf("%s: %d turns more, reported %d added and %d changed", name, fresh, rep.Added, rep.Changed)
		}
		size, before = int64(len(text)), after
		lastTurn = size - lastOffset(t, b, path)
	}
}

// lastOffset is where the last turn of a transcript starts.
func lastOffset(t *testing.T, b *bench, path string) int64 {
	c := b.open()
	for row := range loadTable(b.dir, c.cur.Manifest).All() {
		if row.Path == path {
			return row.From.Offset
		}
	}
	t.Fatal("no row of", path)
	return 0
}

func firstDifference(a, b string) string {
	as, bs := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(as), len(bs)) {
		if as[i] != bs[i] {
			return "\n" + as[i] + "\n" + bs[i]
		}
	}
	return "one has more lines"
}

// TestRealOrderDoesNotMatter indexes the projects in another order, the files of
// each from the last by name to the first.
func TestRealOrderDoesNotMatter(t *testing.T) {
	dir := filepath.Join(realCorpus(t), "claude", "projects")
	once := onDisk(t, dir)
	once.sync()
	root := t.TempDir()
	grown := onDisk(t, root)
	files, err := filepath.Glob(filepath.Join(dir, "*", "*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatal("no transcripts:", err)
	}
	slices.Reverse(files)
	for i, from := range files {
		to := filepath.Join(root, strings.TrimPrefix(from, dir))
		if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, text, 0o600); err != nil {
			t.Fatal(err)
		}
		if i%8 == 7 {
			grown.sync()
		}
	}
	grown.sync()
	a, b := readDump(t, grown.dir), readDump(t, once.dir)
	if a = strings.ReplaceAll(a, root, dir); a != b {
		t.Errorf("another order gives another index: %s", firstDifference(a, b))
	}
}
