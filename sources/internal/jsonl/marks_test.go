package jsonl

import (
	"testing"

	"pgregory.net/rapid"
)

// TestMarks: each way to mark bytes says what the bytes are.
func TestMarks(t *testing.T) {
	ways := map[string]func([]byte, []marks){"by words": markWords, "the fastest": mark}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 4).Draw(t, "blocks")
		some := rapid.OneOf(rapid.Byte(), rapid.SampledFrom([]byte(`"\/bfnrtu`+"\x1f \x00\xff")))
		b := rapid.SliceOfN(some, n*blockBytes, n*blockBytes+9).Draw(t, "bytes")
		for name, way := range ways {
			m := make([]marks, n)
			way(b, m)
			for i, c := range b[:n*blockBytes] {
				got := m[i/blockBytes]
				bit := uint64(1) << (i % blockBytes)
				if got.quotes&bit != 0 != (c == '"') || got.slashes&bit != 0 != (c == '\\') || got.controls&bit != 0 != (c < ' ') {
					t.Fatalf("%s: byte %d, %q: %x", name, i, c, got)
				}
				if behind := i > 0 && b[i-1] == '\\'; got.letters&bit != 0 && !letters[c] || behind && letters[c] && got.letters&bit == 0 {
					t.Fatalf("%s: byte %d, %q: letters %x", name, i, c, got.letters)
				}
			}
		}
	})
}
