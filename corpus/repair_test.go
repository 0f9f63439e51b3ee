package corpus

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/hansard-search/hansard/corpus/internal/published"
)

func (b *bench) repair() *Repaired {
	b.t.Helper()
	rep, err := Repair(b.t.Context(), b.cfg)
	if err != nil {
		b.t.Fatal(err)
	}
	return rep
}

// TestRepairThenIndexIsWhole damages one file after the other: after repair and
// an index run everything is there again.
func TestRepairThenIndexIsWhole(t *testing.T) {
	b := damagedBench(t)
	want := dumpOrNone(t, b.dir)
	if rep := b.repair(); !rep.OK || len(rep.Problems) > 0 {
		t.Errorf("a sound corpus: %+v", rep)
	}
	r := rand.New(rand.NewPCG(2, 3))
	for _, path := range indexFiles(t, b.dir) {
		times := 1
		if os.Getenv("HANSARD_DAMAGE") != "" {
			times = 20
		}
		for range times {
			rel, _ := filepath.Rel(b.dir, path)
			c := bench{t: t, dir: copyDir(t, b.dir), src: b.src, cfg: b.cfg}
			c.cfg.Dir = c.dir
			file := filepath.Join(c.dir, rel)
			whole, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			what := rel + ", " + harm(t, r, file, whole)
			rep := c.repair()
			if _, err := Open(c.dir); err != nil {
				t.Fatalf("%s: opening after repair: %v", what, err)
			}
			checkRepaired(t, c.dir, what)
			c.sync()
			if got := dumpOrNone(t, c.dir); got != want {
				t.Fatalf("%s: %+v: after repair and index:\n%s\nwant:\n%s", what, rep, got, want)
			}
			checkCorpus(t, c.dir)
			noOrphans(t, c.dir, what)
			os.RemoveAll(c.dir)
		}
	}
}

// checkRepaired: nothing is wrong any more, although no transcript was read again.
func checkRepaired(t *testing.T, dir, what string) {
	t.Helper()
	problems, err := checkDir(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Errorf("%s: repaired, and yet %+v", what, p)
	}
}

// TestRepairKeepsWhatCannotBeReadAgain: with every transcript gone, a flipped bit
// costs the documents of its page at most, and a lost manifest none.
func TestRepairKeepsWhatCannotBeReadAgain(t *testing.T) {
	b := damagedBench(t)
	for i := range 20 {
		b.src.Remove(fmt.Sprintf("memory:s%d", i))
	}
	b.src.Remove("memory:copy")
	b.sync()
	total := len(b.turns(Filter{}))
	var large string
	size := int64(0)
	for _, f := range indexFiles(t, filepath.Join(b.dir, published.ShardsDir)) {
		if info, err := os.Stat(f); err == nil && info.Size() > size {
			large, size = f, info.Size()
		}
	}
	whole, err := os.ReadFile(large)
	if err != nil {
		t.Fatal(err)
	}
	intact, saved := copyDir(t, b.dir), 0
	for at := 600; at < len(whole); at += len(whole) / 7 {
		d := bench{t: t, dir: copyDir(t, intact), src: b.src, cfg: b.cfg}
		d.cfg.Dir = d.dir
		bad := append([]byte(nil), whole...)
		bad[at] ^= 8
		if err := os.WriteFile(filepath.Join(d.dir, published.ShardsDir, filepath.Base(large)), bad, 0o600); err != nil {
			t.Fatal(err)
		}
		rep := d.repair()
		if saved += rep.Saved; rep.OK || rep.Turns+rep.Lost != total {
			t.Errorf("byte %d of %d: %d turns, %d lost, of %d", at, len(whole), rep.Turns, rep.Lost, total)
		}
		checkRepaired(t, d.dir, "a flipped bit")
		os.RemoveAll(d.dir)
	}
	if saved < 2*total {
		t.Errorf("%d turns were saved in all, of %d each time", saved, total)
	}

	c := damagedBench(t)
	before := dumpOrNone(t, c.dir)
	if err := os.Remove(filepath.Join(c.dir, "MANIFEST")); err != nil {
		t.Fatal(err)
	}
	if rep := c.repair(); !rep.Rebuilt || rep.Lost > 0 {
		t.Errorf("of a lost manifest: %+v", rep)
	}
	if got := dumpOrNone(t, c.dir); got != before {
		t.Errorf("a manifest made anew:\n%s\nwas:\n%s", got, before)
	}
	checkCorpus(t, c.dir)
}

// TestRepairOfATableOfContents damages the end of every shard, where the table of
// contents lies, as often as HANSARD_DAMAGE says: nothing is lost, although no
// transcript is there any more, and until it is repaired all is found.
func TestRepairOfATableOfContents(t *testing.T) {
	times := 10
	if n, err := strconv.Atoi(os.Getenv("HANSARD_DAMAGE")); err == nil {
		times = n
	}
	b := damagedBench(t)
	for i := range 20 {
		b.src.Remove(fmt.Sprintf("memory:s%d", i))
	}
	b.src.Remove("memory:copy")
	b.sync()
	want, answers, total := dumpOrNone(t, b.dir), askAll(t, b.open()), len(b.turns(Filter{}))
	r := rand.New(rand.NewPCG(6, uint64(times)))
	saved := 0
	for n := range times {
		c := bench{t: t, dir: copyDir(t, b.dir), src: b.src, cfg: b.cfg}
		c.cfg.Dir = c.dir
		for _, f := range indexFiles(t, filepath.Join(c.dir, published.ShardsDir)) {
			harmEnd(t, r, f)
		}
		if compareAnswers(t, c.dir, fmt.Sprintf("time %d", n), answers) {
			t.Error("answers lack what the other table tells")
		}
		rep := c.repair()
		saved += rep.Saved
		if rep.OK || rep.Lost > 0 || rep.Turns != total || rep.Saved != total {
			t.Errorf("time %d: %+v, of %d turns", n, rep, total)
		}
		if got := dumpOrNone(t, c.dir); got != want {
			t.Errorf("time %d: after repair:\n%s\nwant:\n%s", n, got, want)
		}
		checkCorpus(t, c.dir)
		os.RemoveAll(c.dir)
	}
	t.Logf("%d times, %d turns saved, none lost", times, saved)
}

// harmEnd makes up to twenty bytes of the last four hundred others.
func harmEnd(t *testing.T, r *rand.Rand, path string) {
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	at := len(whole) - 1 - r.IntN(400)
	for i := at; i < min(len(whole), at+1+r.IntN(20)); i++ {
		whole[i] ^= byte(1 + r.IntN(255))
	}
	if err := os.WriteFile(path, whole, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestRepairRefuses(t *testing.T) {
	b := newBench(t)
	b.cfg.Dir = filepath.Join(b.dir, "nothing")
	if _, err := Repair(t.Context(), b.cfg); !errors.Is(err, ErrNoCorpus) {
		t.Errorf("nothing to repair: %v", err)
	}
}

// TestForgottenStaysForgottenWithoutManifest: a lost manifest takes no tombstone
// with it.
func TestForgottenStaysForgottenWithoutManifest(t *testing.T) {
	b := newBench(t)
	b.src.AppendRecords("s1", pair("t1", "first", "yes", 0))
	b.src.AppendRecords("s2", pair("t2", "second", "yes", 1))
	b.sync()
	if _, err := b.forget(Forgetting{Sessions: []string{"s1"}}); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(b.dir, "MANIFEST"), []byte("nonsense"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenIndexer(t.Context(), b.cfg); !isDamage(err) {
		t.Errorf("a damaged manifest: %v", err)
	}
	b.repair()
	b.sync()
	if got := b.turns(Filter{}); len(got) != 1 || got[0] != "t2" {
		t.Errorf("turns: %v", got)
	}
}

// TestNewerFormatIsLeftAlone: an index of a later version is no damage. Nobody
// writes to it, repair least of all.
func TestNewerFormatIsLeftAlone(t *testing.T) {
	for what, later := range map[string]func(text []byte) []byte{
		"MANIFEST": func(text []byte) []byte {
			return []byte("hansard 2" + string(text[len("hansard 1"):]))
		},
		published.ShardsDir: func(text []byte) []byte {
			text[8], text[len(text)-20] = 99, 99 // the version, as format.go has it
			return text
		},
	} {
		b := benchOf(t, 5)
		path := filepath.Join(b.dir, what)
		if what == published.ShardsDir {
			path = indexFiles(t, path)[0]
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, later(text), 0o600); err != nil {
			t.Fatal(err)
		}
		before := listing(t, b.dir)
		_, open := Open(b.dir)
		_, write := OpenIndexer(t.Context(), b.cfg)
		_, repair := Repair(t.Context(), b.cfg)
		for name, err := range map[string]error{"open": open, "write": write, "repair": repair} {
			if !errors.Is(err, ErrNewer) {
				t.Errorf("%s, %s: %v", what, name, err)
			}
		}
		if after := listing(t, b.dir); !slices.Equal(before, after) {
			t.Errorf("%s: files changed:\n%v\n%v", what, before, after)
		}
	}
}
