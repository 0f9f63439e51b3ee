package corpus

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hansard-search/hansard/corpus/internal/files"
	"github.com/hansard-search/hansard/corpus/internal/published"
	"github.com/hansard-search/hansard/corpus/internal/shard"
	"github.com/hansard-search/hansard/sources"
)

// counting counts what files are made.
type counting struct {
	files.Unsynced
	shards, manifests int
}

func (c *counting) Create(path string) (files.File, error) {
	switch {
	case strings.HasSuffix(path, published.ShardExt+files.TempSuffix):
		c.shards++
	case filepath.Base(path) == "MANIFEST"+files.TempSuffix:
		c.manifests++
	}
	return c.Unsynced.Create(path)
}

// A run of a few turns makes one shard and one manifest, whatever it writes and
// merges.
func TestSmallRunsWriteOnce(t *testing.T) {
	dir, src := t.TempDir(), new(sources.Memory)
	most := 0
	for i := range 3 * mergeFanout * mergeFanout {
		first := pair("first", "stands in many", "yes", 0)
		switch i % 3 {
		case 0: // two transcripts, and a turn of which only the places change
			src.AppendRecords(fmt.Sprintf("copy%d", i), first, pair(fmt.Sprintf("own%d", i), "mine", "yes", i+1))
			src.AppendRecords("other", pair(fmt.Sprintf("o%d", i), "other", "yes", i+1))
		default:
			src.AppendRecords("long", pair(fmt.Sprintf("l%d", i), fmt.Sprintf("question%d", i), "answer", i+1))
		}
		fsys := &counting{}
		syncDir(t, dir, src, fsys)
		if fsys.shards != 1 || fsys.manifests != 1 {
			t.Fatalf("run %d made %d shards and %d manifests", i, fsys.shards, fsys.manifests)
		}
		entries, err := os.ReadDir(filepath.Join(dir, published.ShardsDir))
		if err != nil {
			t.Fatal(err)
		}
		most = max(most, len(entries))
	}
	if most > 3*mergeFanout {
		t.Errorf("%d shards", most)
	}
	checkCorpus(t, dir)
	fresh := t.TempDir()
	syncDir(t, fresh, src, files.Unsynced{})
	if got, want := dumpOrNone(t, dir), dumpOrNone(t, fresh); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// A damaged shard that a run would take in does not keep the run from being
// published.
func TestRunDoesNotDependOnItsMerge(t *testing.T) {
	b := newBench(t)
	rnd := rand.New(rand.NewPCG(1, 1))
	add := func(i int) {
		var text strings.Builder
		for range 1500 {
			fmt.Fprintf(&text, "%x ", rnd.Uint32())
		}
		b.src.AppendRecords("s", pair(fmt.Sprint("t", i), fmt.Sprint("question", i), text.String(), i))
	}
	for i := range mergeFanout - 1 {
		add(i)
		b.sync()
	}
	shards := indexFiles(t, filepath.Join(b.dir, published.ShardsDir))
	if len(shards) != mergeFanout-1 {
		t.Fatalf("%d shards", len(shards))
	}
	whole, err := os.ReadFile(shards[0])
	if err != nil {
		t.Fatal(err)
	}
	damaged := append([]byte(nil), whole...)
	damaged[8000] ^= 1
	if err := os.WriteFile(shards[0], damaged, 0o600); err != nil {
		t.Fatal(err)
	}
	add(mergeFanout)
	ix := b.indexer()
	_, err = ix.Sync(t.Context(), SyncOptions{})
	ix.Close()
	if !errors.Is(err, shard.ErrDamaged) {
		t.Errorf("sync: %v", err)
	}
	if _, err := b.open().Turn(t.Context(), fmt.Sprint("t", mergeFanout)); err != nil {
		t.Errorf("the run's turn: %v", err)
	}
	if err := os.WriteFile(shards[0], whole, 0o600); err != nil {
		t.Fatal(err)
	}
	b.sync()
	if n := len(indexFiles(t, filepath.Join(b.dir, published.ShardsDir))); n != 1 {
		t.Errorf("%d shards after the repair", n)
	}
}
