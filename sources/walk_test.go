package sources

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// BenchmarkWalk2000 walks 40 projects of 50 transcripts each.
func BenchmarkWalk2000(b *testing.B) {
	root := b.TempDir()
	for p := range 40 {
		dir := filepath.Join(root, fmt.Sprintf("-home-u-projects-p%02d", p))
		if err := os.Mkdir(dir, 0o700); err != nil {
			b.Fatal(err)
		}
		for i := range 50 {
			name := fmt.Sprintf("0fe553fc-e62a-4c1e-8ccc-%012x.jsonl", p*50+i)
			if err := os.WriteFile(filepath.Join(dir, name), []byte("{}\n"), 0o600); err != nil {
				b.Fatal(err)
			}
		}
	}
	for _, src := range []Source{Claude{Root: root}, Pi{Root: root}} {
		b.Run(src.Name(), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				n := 0
				for _, err := range src.Transcripts(context.Background()) {
					if err != nil {
						b.Fatal(err)
					}
					n++
				}
				if n != 2000 {
					b.Fatalf("%d transcripts", n)
				}
			}
		})
	}
}
