package corpus

import (
	"fmt"
	"testing"
)

// Everything that the files hold is told, and nothing twice.
func TestDisk(t *testing.T) {
	bn := newBench(t)
	for i := range 40 {
		bn.src.AppendRecords("s1", pair(fmt.Sprint("t", i), "why does the gopher fail", fmt.Sprint("because of reason ", i), i))
	}
	bn.sync()
	c := bn.open()
	parts, err := c.Disk(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	st, err := c.Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	sum := int64(0)
	seen := map[string]bool{}
	for _, p := range parts {
		if seen[p.Name] || p.Bytes < 0 {
			t.Errorf("part %q: %d bytes", p.Name, p.Bytes)
		}
		seen[p.Name] = true
		sum += p.Bytes
	}
	if want := st.Bytes.Shards + st.Bytes.Ledger + st.Bytes.Transcripts + st.Bytes.Manifest; sum != want {
		t.Errorf("parts are %d bytes, files %d: %v", sum, want, parts)
	}
	for _, name := range []string{"passages", "postings", "dictionaries", "tables", "transcripts"} {
		if !seen[name] {
			t.Errorf("%s is missing", name)
		}
	}
}
