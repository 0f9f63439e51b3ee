package corpus

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hansard-search/hansard/corpus/internal/files"
	"github.com/hansard-search/hansard/sources"
)

// These tests run real processes: this test's own binary, told by
// HANSARD_TEST_ROLE what to be. HANSARD_SOAK=2m is how long the killer goes on.
func TestMain(m *testing.M) {
	var err error
	switch os.Getenv("HANSARD_TEST_ROLE") {
	case "":
		os.Exit(m.Run())
	case "writer":
		err = writerRole(soak{os.Args[1]}, os.Args[2])
	case "reader":
		err = readerRole(soak{os.Args[1]})
	case "holder":
		err = holderRole(soak{os.Args[1]})
	}
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

// A soak is a folder with transcripts and a corpus of them.
type soak struct{ root string }

const soakFiles = 7

func (s soak) corpus() string   { return filepath.Join(s.root, "corpus") }
func (s soak) projects() string { return filepath.Join(s.root, "projects") }
func (s soak) count() string    { return filepath.Join(s.root, "count") }
func (s soak) stop() string     { return filepath.Join(s.root, "stop") }

func (s soak) config(dir string) Config {
	return Config{Dir: dir, Sources: []sources.Source{sources.Claude{Root: s.projects()}}, Holder: "the soak", Wait: 10 * time.Second}
}

// made is how many pairs of turns there are.
func (s soak) made() int {
	b, _ := os.ReadFile(s.count())
	n, _ := strconv.Atoi(string(b))
	return n
}

// grow writes the next pair of turns, each into a transcript of its own. Killed
// half-way it does the same again: no run ever reads one turn of a pair alone.
func (s soak) grow() error {
	n := s.made()
	for _, side := range []string{"a", "b"} {
		var text strings.Builder
		for i := n % soakFiles; i <= n; i += soakFiles {
			at := began.Add(time.Duration(i) * time.Second).UTC().Format("2006-01-02T15:04:05.000Z")
			fmt.Fprintf(&text, `{"type":"user","uuid":"%s-%d","sessionId":"s","timestamp":%q,"cwd":"/x","message":{"role":"user","content":"gopher asked %d"}}`+"\n", side, i, at, i)
			fmt.Fprintf(&text, `{"type":"assistant","uuid":"%s-%d-a","parentUuid":"%s-%d","sessionId":"s","timestamp":%q,"cwd":"/x","message":{"id":"m%s%d",`+
				`"role":"assistant","model":"m","content":[{"type":"text","text":"gopher answered %d"}]}}`+"\n", side, i, side, i, at, side, i, i)
		}
		name := filepath.Join(s.projects(), "-x", fmt.Sprintf("%s%d.jsonl", side, n%soakFiles))
		if err := replaceFile(name, text.String()); err != nil {
			return err
		}
	}
	return replaceFile(s.count(), strconv.Itoa(n+1))
}

func replaceFile(name, text string) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	if err := os.WriteFile(name+".new", []byte(text), 0o600); err != nil {
		return err
	}
	return os.Rename(name+".new", name)
}

// writerRole grows and indexes until it has published so many times, and then
// again from any point at which it was killed.
func writerRole(s soak, times string) error {
	n, err := strconv.Atoi(times)
	for i := 0; err == nil && i < n; i++ {
		if err = s.grow(); err == nil {
			err = s.index(s.corpus(), s.made()%10 == 9)
		}
	}
	return err
}

func (s soak) index(dir string, full bool) error {
	ix, err := openIndexer(context.Background(), s.config(dir), files.OS{})
	if err != nil {
		return err
	}
	_, err = ix.Sync(context.Background(), SyncOptions{Full: full})
	return errors.Join(err, ix.Close())
}

// readerRole asks until it is stopped, now of a corpus that it keeps open and now
// of one that it just opened, and complains of every answer that is no published state.
func readerRole(s soak) error {
	var kept *Corpus
	seen, asked := 0, 0
	for {
		stopping := !absent(s.stop())
		c := kept
		if c == nil || asked%5 == 0 {
			var err error
			if c, err = Open(s.corpus()); errors.Is(err, ErrNoCorpus) && seen == 0 {
				continue
			} else if err != nil {
				return err
			}
			if kept != nil {
				kept.Close()
			}
			kept = c
		}
		pairs, err := readPairs(c)
		if err != nil {
			return err
		}
		if pairs < seen {
			return fmt.Errorf("%d pairs after %d", pairs, seen)
		}
		seen, asked = pairs, asked+1
		if stopping {
			fmt.Printf("%d pairs, asked %d times\n", seen, asked)
			return nil
		}
	}
}

// readPairs counts what is found, in both ways, and fails when half a pair is.
func readPairs(c *Corpus) (int, error) {
	ids := map[string]bool{}
	for r, err := range c.Export(context.Background(), Filter{}) {
		switch {
		case err != nil:
			return 0, err
		case ids[r.TurnID]:
			return 0, fmt.Errorf("%s is there twice", r.TurnID)
		case strings.TrimPrefix(r.Prompt, "gopher asked ") != strings.TrimPrefix(r.Summary, "gopher answered "):
			return 0, fmt.Errorf("%s is torn: %q and %q", r.TurnID, r.Prompt, r.Summary)
		}
		ids[r.TurnID] = true
	}
	for id := range ids {
		if !ids["a"+id[1:]] || !ids["b"+id[1:]] {
			return 0, fmt.Errorf("half of the pair of %s is missing", id)
		}
	}
	a, err := c.Search(context.Background(), Query{Text: "gopher", Group: ByTurn})
	if err != nil {
		return 0, err
	}
	if a.Total%2 != 0 || a.Total < len(ids) || len(a.Scope.Damaged) > 0 {
		return 0, fmt.Errorf("%d turns found, %d exported, damaged: %v", a.Total, len(ids), a.Scope.Damaged)
	}
	return a.Total / 2, nil
}

// holderRole takes the writer lock and keeps it until it is killed.
func holderRole(s soak) error {
	_, err := OpenIndexer(context.Background(), s.config(s.corpus()))
	if err == nil {
		fmt.Println("held")
		time.Sleep(time.Minute)
	}
	return err
}

// A role is a process of this test.
type role struct {
	*exec.Cmd
	out strings.Builder
}

func start(t *testing.T, s soak, name string, args ...string) *role {
	t.Helper()
	r := &role{Cmd: exec.Command(os.Args[0], append([]string{s.root}, args...)...)}
	r.Env = append(os.Environ(), "HANSARD_TEST_ROLE="+name)
	r.Stdout, r.Stderr = &r.out, &r.out
	if err := r.Start(); err != nil {
		t.Fatal(err)
	}
	return r
}

// readAlong starts readers; the function returned stops them and fails the test
// when one complained.
func readAlong(t *testing.T, s soak, n int) (stop func()) {
	var readers []*role
	for range n {
		readers = append(readers, start(t, s, "reader"))
	}
	return func() {
		if err := os.WriteFile(s.stop(), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		for _, r := range readers {
			if err := r.Wait(); err != nil {
				t.Errorf("a reader: %v: %s", err, r.out.String())
			}
			if !strings.HasPrefix(r.out.String(), fmt.Sprintf("%d pairs", s.made())) {
				t.Errorf("a reader saw %s of %d pairs", r.out.String(), s.made())
			}
		}
	}
}

// soakFor is how long to go on: a moment, or what HANSARD_SOAK says.
func soakFor(t *testing.T) time.Duration {
	d, err := time.ParseDuration(os.Getenv("HANSARD_SOAK"))
	if err != nil {
		d = 2 * time.Second
		if testing.Short() {
			t.Skip("real processes")
		}
	}
	return d
}

// settleSoak brings the corpus up to date and compares it with one made at once.
func settleSoak(t *testing.T, s soak) {
	t.Helper()
	if err := s.index(s.corpus(), false); err != nil {
		t.Fatal(err)
	}
	fresh := filepath.Join(s.root, "fresh")
	if err := s.index(fresh, false); err != nil {
		t.Fatal(err)
	}
	if grown, once := dumpOrNone(t, s.corpus()), dumpOrNone(t, fresh); grown != once {
		t.Errorf("grown under kills:\n%s\nmade at once:\n%s", grown, once)
	}
	checkCorpus(t, s.corpus())
	noOrphans(t, s.corpus(), "at the end")
}

// TestReadersWhileAnotherPublishes: a writer publishes again and again, readers
// see one published state after the other, whole.
func TestReadersWhileAnotherPublishes(t *testing.T) {
	soakFor(t)
	readers, publishes := 4, 25
	if os.Getenv("HANSARD_SOAK") != "" {
		readers, publishes = 10, 200
	}
	s := soak{t.TempDir()}
	stop := readAlong(t, s, readers)
	w := start(t, s, "writer", strconv.Itoa(publishes))
	if err := w.Wait(); err != nil {
		t.Fatalf("the writer: %v: %s", err, w.out.String())
	}
	stop()
	if s.made() != publishes {
		t.Errorf("%d pairs of %d", s.made(), publishes)
	}
	settleSoak(t, s)
}

// TestKilledWriters kills the writer at random moments while readers read:
// nothing published is lost, nothing is there twice, no reader notices.
func TestKilledWriters(t *testing.T) {
	until := time.Now().Add(soakFor(t))
	s := soak{t.TempDir()}
	if err := s.grow(); err != nil {
		t.Fatal(err)
	}
	// Enough to read again that --full opens the ledger.
	bulk := strings.Repeat(`{"type":"progress","data":"`+strings.Repeat("x", 4000)+`"}`+"\n", 1100)
	if err := replaceFile(filepath.Join(s.projects(), "-x", "bulk.jsonl"), bulk); err != nil {
		t.Fatal(err)
	}
	if err := s.index(s.corpus(), false); err != nil {
		t.Fatal(err)
	}
	stop := readAlong(t, s, 4)
	r := rand.New(rand.NewPCG(1, uint64(until.UnixNano())))
	kills := 0
	for ; time.Now().Before(until); kills++ {
		w := start(t, s, "writer", "1000")
		time.Sleep(time.Duration(r.IntN(150)) * time.Millisecond)
		w.Process.Kill()
		if err := w.Wait(); w.out.Len() > 0 {
			t.Errorf("a writer: %v: %s", err, w.out.String())
		}
	}
	// The last writer may have been killed within a pair.
	if err := errors.Join(s.grow(), s.index(s.corpus(), false)); err != nil {
		t.Fatal(err)
	}
	stop()
	settleSoak(t, s)
	t.Logf("%d kills, %d pairs", kills, s.made())
}

// TestLockOfAnotherProcess: the second writer waits as long as it says, then
// names who holds the lock; a lock dies with its process.
func TestLockOfAnotherProcess(t *testing.T) {
	s := soak{t.TempDir()}
	h := &role{Cmd: exec.Command(os.Args[0], s.root)}
	h.Env = append(os.Environ(), "HANSARD_TEST_ROLE=holder")
	out, err := h.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := h.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "held\n" {
		t.Fatalf("the holder says %q: %v", line, err)
	}
	cfg := s.config(s.corpus())
	cfg.Wait = 60 * time.Millisecond
	began := time.Now()
	_, err = OpenIndexer(t.Context(), cfg)
	var locked *LockedError
	if !errors.As(err, &locked) || locked.PID != h.Process.Pid || locked.Command != "the soak" || time.Since(locked.Since) > time.Minute {
		t.Errorf("the second writer: %v", err)
	}
	if waited := time.Since(began); waited < cfg.Wait {
		t.Errorf("it waited for %v only", waited)
	}
	h.Process.Kill()
	h.Wait()
	ix, err := OpenIndexer(t.Context(), cfg)
	if err != nil {
		t.Fatalf("after the holder died: %v", err)
	}
	if err := ix.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(s.corpus()); errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}
