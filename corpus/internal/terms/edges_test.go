package terms

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Words are found at the same edges in whatever way.
func TestEdges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := drawText(t)
		if rapid.Bool().Draw(t, "bytes") {
			text = string(rapid.SliceOfN(rapid.Byte(), 0, 300).Draw(t, "any"))
		}
		open := rapid.Uint64Range(0, 1).Draw(t, "open")
		want, wantAfter := edgesSimply(text, 7, open)
		for name, find := range map[string]func(string, uint32, uint64, []uint32) (int, uint64){"edges": edges, "words": edgesWords} {
			out := make([]uint32, len(text)+edgesRoom+1)
			out[len(out)-1] = 42
			n, after := find(text, 7, open, out)
			if after != wantAfter || !slices.Equal(out[:n], want) {
				t.Fatalf("%s of %q: %d, %d; want %d, %d", name, text, out[:n], after, want, wantAfter)
			}
			if out[len(out)-1] != 42 {
				t.Fatalf("%s of %q wrote behind its room", name, text)
			}
		}
	})
	for c := range 256 {
		if n, _ := edges(strings.Repeat(" ", 99)+string([]byte{byte(c)})+" ", 0, 0, make([]uint32, 101+edgesRoom)); (n == 2) != (classes[c]&(alnum|wide) != 0) || n == 1 {
			t.Errorf("byte %x: %d edges", c, n)
		}
	}
}

func edgesSimply(text string, at uint32, open uint64) (all []uint32, after uint64) {
	for i := range len(text) {
		in := uint64(0)
		if classes[text[i]]&(alnum|wide) != 0 {
			in = 1
		}
		if in != open {
			all = append(all, at+uint32(i))
		}
		open = in
	}
	if open == 1 && len(text)%64 != 0 { // zeros follow in the block
		return append(all, at+uint32(len(text))), 0
	}
	return all, open
}
