package jsonl

import (
	"testing"

	"pgregory.net/rapid"
)

// markings are the ways to mark bytes.
var markings = map[string]func([]byte, []marks, uint64) (uint64, uint64){"by words": markWords, "the fastest": mark}

// TestMarks: each way to mark bytes says what they are when they are looked at
// one after the other.
func TestMarks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 4).Draw(t, "blocks")
		piece := rapid.OneOf(rapid.Byte(), rapid.Just(byte('\\')), rapid.SampledFrom([]byte(`"\/bfnrtu`+"\x1f \x00\xff")), rapid.Just(byte('a')))
		b := rapid.SliceOfN(piece, n*blockBytes, n*blockBytes+9).Draw(t, "bytes")
		escape := rapid.Uint64Range(0, 1).Draw(t, "escape")
		want := make([]marks, n)
		taken, odd := escape == 1, false
		for i, c := range b[:n*blockBytes] {
			m, bit := &want[i/blockBytes], uint64(1)<<(i%blockBytes)
			if c == '"' && !taken {
				m.quotes |= bit
			}
			if c < ' ' || taken && !letters[c] {
				m.wrong |= bit
			}
			odd = odd || taken && !letters[c]
			taken = c == '\\' && !taken
		}
		for name, way := range markings {
			got := make([]marks, n)
			after, gotOdd := way(b, got, escape)
			for i := range got {
				if got[i] != want[i] {
					t.Fatalf("%s: block %d of %q: %x, not %x", name, i, b, got[i], want[i])
				}
			}
			if (after == 1) != taken || (gotOdd != 0) != odd {
				t.Fatalf("%s: %q: after %d, odd %x", name, b, after, gotOdd)
			}
		}
	})
}
