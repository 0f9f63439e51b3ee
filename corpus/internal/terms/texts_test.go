package terms

import (
	"fmt"
	"strings"
	"testing"
)

// A vocabulary gives a text one number, and the text for the number, whatever came
// before and comes after.
func TestVocabulary(t *testing.T) {
	v := newVocabulary()
	var want []string
	for i := range 40_000 {
		s := fmt.Sprint(i)
		if i%1000 == 7 {
			s = strings.Repeat(s, 4*i)[:4*i] // longer than a block, some of them
		}
		want = append(want, s)
	}
	var kept []string
	for i, s := range want {
		if n := v.number(s); n != uint32(i+1) {
			t.Fatalf("the text %d has the number %d", i, n)
		}
		kept = append(kept, v.Term(uint32(i+1)))
	}
	for i, s := range want {
		if v.number(s) != uint32(i+1) || v.Term(uint32(i+1)) != s || kept[i] != s {
			t.Fatalf("number %d is %.20q, and was %.20q; want %.20q", i+1, v.Term(uint32(i+1)), kept[i], s)
		}
	}
	if v.Term(0) != "" || v.Term(uint32(len(want)+1)) != "" {
		t.Error("numbers that were not given out have texts")
	}
}
