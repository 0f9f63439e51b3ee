package redact

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// A bucket is a byte, and places that are let through cost time.
func TestTableFits(t *testing.T) {
	f, used := filter(), 0
	for _, b := range f.buckets {
		if b != 0 {
			used++
		}
	}
	if len(f.rules) > 255 || used != len(f.rules) || used > len(f.buckets)/50 {
		t.Errorf("%d lists of rules, %d of %d buckets used", len(f.rules), used, len(f.buckets))
	}
}

// searches are the ways to find the next place of a text that a rule may match.
var searches = map[string]func(t *table, s string, i int) int{
	"next":   (*table).next,
	"words":  (*table).nextWords,
	"simply": nextSimply,
}

func nextSimply(t *table, s string, i int) int {
	for ; i+4 <= len(s); i++ {
		if t.buckets[bucket(four(s, i))] != 0 && t.families.has(s, i) {
			return i
		}
	}
	return -1
}

func TestSearchesFindTheSame(t *testing.T) {
	f := filter()
	rapid.Check(t, func(t *rapid.T) {
		var b strings.Builder
		for range rapid.IntRange(0, 9).Draw(t, "parts") {
			b.WriteString(strings.Repeat("x", rapid.IntRange(0, 99).Draw(t, "gap")))
			b.WriteString(rapid.SampledFrom([]string{"sk-", "TOKEN", "pass", "\xe1bc", "://", "eyJ", "Secret", "a b ", "bearer", ""}).Draw(t, "word"))
			b.WriteString(rapid.StringN(0, 20, 20).Draw(t, "any"))
		}
		s := b.String()
		for i := rapid.IntRange(0, len(s)).Draw(t, "from"); i >= 0 && i <= len(s); i++ {
			want := nextSimply(f, s, i)
			for name, search := range searches {
				if got := search(f, s, i); got != want {
					t.Fatalf("%s of %q from %d: %d, want %d", name, s, i, got, want)
				}
			}
			if i = want; i < 0 {
				break
			}
		}
	})
}

// Each trigger is found, in letters of any case, and next to nothing else is.
func TestFamilies(t *testing.T) {
	f, through := filter(), 0
	for _, r := range f.rules {
		for _, rule := range r {
			for _, s := range rule.triggers() {
				if !f.families.has(s, 0) || !f.families.has(strings.ToUpper(s), 0) || !f.families.has(strings.ToLower(s), 0) {
					t.Errorf("%s is not found", s)
				}
			}
		}
	}
	text := strings.Repeat("The quick brown fox jumps over the lazy dogs that were sleeping in the garden, and nobody has seen it. ", 9)
	for i := range len(text) - 3 {
		if f.families.has(text, i) {
			through++
		}
	}
	if 50*through > len(text) {
		t.Errorf("%d of %d places are let through", through, len(text))
	}
}
