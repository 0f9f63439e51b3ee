package corpus

import (
	"testing"

	"github.com/hansard-search/hansard/sources"
)

// TestSpanWithoutTime: a turn that tells no time does not hide when the others were.
func TestSpanWithoutTime(t *testing.T) {
	b := newBench(t)
	b.src.AppendRecords("s1", pair("t1", "first", "answer one", 0), pair("t2", "second", "answer two", 9))
	b.src.AppendRecords("s2", sources.Record{ID: "t3", Prompt: "whenever", Answer: "then"})
	b.sync()
	st, err := b.open().Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if !st.Oldest.Equal(began) || !st.Newest.After(began) {
		t.Errorf("from %v to %v", st.Oldest, st.Newest)
	}
}
