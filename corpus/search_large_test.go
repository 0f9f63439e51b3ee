package corpus

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// BenchmarkLarge asks the queries of a data set of the bench module, by class,
// of the index in the folder HANSARD_BENCH_INDEX: its about.json names the
// queries, its folder sessions is the corpus. Of each query the fastest of some
// runs counts, so that what else the machine does does not.
func BenchmarkLarge(b *testing.B) {
	dir := os.Getenv("HANSARD_BENCH_INDEX")
	if dir == "" {
		b.Skip("HANSARD_BENCH_INDEX names no data set")
	}
	raw, err := os.ReadFile(filepath.Join(dir, "about.json"))
	if err != nil {
		b.Fatal(err)
	}
	var about struct{ Queries map[string][][]string }
	if err := json.Unmarshal(raw, &about); err != nil {
		b.Fatal(err)
	}
	c, err := Open(filepath.Join(dir, "sessions"))
	if err != nil {
		b.Fatal(err)
	}
	defer c.Close()
	for _, group := range []Group{ByTurn, BySession} {
		for _, class := range []string{"mixed", "common", "rare"} {
			b.Run(class+"/by="+string(group), func(b *testing.B) {
				b.ReportAllocs()
				queries := about.Queries[class]
				fastest := make([]float64, len(queries))
				for i := range fastest {
					fastest[i] = math.Inf(1)
				}
				for b.Loop() {
					for i, q := range queries {
						began := time.Now()
						if _, err := c.Search(b.Context(), Query{Text: strings.Join(q, " "), Group: group}); err != nil {
							b.Fatal(err)
						}
						fastest[i] = min(fastest[i], float64(time.Since(began))/1e6)
					}
				}
				slices.Sort(fastest)
				b.ReportMetric(fastest[len(fastest)/2], "p50-ms")
				b.ReportMetric(fastest[len(fastest)*99/100], "p99-ms")
			})
		}
	}
}
