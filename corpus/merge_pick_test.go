package corpus

import (
	"fmt"
	"slices"
	"testing"

	"github.com/hansard-search/hansard/corpus/internal/manifest"
)

// TestMergesKeepShardsFewAndWritesBounded: thousands of one-turn updates, with
// nobody running index meanwhile and with, on an empty corpus and on a large one.
func TestMergesKeepShardsFewAndWritesBounded(t *testing.T) {
	const updates, turn = 20_000, 2 << 10
	for _, base := range []int64{0, 2 << 30} {
		for _, small := range []bool{true, false} {
			var shards []manifest.Shard
			for size := base; size > 1<<20; size /= 2 * mergeFanout {
				for range mergeFanout - 1 {
					shards = append(shards, manifest.Shard{Name: fmt.Sprint("base", size, len(shards)), Size: size, Turns: 1})
				}
			}
			most, longest, written := 0, int64(0), int64(0)
			for i := range updates {
				shards = append(shards, manifest.Shard{Name: fmt.Sprint(i), Size: turn, Turns: 1})
				written += turn
				for picked := pickMerge(shards, small); len(picked) > 0; picked = pickMerge(shards, small) {
					shards = slices.DeleteFunc(shards, func(s manifest.Shard) bool {
						return slices.ContainsFunc(picked, func(p manifest.Shard) bool { return p.Name == s.Name })
					})
					size := sizeOf(picked)
					shards = append(shards, manifest.Shard{Name: fmt.Sprint(i, "+"), Size: size, Turns: 1})
					written += size
					longest = max(longest, size)
				}
				most = max(most, len(shards))
			}
			times := float64(written) / (updates * turn)
			t.Logf("base %d MB, small %v: at most %d shards, each byte written %.1f times, at most %d KB at once", base>>20, small, most, times, longest>>10)
			if most > maxShards || times > 12 || small && longest > crowdedMerge {
				t.Errorf("base %d MB, small %v: %d shards, each byte written %.1f times, %d KB at once", base>>20, small, most, times, longest>>10)
			}
		}
	}
}

// TestMergesOfMuchAreBounded: a first index of any size comes to few shards, none
// of which takes more memory to make than that of a million turns.
func TestMergesOfMuchAreBounded(t *testing.T) {
	var shards []manifest.Shard
	for i := range 150 { // ten million turns, as builders leave them
		shards = append(shards, manifest.Shard{Name: fmt.Sprint(i), Size: 60 << 20, Turns: 69_000, Sessions: 138})
	}
	all := 0
	for picked := pickMerge(shards, false); len(picked) > 0; picked = pickMerge(shards, false) {
		merged := manifest.Shard{Name: fmt.Sprint(len(shards), "+"), Size: sizeOf(picked)}
		for _, s := range picked {
			merged.Turns += s.Turns
			merged.Sessions += s.Sessions
		}
		if merged.Turns > maxMergeDocs {
			t.Fatalf("a merge of %d turns", merged.Turns)
		}
		shards = slices.DeleteFunc(shards, func(s manifest.Shard) bool {
			return slices.ContainsFunc(picked, func(p manifest.Shard) bool { return p.Name == s.Name })
		})
		shards = append(shards, merged)
		all++
	}
	if len(shards) > 15 || all > 15 {
		t.Errorf("%d shards after %d merges", len(shards), all)
	}
}
