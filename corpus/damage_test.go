package corpus

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/hansard-search/hansard/corpus/internal/files"
	"github.com/hansard-search/hansard/corpus/internal/published"
	"github.com/hansard-search/hansard/sources"
)

// damagedBench is a corpus with several shards, copies, titles, gone documents
// and a ledger.
func damagedBench(t *testing.T) *bench { return benchOf(t, ledgerNotes) }

// benchOf is it with other than so many turns: below ledgerNotes without a ledger.
func benchOf(t *testing.T, turns int) *bench {
	b := &bench{t: t, dir: t.TempDir(), src: new(sources.Memory)}
	if turns >= ledgerNotes {
		b.wantLedger()
	}
	b.cfg = faultBench{t, b.dir, b.src, ""}.config()
	b.src.AppendRecords("s0", pair("first", "the very first question", "its answer", 0))
	for i := range turns {
		b.src.AppendRecords(fmt.Sprintf("s%d", i%20), pair(fmt.Sprintf("t%03d", i), fmt.Sprintf("why does gopher number%d fail", i), fmt.Sprintf("because of reason%d", i), i))
	}
	b.sync()
	b.src.AppendRecords("copy", pair("first", "the very first question", "its answer", 0), pair("own", "a question of its own", "yes", 900))
	b.src.Append(sources.Info{Session: "s3"}, sources.Event{Kind: sources.Title, Rank: 4, Text: "gopher trouble"})
	b.sync()
	b.src.AppendRecords("s5", pair("late", "a late gopher", "", 950))
	b.sync()
	b.src.Append(sources.Info{Session: "s5"}, sources.Event{Kind: sources.AssistantText, Text: "a late reason5", Time: began})
	b.sync()
	return b
}

// said is what a corpus answers to one question, with whether it says that
// something is damaged.
type said struct {
	text    string
	flagged bool
}

// ask asks a corpus everything that there is to ask.
func askAll(t *testing.T, c *Corpus) map[string]said {
	answers := map[string]said{}
	put := func(name string, v any, lacks []string, err error) {
		if err != nil {
			answers[name] = said{err.Error(), isDamage(err)}
			return
		}
		answers[name] = said{asJSON(t, v), len(lacks) > 0}
	}
	for _, q := range []string{"gopher", "reason5 number7", `"very first"`, "trouble", "surface:user_prompt late", "gopher session:s3", "*"} {
		a, err := c.Search(t.Context(), Query{Text: q, Limit: 20, Window: true, Before: 1, After: 1})
		if err != nil {
			put(q, nil, nil, err)
			continue
		}
		put(q, a, a.Scope.Damaged, nil)
	}
	if l, err := c.Sessions(t.Context(), Filter{}, 0, 0); err != nil {
		put("sessions", nil, nil, err)
	} else {
		put("sessions", l, l.Damaged, nil)
	}
	for _, id := range []string{"first", "t042", "late"} {
		if r, err := c.Turn(t.Context(), id); err != nil {
			put("turn "+id, nil, nil, err)
		} else {
			put("turn "+id, r, r.Damaged, nil)
		}
	}
	if p, err := c.Session(t.Context(), "s5", 0, 10); err != nil {
		put("session", nil, nil, err)
	} else {
		put("session", p, p.Damaged, nil)
	}
	var all strings.Builder
	var failed error
	for r, err := range c.Export(t.Context(), Filter{}) {
		if failed = err; err == nil {
			all.WriteString(asJSON(t, r))
		}
	}
	put("export", all.String(), nil, failed)
	return answers
}

func isDamage(err error) bool {
	var d *DamageError
	return errors.As(err, &d) && d.File != ""
}

// harm damages one file at random: mostly a bit, sometimes its end or all of it.
func harm(t *testing.T, r *rand.Rand, path string, whole []byte) (what string) {
	bad := append([]byte(nil), whole...)
	switch k := r.IntN(10); {
	case k == 0:
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		return "removed"
	case k < 3 && len(bad) > 0:
		bad = bad[:r.IntN(len(bad))]
		what = fmt.Sprintf("cut to %d of %d bytes", len(bad), len(whole))
	case len(bad) > 0:
		at, bit := r.IntN(len(bad)), r.IntN(8)
		bad[at] ^= 1 << bit
		what = fmt.Sprintf("bit %d of byte %d of %d", bit, at, len(whole))
	}
	if err := os.WriteFile(path, bad, 0o600); err != nil {
		t.Fatal(err)
	}
	return what
}

func indexFiles(t *testing.T, dir string) (files []string) {
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// TestDamageIsNeverAnswered flips bits and cuts files of an index, as often as
// HANSARD_DAMAGE says. Each time every answer is what it was, or says what is
// damaged; and a writer takes no harm from it.
func TestDamageIsNeverAnswered(t *testing.T) {
	times := 150
	if n, err := strconv.Atoi(os.Getenv("HANSARD_DAMAGE")); err == nil {
		times = n
	}
	b := damagedBench(t)
	want := askAll(t, b.open())
	wantDump := dumpOrNone(t, b.dir)
	files := indexFiles(t, b.dir)
	r := rand.New(rand.NewPCG(5, uint64(times)))
	detected, runs := 0, 0
	for n := range times {
		path := files[r.IntN(len(files))]
		whole, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		rel, _ := filepath.Rel(b.dir, path)
		what := fmt.Sprintf("%d: %s, %s", n, rel, harm(t, r, path, whole))
		if compareAnswers(t, b.dir, what, want) {
			detected++
		}
		reader := strings.HasPrefix(rel, published.ShardsDir) || rel == "MANIFEST"
		if n%25 == 0 || !reader && n%5 == 0 {
			runs++
			runDamaged(t, b, what, wantDump, !reader)
		}
		if err := os.WriteFile(path, whole, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d damaged, %d noticed by readers, %d runs of the writer", times, detected, runs)
	if detected == 0 {
		t.Error("nothing was noticed")
	}
}

// compareAnswers reports whether damage was noticed.
func compareAnswers(t *testing.T, dir, what string, want map[string]said) (noticed bool) {
	c, err := Open(dir)
	if err != nil {
		if !isDamage(err) && !errors.Is(err, ErrNewer) && !errors.Is(err, ErrNoCorpus) {
			t.Fatalf("%s: opening: %v", what, err)
		}
		return true
	}
	defer c.Close()
	for name, got := range askAll(t, c) {
		noticed = noticed || got.flagged
		if !got.flagged && got.text != want[name].text {
			t.Fatalf("%s: %s answers\n%s\nwant\n%s", what, name, got.text, want[name].text)
		}
	}
	return noticed
}

// runDamaged indexes a copy of the damaged corpus, of which the source did not
// change. Damage in a cache is mended on the way.
func runDamaged(t *testing.T, b *bench, what, want string, cache bool) {
	copied := bench{t: t, dir: copyDir(t, b.dir), src: b.src, cfg: b.cfg}
	defer os.RemoveAll(copied.dir)
	copied.cfg.Dir = copied.dir
	ix, err := openIndexer(t.Context(), copied.cfg, files.Unsynced{})
	if err == nil {
		_, err = ix.Sync(t.Context(), SyncOptions{Full: true})
		ix.Close()
	}
	switch {
	case err == nil && dumpOrNone(t, copied.dir) == want:
	case cache || !isDamage(err) && !errors.Is(err, ErrNewer):
		t.Fatalf("%s: a run on it: %v\n%s", what, err, dumpOrNone(t, copied.dir))
	}
}

// TestFileShrinksUnderAReader: what is mapped and gone is an error that names
// the file, and then the rest is answered.
func TestFileShrinksUnderAReader(t *testing.T) {
	b := damagedBench(t)
	c := b.open()
	shard := ""
	for _, f := range indexFiles(t, filepath.Join(b.dir, published.ShardsDir)) {
		if info, err := os.Stat(f); err == nil && (shard == "" || info.Size() > 100<<10) {
			shard = f
		}
	}
	before := askAll(t, c)
	if err := os.Truncate(shard, 0); err != nil {
		t.Fatal(err)
	}
	for name, got := range askAll(t, c) {
		if !got.flagged && got.text != before[name].text || got.flagged && !strings.Contains(got.text, filepath.Base(shard)) {
			t.Errorf("%s answers %s", name, got.text)
		}
	}
	a, err := c.Search(t.Context(), Query{Text: "*"})
	if err != nil || len(a.Scope.Damaged) != 1 {
		t.Errorf("after the fault: %v %v", a, err)
	}
}

// TestLostManifestIsNotANewIndex: an index that lost its manifest is damaged; a
// writer must not take its shards for a killed run's and remove them.
func TestLostManifestIsNotANewIndex(t *testing.T) {
	b := damagedBench(t)
	if err := os.Remove(filepath.Join(b.dir, "MANIFEST")); err != nil {
		t.Fatal(err)
	}
	before := len(indexFiles(t, b.dir))
	if _, err := Open(b.dir); !isDamage(err) {
		t.Errorf("opening: %v", err)
	}
	if _, err := OpenIndexer(t.Context(), b.cfg); !isDamage(err) {
		t.Errorf("opening for writing: %v", err)
	}
	if after := len(indexFiles(t, b.dir)); after != before {
		t.Errorf("%d files of %d are left", after, before)
	}
}
