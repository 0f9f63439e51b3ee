package segment_test

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/hansard-search/hansard/segment"
	"github.com/hansard-search/hansard/sources"
)

// BenchmarkReal reads and cuts the published transcripts.
func BenchmarkReal(b *testing.B) {
	dir := os.Getenv("HANSARD_REAL_CORPUS")
	if dir == "" {
		b.Skip("HANSARD_REAL_CORPUS is not set")
	}
	var all []sources.Transcript
	n := int64(0)
	for tr, err := range (sources.Claude{Root: filepath.Join(dir, "claude", "projects")}).Transcripts(context.Background()) {
		if err != nil {
			b.Fatal(err)
		}
		all = append(all, tr)
		n += tr.Info().Size
	}
	for name, workers := range map[string]int{"1": 1, "2": 2} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(n)
			b.ReportAllocs()
			for b.Loop() {
				jobs := make(chan sources.Transcript)
				var wg sync.WaitGroup
				for range workers {
					wg.Go(func() {
						for tr := range jobs {
							start := segment.Begin(tr.Info())
							_, _ = segment.Cut(start, tr.Events(context.Background(), start.From), func(segment.Turn) bool { return true })
						}
					})
				}
				for _, tr := range all {
					jobs <- tr
				}
				close(jobs)
				wg.Wait()
			}
		})
	}
}
