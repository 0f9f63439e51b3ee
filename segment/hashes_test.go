package segment

import (
	"encoding/json"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestHashes: what is kept as text is what is read again, and a text that no
// hashes gave is an error.
func TestHashes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		was := Start{Seen: rapid.SliceOf(rapid.Uint64()).Draw(t, "hashes")}
		b, err := json.Marshal(was)
		if err != nil {
			t.Fatal(err)
		}
		var is Start
		if err := json.Unmarshal(b, &is); err != nil || !slices.Equal(is.Seen, was.Seen) {
			t.Fatalf("%v, not %v: %v", is.Seen, was.Seen, err)
		}
	})
	for _, bad := range []string{`{"Seen":"AAAA"}`, `{"Seen":"?"}`, `{"Seen":[1,2]}`} {
		if err := json.Unmarshal([]byte(bad), &Start{}); err == nil {
			t.Errorf("%s: no error", bad)
		}
	}
}
