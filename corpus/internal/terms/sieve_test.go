package terms

import (
	"strings"
	"testing"
)

// TestStemsBeginAsTheirWords: what the sieve rests on. Three verbs do not, which
// it knows of.
func TestStemsBeginAsTheirWords(t *testing.T) {
	const letters = "abcdefghijklmnopqrstuvwxyz"
	endings := []string{"", "s", "ed", "ing", "ly", "ies", "ied", "ation", "ness", "e", "edly", "al", "er", "'s", "eed", "li", "ying"}
	var s stemmer
	for i := range 26 * 26 * 26 {
		begin := string([]byte{letters[i/26/26], letters[i/26%26], letters[i%26]})
		for _, end := range endings {
			for n := 1; n <= len(begin); n++ {
				word := begin[:n] + end
				switch stem := s.stem(word); {
				case word == "dying" || word == "lying" || word == "tying":
				case stem[0] != word[0] || len(stem) > 1 && stem[1] != word[1]:
					t.Fatalf("the stem of %s is %s", word, stem)
				}
			}
		}
	}
}

func TestSieveLetsThrough(t *testing.T) {
	tests := []struct {
		term, text string
		want       int // -1: nowhere
	}{
		{"run", "the Running", 4},
		{"run", "thru", -1}, // in the midst of a word
		{"run", "getRunner", 3},
		{"run", "dry_run", 4},
		{"dryrun", "a d-ryrun", 2},
		{"run", "r", -1},
		{"r", "r", 0},
		{"r", "or r", 3},
		{"die", "dying", 0},
		{"eclair", "Éclair", 0},
		{"c++", "a c++", 2},
		{"v2", "(v2)", 1},
		{"", "word", -1},
	}
	for _, tt := range tests {
		v := new(Analyzer).sieve([]Target{{Term: tt.term}})
		got := v.next(tt.text, 0)
		if got == len(tt.text) {
			got = -1
		}
		if got != tt.want {
			t.Errorf("%q in %q: %d, want %d", tt.term, tt.text, got, tt.want)
		}
	}
}

// TestScanOfLongWords: those that are not remembered are told apart when the
// words between them are counted.
func TestScanOfLongWords(t *testing.T) {
	var a Analyzer
	long := strings.Repeat("x", rawLimit+joinLimit)
	text := "run A" + long + " run" + long
	var last Match
	NewMatcher(&a, []Target{{Term: "run", Prefix: true}}).Scan(text, func(m Match) bool { last = m; return true })
	if want := (Match{Pos: 2, Words: 1, Start: len(text) - len(long) - 3, End: len(text)}); last != want {
		t.Errorf("found %+v, want %+v", last, want)
	}
}
