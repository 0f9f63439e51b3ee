package shard

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestCounts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ones := rapid.IntRange(0, 40).Draw(t, "ones")
		most := rapid.SampledFrom([]uint8{3, 255}).Draw(t, "most")
		counts := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) uint8 {
			if rapid.IntRange(0, 40).Draw(t, "one") <= ones {
				return 1
			}
			return rapid.Uint8Range(1, most).Draw(t, "count")
		}), 1, 300).Draw(t, "counts")
		b := appendCounts([]byte("x"), counts)[1:]
		if len(b) > len(counts) {
			t.Fatalf("%d bytes for %d counts", len(b), len(counts))
		}
		got := make([]uint8, len(counts))
		readCounts(b, got)
		if !slices.Equal(got, counts) {
			t.Fatalf("%v is read as %v", counts, got)
		}
		for i, n := range counts {
			if countAt(b, i, len(counts)) != n {
				t.Fatalf("count %d of %v is %d", i, counts, countAt(b, i, len(counts)))
			}
		}
		var at []uint16
		every := rapid.IntRange(1, 100).Draw(t, "every")
		for i := rapid.IntRange(0, 50).Draw(t, "first"); i < len(counts); i += every {
			at = append(at, uint16(i))
		}
		var picked [BlockDocs]uint8
		pickCounts(b, len(counts), at, &picked)
		for i, j := range at {
			if picked[i] != counts[j] {
				t.Fatalf("count %d of %v is picked as %d", j, counts, picked[i])
			}
		}
	})
}

func FuzzCounts(f *testing.F) {
	f.Add([]byte{0x10, 0xFF, 3, 4}, 20)
	f.Add([]byte{0xFF, 0xFF, 0xFF, 0xFF}, 4)
	f.Fuzz(func(t *testing.T, b []byte, n int) {
		counts := make([]uint8, min(max(n, 0), BlockDocs))
		readCounts(b, counts)
		for i := range min(len(counts), 50) {
			if countAt(b, i, len(counts)) != counts[i] {
				t.Fatalf("count %d: %d and %d", i, countAt(b, i, len(counts)), counts[i])
			}
		}
	})
}
